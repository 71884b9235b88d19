internal import GRDB
internal import Glibc
internal import PhotoModel

/// A copy of a library's database, opened exclusively while it is written and read.
///
/// 1. The connection is exclusive, so it needs no shared memory, and works on file systems that do
///    not support the write-ahead log.
/// 2. The copy is checked before it may replace another one: a backup of a damaged database does
///    not replace a good one.
/// 3. After `close`, the file is complete, synced and has no log.
struct SnapshotDatabase {
    let path: String
    let queue: DatabaseQueue

    /// Opens a database exclusively.
    ///
    /// - Throws: SQLite's error; `SQLITE_BUSY` if another process has it open.
    init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.label = "photos.backup"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA cache_size = -16000")
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Copies another database to a path, and replaces a database that exists at that path.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - copying: Copies the database into the given one.
    /// - Returns: The copy, open.
    /// - Throws: SQLite's error, and `corrupt` if the copied database is damaged.
    static func make(at path: String, copying: (DatabaseQueue) throws -> Void) throws
        -> SnapshotDatabase
    {
        remove(path)
        DatabaseFile.make(at: path)
        let copy = try SnapshotDatabase(path: path)
        do {
            // Synced as a whole when it is closed; until then it is only a draft.
            try copy.queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = OFF")
            }
            try copying(copy.queue)
            try copy.check()
        } catch {
            try? copy.queue.close()
            remove(path)
            throw error
        }
        return copy
    }

    /// Throws an error if SQLite finds the database damaged.
    private func check() throws {
        let result = try queue.read { database in
            try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        }
        guard result != "ok" else { return }
        throw LibraryError(
            .corrupt,
            "The library's database is damaged.",
            reason: "SQLite reported: \(result ?? "nothing").",
            recovery: "Run photos verify. Nothing was replaced; an earlier backup is still whole.",
            path: path
        )
    }

    /// Closes the database, and makes it durable.
    func close() throws {
        try queue.close()
        let files = FileOperations()
        let file = try files.open(path, O_RDONLY)
        try files.syncFile(file, path: path)
        guard FileSystem.length(of: path + "-wal") == 0 else {
            throw LibraryError(
                .busy,
                "The database \(path) is in use by another program.",
                recovery: "Quit that program and try again."
            )
        }
        unlink(path + "-wal")
        unlink(path + "-shm")
    }

    /// Removes a database with its rollback journal, write-ahead log and shared memory.
    static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }
}
