internal import Dispatch
package import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Synchronization

/// The connections to a database of a library: readers, opened on demand, and one writer, opened by
/// the first change.
///
/// 1. Opening a library for reading writes nothing. GRDB's own pool commits a transaction when it
///    finds the log empty, since snapshots of observations need a log with content, which this
///    library does not use. That transaction and its checkpoint were three `fdatasync` calls, 34 of
///    the 60 ms of `photos list --limit 1`.
/// 2. The last connection to close can write, so that the log does not stay on disk.
///
/// Thread-safe. Calls block their thread; `close` waits for calls in progress.
package final class ConnectionPool: Sendable {
    /// The maximum number of concurrent read transactions.
    private static let maximumReaders = 8

    private struct State {
        var writer: DatabaseQueue?
        var isClosed = false
    }

    package let path: String
    private let configuration: Configuration
    private let prepareWriter: @Sendable (Database) throws -> Void
    private let readers: StatementReaders
    private let readerSlots = DispatchSemaphore(value: maximumReaders)
    private let calls = DispatchGroup()
    private let state = Mutex(State())

    /// Creates a pool for the database at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - configuration: The configuration of all connections; readers are read-only.
    ///   - reader: A read-only connection to begin with; nil for none.
    ///   - prepareWriter: Runs on the writer after it was opened.
    package init(
        path: String,
        configuration: Configuration,
        reader: DatabaseQueue? = nil,
        prepareWriter: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.path = path
        self.configuration = configuration
        self.prepareWriter = prepareWriter
        readers = StatementReaders(path: path, configuration: configuration, first: reader)
    }

    deinit { try? close() }

    // MARK: - Reading

    /// Runs `body` in a read transaction.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        calls.enter()
        defer { calls.leave() }
        readerSlots.wait()
        defer { readerSlots.signal() }
        return try readers.read { database in
            try database.inOneSnapshot { try body(database) }
        }
    }

    /// Runs `body` without a transaction, so `body` must read with a single statement.
    package func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
        calls.enter()
        defer { calls.leave() }
        return try readers.read(body)
    }

    /// Copies a consistent snapshot of the database into an empty database.
    func backup(to destination: DatabaseQueue) throws {
        calls.enter()
        defer { calls.leave() }
        var configuration = configuration
        configuration.readonly = true
        let source = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? source.close() }
        try source.backup(to: destination)
    }

    // MARK: - Writing

    /// Runs `body` on the writer, outside of a transaction, once earlier calls have finished.
    package func writeWithoutTransaction<Result>(
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try withWriter { try $0.writeWithoutTransaction(body) }
    }

    /// Runs `body` on the writer, in a transaction.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try withWriter { try $0.write(body) }
    }

    /// Runs `body` with the writer connection, which the first call opens.
    func withWriter<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
        calls.enter()
        defer { calls.leave() }
        return try body(writer())
    }

    private func writer() throws -> DatabaseQueue {
        try state.withLock { state in
            if state.isClosed {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
            }
            if let writer = state.writer { return writer }
            let writer = try DatabaseQueue(path: path, configuration: configuration)
            try writer.writeWithoutTransaction { database in
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw DatabaseError(message: "\(path) cannot have a write-ahead log.")
                }
                try prepareWriter(database)
            }
            state.writer = writer
            return writer
        }
    }

    // MARK: - Memory

    /// Frees the memory of idle connections, then waits for earlier calls on the writer to finish
    /// and frees the writer's memory.
    package func releaseMemory() {
        calls.enter()
        defer { calls.leave() }
        readers.releaseMemory()
        guard let writer = state.withLock(\.writer) else { return }
        writer.inDatabase { $0.releaseMemory() }
    }

    // MARK: - Closing

    /// Closes all connections, and removes the write-ahead log unless another connection has the
    /// database open.
    ///
    /// Later calls fail.
    package func close() throws {
        let (writer, wasClosed) = state.withLock { state in
            defer { (state.writer, state.isClosed) = (nil, true) }
            return (state.writer, state.isClosed)
        }
        if wasClosed { return }
        calls.wait()
        readers.close()
        if let writer {
            try writer.close()
        } else if access(path + "-wal", F_OK) == 0 {
            removeLog()
        }
    }

    /// Removes the write-ahead log that SQLite leaves behind if only readers were open.
    ///
    /// SQLite removes it when the last connection closes, if that connection can write. This
    /// method's connection begins a transaction, since it would not open the log otherwise, and
    /// reads no schema.
    private func removeLog() {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            return
        }
        _ = sqlite3_exec(connection, "BEGIN IMMEDIATE; ROLLBACK", nil, nil, nil)
    }
}

extension Database {
    /// Runs `body` in a deferred transaction, so that all its statements read one snapshot.
    fileprivate func inOneSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try beginTransaction(.deferred)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            try? rollback()
            throw error
        }
    }
}
