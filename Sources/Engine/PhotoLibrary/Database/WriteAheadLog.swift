package import GRDB

/// Limits the size of a database's write-ahead log.
///
/// 1. SQLite checkpoints the log once it has 1,000 pages, and reuses it once no reader needs it. A
///    log longer than the limit, as after a large transaction, is then truncated.
/// 2. The last connection of the last process checkpoints and deletes the log. Only a writable
///    connection can do so, so the writer must be the last connection to close.
package enum WriteAheadLog {
    /// The maximum length of a log that stays on disk between transactions, in bytes.
    package static let sizeLimit: Int64 = 8 << 20

    /// Makes SQLite truncate a writing connection's log to `sizeLimit` when it reuses the log.
    package static func limit(_ database: Database) throws {
        try database.execute(sql: "PRAGMA journal_size_limit = \(sizeLimit)")
    }

    /// Checkpoints and truncates a log that is longer than `sizeLimit`, unless a reader needs it.
    ///
    /// Neither waits for readers nor fails; a later writer tries again. Also frees the memory that
    /// the large transaction used.
    ///
    /// - Parameters:
    ///   - path: The log's path, used only to determine its length.
    ///   - database: The writing connection, outside of a transaction.
    ///   - patience: The connection's usual busy timeout, in seconds.
    static func truncateIfLong(at path: String, _ database: Database, patience: Double) {
        guard FileSystem.length(of: path) > sizeLimit else { return }
        try? database.execute(sql: "PRAGMA busy_timeout = 0")
        _ = try? database.checkpoint(.truncate)
        database.releaseMemory()
        try? database.execute(sql: "PRAGMA busy_timeout = \(Int(patience * 1000))")
    }
}
