internal import Glibc
internal import LibraryService

/// Finds the Google Takeout exports among the paths of an import, by names alone.
///
/// Whether a folder's JSON files really describe photos is decided when they are read.
struct TakeoutRecognizer {
    /// A folder or archive of an export.
    struct Source: Hashable, Sendable {
        var path: SourcePath
        var isArchive: Bool
        /// Indicates whether the names leave no doubt.
        var isCertain: Bool
    }

    /// The maximum number of folders that are looked into below one path.
    private static let maximumFolders = 100
    private(set) var sources: [Source] = []
    /// The other paths.
    private(set) var others: [SourcePath] = []

    init(_ paths: [SourcePath]) {
        for path in paths.map({ $0.absolute() }) { add(path) }
    }

    private mutating func add(_ path: SourcePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return others.append(path) }
        let name = path.lastComponent.description
        switch status.st_mode & S_IFMT {
        case S_IFREG where Self.isPart(name):
            sources.append(Source(path: path, isArchive: true, isCertain: true))
        case S_IFDIR:
            let names = Self.names(in: path)
            let parts = names.filter { !$0.isFolder && Self.isPart($0.name) }
            if !parts.isEmpty {
                // The folder of a download: its other entries are imported as what they are.
                for entry in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
                    add(path.appending(entry.bytes))
                }
            } else if Self.isTakeout(name) && names.contains(where: \.isFolder)
                || names.contains(where: { $0.isFolder && Self.isTakeout($0.name) })
            {
                sources.append(Source(path: path, isArchive: false, isCertain: true))
            } else if Self.hasDescriptions(path, names) {
                sources.append(Source(path: path, isArchive: false, isCertain: false))
            } else {
                others.append(path)
            }
        default: others.append(path)
        }
    }

    // MARK: - Names

    private struct Entry {
        /// The name, which need not be UTF-8.
        var bytes: [UInt8]
        var isFolder: Bool

        var name: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Returns whether a name is that of an archive by Google Takeout.
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

    /// Returns whether a folder, or a folder at most two levels below it, has JSON files with the
    /// names of other files in it.
    private static func hasDescriptions(_ path: SourcePath, _ names: [Entry]) -> Bool {
        var pending = [(path: path, names: names, depth: 0)]
        var count = 0
        while let folder = pending.popLast(), count < maximumFolders {
            count += 1
            if describesFiles(folder.names) { return true }
            guard folder.depth < 2 else { continue }
            for entry in folder.names.prefix(maximumFolders) where entry.isFolder {
                let below = folder.path.appending(entry.bytes)
                pending.append((below, Self.names(in: below), folder.depth + 1))
            }
        }
        return false
    }

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
