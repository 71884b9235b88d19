internal import Glibc
internal import LibraryService

/// Finds the Google Takeout exports among the paths of an import, by file and folder names alone.
///
/// Whether a folder's JSON files really describe photos is decided when they are read.
struct TakeoutRecognizer {
    /// A folder or archive of an export.
    struct Source: Hashable, Sendable {
        var path: SourcePath
        var isArchive: Bool
        /// Indicates whether the name of the folder or archive identifies it as an export.
        var isCertain: Bool
    }

    /// The maximum depth to which the subfolders of a path are searched for exports.
    ///
    /// `maximumFolders` is the maximum number of subfolders searched per path.
    private static let maximumDepth = 2
    private static let maximumFolders = 100

    private(set) var sources: [Source] = []
    /// The paths that are to be imported as ordinary files and folders.
    private(set) var others: [SourcePath] = []
    /// The exports inside folders of `others`, which the import of those folders must skip.
    private(set) var nested: Set<SourcePath> = []

    init(_ paths: [SourcePath]) {
        for path in paths.map({ $0.absolute() }) { add(path) }
    }

    private mutating func add(_ path: SourcePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return others.append(path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG where Self.isPart(path.lastComponent.description):
            sources.append(Source(path: path, isArchive: true, isCertain: true))
        case S_IFDIR: add(folder: path)
        default: others.append(path)
        }
    }

    private mutating func add(folder path: SourcePath) {
        let names = Self.names(in: path)
        if names.contains(where: { !$0.isFolder && Self.isPart($0.name) }) {
            // The folder of a download: its other entries are imported as what they are.
            for entry in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
                add(path.appending(entry.bytes))
            }
            return
        }
        var foldersLeft = Self.maximumFolders
        switch Self.content(of: path, names, depth: 0, &foldersLeft) {
        case .export(let found): sources += found
        case .mixed(let found):
            sources += found
            nested.formUnion(found.map(\.path))
            others.append(path)
        case .files, .nothing: others.append(path)
        }
    }

    // MARK: - Folders

    /// The kind of a folder's content, determined by file and folder names.
    private enum Content {
        /// All files of the folder belong to exports.
        case export([Source])
        /// The folder contains exports, and also other files.
        case mixed([Source])
        case files
        case nothing
    }

    private static func content(
        of path: SourcePath,
        _ names: [Entry],
        depth: Int,
        _ foldersLeft: inout Int
    ) -> Content {
        let own = Source(path: path, isArchive: false, isCertain: false)
        if isTakeout(path.lastComponent.description), names.contains(where: \.isFolder) {
            return .export([Source(path: path, isArchive: false, isCertain: true)])
        }
        if isLibrary(path) { return .files }
        if describesFiles(names) { return .export([own]) }
        let files = names.contains { !$0.isFolder && !$0.isCompanion }
        guard depth < maximumDepth else { return files ? .files : .nothing }
        var exports: [Source] = []
        var (exportFolders, otherFolders, isMixed) = (0, files ? 1 : 0, false)
        let folders = names.filter(\.isFolder)
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        for entry in folders {
            guard foldersLeft > 0 else { break }
            foldersLeft -= 1
            let below = path.appending(entry.bytes)
            switch content(of: below, Self.names(in: below), depth: depth + 1, &foldersLeft) {
            case .export(let found):
                exports += found
                exportFolders += 1
            case .mixed(let found):
                exports += found
                isMixed = true
            case .files: otherFolders += 1
            case .nothing: break
            }
        }
        guard !exports.isEmpty else { return otherFolders > 0 ? .files : .nothing }
        // Some albums of an export can lack descriptions; a collection of photos with an export in
        // it has more folders without them.
        if !isMixed, !files, !exports.contains(where: \.isCertain), otherFolders < exportFolders {
            return .export([own])
        }
        // What is in no export gets its outcome from the walk.
        return exportFolders == names.count ? .export(exports) : .mixed(exports)
    }

    private static func isLibrary(_ path: SourcePath) -> Bool {
        let number = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { return false }
        let name = path.lastComponent.bytes
        return SourceBundle.reason(against: name, folder: Descriptor(owning: number)) != nil
    }

    // MARK: - Names

    private struct Entry {
        /// The bytes of the name, which may not be valid UTF-8.
        var bytes: [UInt8]
        var isFolder: Bool

        var name: String { String(decoding: bytes, as: UTF8.self) }

        /// Indicates whether the name begins with a dot or ends in `.json` or `.html`.
        ///
        /// Folders without photos have such files too.
        var isCompanion: Bool {
            let name = name.lowercased()
            return name.hasPrefix(".") || name.hasSuffix(".json") || name.hasSuffix(".html")
        }
    }

    /// Returns whether a name belongs to an archive of a Google Takeout export.
    private static func isPart(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("takeout-")
            && [".zip", ".tgz", ".tar.gz"].contains(where: name.hasSuffix)
    }

    private static func isTakeout(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("takeout")
            && name.dropFirst(7).allSatisfy { " -_()0123456789".contains($0) }
    }

    /// Returns whether a folder contains a JSON file that is named after another file in it.
    private static func describesFiles(_ names: [Entry]) -> Bool {
        guard names.contains(where: { $0.bytes.suffix(5).elementsEqual(".json".utf8) }) else {
            return false
        }
        let files = Set(names.lazy.filter { !$0.isFolder }.map(\.name))
        return files.contains { name in
            guard name.hasSuffix(".json") else { return false }
            let stem = String(name.dropLast(5))
            if files.contains(stem) { return true }
            guard let dot = stem.lastIndex(of: ".") else { return false }
            let end = stem[stem.index(after: dot)...]
            return !end.isEmpty && "supplemental-metadata".hasPrefix(end)
                && files.contains(String(stem[..<dot]))
        }
    }

    private static func names(in path: SourcePath) -> [Entry] {
        guard let stream = path.withCString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 })
            }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            var isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            if entry.pointee.d_type == UInt8(DT_UNKNOWN) {
                var status = stat()
                let text = name.map(CChar.init(bitPattern:)) + [0]
                let result = fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW)
                isFolder = result == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            entries.append(Entry(bytes: name, isFolder: isFolder))
        }
        return entries
    }
}
