internal import GRDB
internal import PhotoModel

/// What the next undo takes back: the last version, or the last import, that was not taken back yet.
///
/// Undoing is not undone, and neither is what the library did by itself.
struct UndoTarget {
    /// Ascending; several when one import made them.
    let versions: [Int64]

    /// The last of them, by which the journal knows what was undone.
    let last: Int64

    /// Finds it; nil when there is nothing, or nothing that the journal still has.
    init?(in database: Database) throws {
        let start = try HistorySummary.start(database)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT version, author, batch, undoes FROM journalVersion WHERE version > ?
                ORDER BY version DESC
                """,
            arguments: [start]
        )
        // An undoing comes after what it takes back, so it is met first.
        var undone: Set<Int64> = []
        var undoneBatches: Set<String> = []
        while let row = try rows.next() {
            let (version, author): (Int64, String) = (row[0], row[1])
            let (batch, undoes): (String?, Int64?) = (row[2], row[3])
            if let undoes {
                undone.insert(undoes)
                continue
            }
            if undone.contains(version) {
                if let batch { undoneBatches.insert(batch) }
                continue
            }
            if let batch, undoneBatches.contains(batch) { continue }
            if author == Maintenance.author { continue }
            last = version
            versions =
                try batch.map { try Self.versions(of: $0, through: version, database) }?
                .filter { $0 > start } ?? [version]
            return
        }
        return nil
    }

    /// The versions of a batch that were not undone when it went on after an undo.
    private static func versions(
        of batch: String,
        through last: Int64,
        _ database: Database
    ) throws -> [Int64] {
        let undone =
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT max(undoes) FROM journalVersion
                    WHERE undoes IN (SELECT version FROM journalVersion WHERE batch = ?)
                    """,
                arguments: [batch]
            ) ?? 0
        return try Int64.fetchAll(
            database,
            sql: """
                SELECT version FROM journalVersion WHERE batch = ? AND version > ? AND version <= ?
                ORDER BY version
                """,
            arguments: [batch, undone, last]
        )
    }
}
