internal import GRDB
internal import Glibc
internal import PhotoModel

/// The destination folder of a backup, which is checked before anything is written.
struct BackupDestination {
    /// The previous content of the folder.
    enum Content {
        /// Nothing: the folder is missing, empty, or contains only an empty file `backup`.
        case nothing
        /// A backup that was interrupted before it was complete.
        case incomplete
        /// A complete backup, or another copy of the library.
        case library
    }

    let bundle: LibraryBundle
    let content: Content

    /// Creates a destination for a folder, after checking the folder's path and determining its
    /// previous content.
    ///
    /// - Parameters:
    ///   - bundle: The folder.
    ///   - library: The folder of the library that is copied.
    ///   - uuid: The UUID of that library.
    /// - Throws: `invalidRequest` for a folder inside a library, or one that is something else;
    ///   `newerFormat`, `corrupt`, `noPermission`.
    init(_ bundle: LibraryBundle, library: LibraryBundle, uuid: String) throws(LibraryError) {
        self.bundle = bundle
        try Self.checkPlace(of: bundle, library: library)
        content = try Self.content(of: bundle, uuid: uuid)
    }

    /// Throws an error for a folder that is inside a library, or that contains the library.
    static func checkPlace(
        of bundle: LibraryBundle,
        library: LibraryBundle
    ) throws(LibraryError) {
        let place = realPath(bundle.root)
        let source = realPath(library.root)
        guard place != source, !source.hasPrefix(place + "/") else {
            throw refusal(
                bundle,
                place == source
                    ? "It is the library itself." : "The library is inside of this folder.",
                "Choose a folder of its own, best on another disk."
            )
        }
        var parent = place
        while let slash = parent.lastIndex(of: "/") {
            parent = String(parent[..<slash])
            guard access(parent + "/database/library.sqlite", F_OK) == 0 else { continue }
            throw refusal(
                bundle,
                "It is inside the photo library \(parent).",
                "Choose a folder outside of any library, best on another disk."
            )
        }
    }

    private static func content(of bundle: LibraryBundle, uuid: String) throws(LibraryError)
        -> Content
    {
        switch FileSystem.status(of: bundle.root) {
        case .failure(let error) where error.number == ENOENT:
            try checkNoLink(bundle)
            return .nothing
        case .failure(let error): throw error.libraryError(doing: "access")
        case .success(let status) where !FileSystem.isFolder(status):
            throw refusal(bundle, "It is a file, not a folder.", "Choose another path.")
        case .success: break
        }
        switch FileSystem.entries(of: bundle.root) {
        case .failure(let error): throw error.libraryError(doing: "read")
        case .success(let names)
        where names.isEmpty || BackupRecord.isEmpty(in: bundle, among: names):
            return .nothing
        case .success: break
        }
        if BundleCommit.isComplete(bundle) {
            try LibraryStore.check(bundle)
            return .library
        }
        guard let record = CommittedVersion(at: BackupRecord.path(in: bundle)) else {
            throw refusal(
                bundle,
                "It contains other files.",
                "Name a folder of its own, which is created, such as"
                    + " \(bundle.root)/Photos.photolibrary."
            )
        }
        guard record.libraryUUID == uuid else { throw foreign(bundle, record.libraryUUID, uuid) }
        return .incomplete
    }

    /// Throws an error if a symbolic link to nothing is at the path, where no folder can be made.
    private static func checkNoLink(_ bundle: LibraryBundle) throws(LibraryError) {
        var status = stat()
        guard lstat(bundle.root, &status) == 0 else { return }
        throw refusal(
            bundle,
            "It is a symbolic link to a folder that does not exist.",
            "Mount the disk of that folder, or name another path."
        )
    }

    /// Throws an error unless the former backup is an earlier state of the library.
    ///
    /// - Parameters:
    ///   - former: The former backup's database.
    ///   - store: The library.
    ///   - uuid: The library's UUID.
    /// - Throws: `invalidRequest`, `changeNotSupported`, `newerFormat`, and SQLite's error.
    func checkHistory(_ former: SnapshotDatabase, of store: LibraryStore, uuid: String) throws {
        let (present, last) = try former.queue.read { database in
            _ = try LibraryStore.isCurrent(database, bundle)
            return (try CommittedVersion(in: database), try HistoryPoint(last: database))
        }
        guard present.libraryUUID == uuid else {
            throw Self.foreign(bundle, present.libraryUUID, uuid)
        }
        guard let last else { return }
        guard try store.read({ try last.isPast(in: $0) }) else {
            let version = try store.currentVersion()
            throw LibraryError(
                .changeNotSupported,
                "The backup \(bundle.root) has changes that the library does not have.",
                reason: "It has version \(last.version), and the library has version \(version).",
                recovery: "Restore it with photos restore-backup, or choose another folder."
                    + " Nothing was changed.",
                path: bundle.root
            )
        }
    }

    // MARK: - Refusals

    /// Throws an error if the folder contains nothing, although a library or a complete backup is
    /// recorded at its path.
    ///
    /// A backup would otherwise be made on the system's volume, in place of one on a volume that is
    /// not mounted.
    ///
    /// - Throws: `volumeMissing`.
    func checkIsUnknown() throws(LibraryError) {
        guard case .nothing = content, KnownLibraries.remembers(bundle.root) else { return }
        throw LibraryError(
            .volumeMissing,
            "A backup or library at \(bundle.root) existed before, but is missing now.",
            reason: "Its volume is probably not mounted.",
            recovery: "Mount the volume. If you moved or deleted the folder, make a new backup"
                + " there with photos backup --new. Nothing was changed.",
            path: bundle.root
        )
    }

    private static func refusal(
        _ bundle: LibraryBundle,
        _ reason: String,
        _ recovery: String
    ) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "A backup cannot be written to \(bundle.root).",
            reason: reason,
            recovery: recovery,
            path: bundle.root
        )
    }

    private static func foreign(
        _ bundle: LibraryBundle,
        _ found: String,
        _ uuid: String
    ) -> LibraryError {
        refusal(
            bundle,
            "It belongs to another library, \(found); this one is \(uuid).",
            "Choose another folder."
        )
    }

    /// Resolves the symbolic links in the existing leading part of a path, and appends the rest of
    /// the path unchanged.
    static func realPath(_ path: String) -> String {
        var existing = path
        var rest = ""
        while true {
            if let resolved = realpath(existing, nil) {
                defer { free(resolved) }
                let known = String(cString: resolved)
                return known == "/" ? (rest.isEmpty ? "/" : rest) : known + rest
            }
            guard let slash = existing.lastIndex(of: "/"), slash != existing.startIndex else {
                return existing + rest
            }
            rest = String(existing[slash...]) + rest
            existing = String(existing[..<slash])
        }
    }
}

/// The last change of a library, by which two copies of the library are compared.
struct HistoryPoint: Hashable {
    let version: Int64
    let time: Double
    let author: String

    /// Reads the last change; nil for a library without changes.
    init?(last database: Database) throws {
        let sql = "SELECT version, time, author FROM journalVersion ORDER BY version DESC LIMIT 1"
        guard let row = try Row.fetchOne(database, sql: sql) else { return nil }
        (version, time, author) = (row[0], row[1], row[2])
    }

    /// Returns whether the change is part of another copy's history.
    ///
    /// A change that was pruned from that history counts as part of it.
    func isPast(in database: Database) throws -> Bool {
        let sql = "SELECT time, author FROM journalVersion WHERE version = ?"
        if let row = try Row.fetchOne(database, sql: sql, arguments: [version]) {
            return row[0] == time && row[1] == author
        }
        guard version <= (try JournalWriter.currentVersion(database)) else { return false }
        return version <= (try LibrarySetting.historyStart.number(in: database) ?? 0)
    }
}
