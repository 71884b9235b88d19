package import GRDB

/// Keeps the write-ahead log of a database small.
///
/// 1. SQLite writes the log into the database once it has 1,000 pages, and reuses it once no reader
///    needs it. A log that is longer than the limit, as after a large transaction, is truncated then.
/// 2. The last connection of the last process writes the log into the database and removes it. Only a
///    connection that can write does so, so the writer has to be the last one to close.
package enum WriteAheadLog {
    /// The length of a log that stays on disk between transactions, in bytes.
    package static let sizeLimit: Int64 = 8 << 20

    /// Has SQLite truncate the log of a connection that writes, whenever it reuses it.
    package static func limit(_ database: Database) throws {
        try database.execute(sql: "PRAGMA journal_size_limit = \(sizeLimit)")
    }

    /// Writes a log beyond the limit into the database and truncates it, unless a reader needs it.
    ///
    /// Does not wait for readers, and does not fail: a later writer makes up for it. Frees the memory
    /// that the large transaction took.
    ///
    /// - Parameters:
    ///   - path: The log's path, which is only looked at.
    ///   - database: The connection that writes, outside of a transaction.
    ///   - patience: How long the connection otherwise waits for others, in seconds.
    static func truncateIfLong(at path: String, _ database: Database, patience: Double) {
        guard FileSystem.length(of: path) > sizeLimit else { return }
        try? database.execute(sql: "PRAGMA busy_timeout = 0")
        _ = try? database.checkpoint(.truncate)
        database.releaseMemory()
        try? database.execute(sql: "PRAGMA busy_timeout = \(Int(patience * 1000))")
    }
}

extension DatabasePool {
    /// Closes all connections, the writer last, so that the log does not stay on disk.
    ///
    /// Waits for the calls that are under way.
    package func closeWriterLast() throws {
        // GRDB closes the writer first, after which no connection is left that could write the log
        // into the database.
        invalidateReadOnlyConnections()
        try close()
    }
}
