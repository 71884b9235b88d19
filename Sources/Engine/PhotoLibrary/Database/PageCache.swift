internal import GRDB
internal import GRDBSQLite

/// Limits the size of a connection's page cache between transactions.
enum PageCache {
    /// The maximum size in bytes of a connection's page cache between transactions.
    static let restingLimit = 16 << 20

    /// Frees a connection's page cache if it is larger than `restingLimit`.
    ///
    /// Without this, the cache of an import grows to the maximum that a single large transaction
    /// may use. The next transaction reads its pages again, mostly from the system's own cache.
    ///
    /// - Parameter database: The connection, outside of a transaction.
    static func releaseIfLarge(_ database: Database) {
        if size(of: database) > restingLimit { database.releaseMemory() }
    }

    /// Returns the size of a connection's cached pages, in bytes.
    static func size(of database: Database) -> Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        let status = sqlite3_db_status(
            database.sqliteConnection,
            SQLITE_DBSTATUS_CACHE_USED,
            &current,
            &highest,
            0
        )
        return status == SQLITE_OK ? Int(current) : 0
    }
}
