internal import GRDB

/// What a library knows about itself as a whole, in the table `setting`.
enum LibrarySetting: String {
    /// What tells the library from all others.
    case uuid = "libraryUUID"
    /// The oldest version after which all changes are in the journal; 0 without it.
    case historyStart
    /// How many days changes stay in the journal; `LibraryStore.defaultHistoryDays` without it.
    case historyDays
    /// The last journal entry that pruning has dealt with.
    case prunedEntry
    /// The rule by which moments were made; see `MomentRule.version`.
    case momentRule

    func value(in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"),
            arguments: [rawValue]
        )
    }

    func number(in database: Database) throws -> Int64? {
        try value(in: database).flatMap(Int64.init)
    }

    func set(_ value: String, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO setting (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
            arguments: [rawValue, value]
        )
    }
}
