internal import GRDB

/// Selects where a writing connection keeps SQLite's statement journals: in memory or in files.
///
/// A statement journal contains the earlier contents of the pages that a statement changes, which
/// SQLite restores if the statement fails. SQLite keeps 64 KiB of them in memory and writes the
/// rest to a temporary file. One asset that is moved to Recently Deleted changes 20 to 25 pages, so
/// each one wrote such a file: of the 2.2 million `pwrite` calls of a deletion of 36,000 among
/// 1,000,000, 1.9 million went there, half of the command's processor time.
enum StatementJournal {
    /// Keeps the journals in memory, for transactions whose statements change a few rows each.
    static func keepInMemory(_ database: Database) throws {
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
    }

    /// Runs `body` with statement journals in files, for statements that may change all rows of a
    /// large library.
    static func inFiles<Result>(
        _ writer: DatabaseQueue,
        _ body: () throws -> Result
    ) throws -> Result {
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = DEFAULT") }
        let result = try body()
        try writer.writeWithoutTransaction(keepInMemory)
        return result
    }
}
