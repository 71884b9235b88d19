public import Foundation
internal import Glibc
internal import ImportSources
internal import LibraryService
internal import PhotoModel

/// The folders whose new files the library daemon imports into a library.
///
/// The list is a setting of this user on this machine, not part of the library. Nothing is imported
/// while no daemon is running. The daemon never changes or removes a file in a watch folder.
public struct WatchFolders: Sendable {
    /// A watch folder.
    public struct Folder: Sendable, Hashable {
        /// The path of the folder.
        public var path: String
        /// The title of the album to which imports are added; nil for none.
        public var album: String?
        /// Indicates whether the album was deleted.
        ///
        /// Imports are then added to no album.
        public var isAlbumDeleted: Bool
        /// The state of the folder.
        public var state: State
        /// The number of imported files.
        public var importedCount: Int
        /// The number of files that could not be imported and have not changed since the attempt.
        public var failedCount: Int
        /// The time of the last import; nil if there was none.
        public var lastImport: Date?
    }

    /// The state of a watch folder.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// All files were processed, including those that could not be imported, and new files will
        /// be imported.
        case watching
        /// The daemon is searching for files or importing them, or a part of the folder cannot be
        /// read at the moment.
        case scanning
        /// The folder does not exist, or its volume is not mounted.
        case missing
        /// Imports from the folder are suspended for a reason that does not concern the folder
        /// itself.
        ///
        /// Possible causes are that no daemon is running, its background tasks are paused, another
        /// process performs them, or the library cannot be opened or changed.
        case paused
    }

    private let library: URL
    private let list = WatchFolderList.standard

    /// Creates an object that accesses the watch folders of a library.
    public init(of library: URL) { self.library = library }

    /// Returns the watch folders, in the order in which they were added.
    ///
    /// - Throws: `PHPhotosError` when there is no library, or the list cannot be read.
    public func folders() throws -> [Folder] {
        let identifier = try libraryIdentifier()
        let folders = try edge { () throws(LibraryError) in
            try list.libraries()[identifier]?.folders ?? []
        }
        let states = (try? LibraryDaemon.state())?.watchFolders ?? [:]
        return folders.map { Folder($0, state: states[$0.identifier.uuidString]) }
    }

    /// Adds a watch folder, from which the daemon then imports files automatically.
    ///
    /// - Parameters:
    ///   - path: The folder, which must exist.
    ///   - album: The title of an album to which imports are added; nil for none. It is created
    ///     with the first import.
    /// - Throws: `PHPhotosError` when the path is not a folder, is in a library, or overlaps
    ///   another watch folder.
    public func add(_ path: SourcePath, album: String? = nil) throws {
        let identifier = try libraryIdentifier()
        try edge { () throws(LibraryError) in
            let real = try Self.realPath(of: path)
            try Self.check(path, real)
            try list.change { libraries throws(LibraryError) in
                for folder in libraries.values.flatMap(\.folders) {
                    try Self.checkOverlap(real, folder.path)
                }
                var watched = libraries[identifier] ?? WatchedLibrary(path: libraryPath)
                watched.path = libraryPath
                let isMountPoint = MountTable.isMountPoint(Array(real.utf8))
                watched.folders.append(
                    WatchFolder(path: real, album: album, isMountPoint: isMountPoint)
                )
                libraries[identifier] = watched
            }
        }
    }

    /// Removes a folder; imported photos stay in the library.
    ///
    /// - Throws: `PHPhotosError` when it is not a watch folder of the library.
    public func remove(_ path: SourcePath) throws {
        let identifier = try libraryIdentifier()
        try edge { () throws(LibraryError) in
            // The folder may no longer exist.
            let paths = [path.absolute().description, try? Self.realPath(of: path)]
            let removed = try list.change { libraries throws(LibraryError) -> WatchFolder in
                let folders = libraries[identifier]?.folders ?? []
                guard let index = folders.firstIndex(where: { paths.contains($0.path) }) else {
                    throw LibraryError(
                        .invalidRequest,
                        "\(path) is not a watch folder of this library.",
                        recovery: "“photos watch-folder list” shows the watch folders.",
                        path: path.description
                    )
                }
                return libraries[identifier]?.folders.remove(at: index) ?? folders[index]
            }
            list.removeLedger(of: removed.identifier)
        }
    }

    // MARK: - Checks

    private var libraryPath: String {
        SourcePath(library.path(percentEncoded: false)).absolute().description
    }

    private func libraryIdentifier() throws -> String {
        try LibraryReport.libraryIdentifier(of: library)
    }

    private static func realPath(of path: SourcePath) throws(LibraryError) -> String {
        guard let resolved = path.withCString({ realpath($0, nil) }) else {
            throw SystemError.last("realpath", path: path.description)
                .libraryError("\(path) cannot be watched.")
        }
        defer { free(resolved) }
        guard let text = String(validatingCString: resolved) else {
            throw LibraryError(
                .invalidRequest,
                "\(path) cannot be watched.",
                reason: "Its path is not valid UTF-8.",
                recovery: "Rename the folder."
            )
        }
        return text
    }

    private static func check(_ path: SourcePath, _ real: String) throws(LibraryError) {
        var status = stat()
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw refusal(path, "It is not a folder.", "Name a folder.")
        }
        let number = open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            throw SystemError.last("open", path: real).libraryError("\(path) cannot be watched.")
        }
        let folder = Descriptor(owning: number)
        let source = SourcePath(real)
        var surroundings = LibrarySurroundings(removesSources: true)
        let reason =
            SourceBundle.reason(against: source.lastComponent.bytes, folder: folder)
            ?? surroundings.reason(against: source)
        if let reason { throw refusal(path, reason, "Name a folder outside of it.") }
    }

    private static func checkOverlap(_ path: String, _ other: String) throws(LibraryError) {
        if path == other {
            throw LibraryError(
                .invalidRequest,
                "\(path) is already a watch folder.",
                reason: "A folder is watched for one library.",
                recovery: "Remove it first to change its album or library."
            )
        }
        let folder = { (path: String) in path.hasSuffix("/") ? path : path + "/" }
        guard path.hasPrefix(folder(other)) || other.hasPrefix(folder(path)) else { return }
        throw LibraryError(
            .invalidRequest,
            "\(path) cannot be watched.",
            reason: "\(other) is a watch folder, and one contains the other.",
            recovery: "Remove the other one first."
        )
    }

    private static func refusal(
        _ path: SourcePath,
        _ reason: String,
        _ recovery: String
    ) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "\(path) cannot be watched.",
            reason: reason,
            recovery: recovery,
            path: path.description
        )
    }
}

extension WatchFolders.Folder {
    fileprivate init(_ folder: WatchFolder, state: String?) {
        path = folder.path
        album = folder.album
        isAlbumDeleted = folder.isAlbumDeleted
        importedCount = folder.imported
        failedCount = folder.failed
        lastImport = folder.lastImport.map { Date(timeIntervalSince1970: $0) }
        self.state =
            state.flatMap(WatchFolders.State.init(rawValue:))
            ?? (access(folder.path, F_OK) == 0 ? .paused : .missing)
    }
}
