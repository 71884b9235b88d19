internal import GRDB

/// The settings of a library, stored in the table `setting`.
enum LibrarySetting: String {
    /// The UUID of the library.
    case uuid = "libraryUUID"
    /// The oldest version after which the journal contains all changes; 0 if missing.
    case historyStart
    /// The number of days that changes stay in the journal; `LibraryStore.defaultHistoryDays` if
    /// missing.
    case historyDays
    /// The id of the last journal entry that pruning has processed.
    case prunedEntry
    /// The version of the rule that grouped the moments; see `MomentRule.version`.
    case momentRule
    /// The UUID of the cloud library that this library has joined; missing if it has joined none.
    case cloudLibrary
    /// The identifier under which this device publishes changes, as 32 hexadecimal digits.
    case cloudDevice
    /// The identifiers under which this device published before, the oldest first, separated by
    /// spaces; missing for none.
    case cloudFormerDevices
    /// The UUIDs of the cloud libraries that this library left, separated by spaces; missing for
    /// none.
    case cloudFormerLibraries
    /// The last version whose changes the cloud library has received.
    case cloudExported
    /// The progress of an unfinished full export: the version at its start, and the UUID of the
    /// last exported object; missing if there is none.
    case cloudExporting
    /// The last version in which all contents of a folder got new order keys, because the old keys
    /// left no room; missing if there is none.
    case cloudRekeyed
    /// The last version in which all members of an album got new order keys, because the old keys
    /// left no room; missing if there is none.
    case cloudRekeyedMembers
    /// The number of bytes to keep free by removing originals, or `default`; missing if optimized
    /// storage is off.
    case cloudKeepFree
    /// The UUIDs of the albums whose originals are always stored locally, separated by spaces.
    case cloudKeptAlbums

    func value(in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"),
            arguments: [rawValue]
        )
    }

    func number(in database: Database) throws -> Int64? {
        try value(in: database).flatMap(Int64.init)
    }

    /// Reads a list of names, which contain no spaces; empty if missing.
    func names(in database: Database) throws -> [String] {
        (try value(in: database) ?? "").split(separator: " ").map(String.init)
    }

    func remove(in database: Database) throws {
        try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [rawValue])
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

    /// Writes a list of names, which contain no spaces; an empty list removes the setting.
    func set(_ names: [String], in database: Database) throws {
        if names.isEmpty {
            try remove(in: database)
        } else {
            try set(names.joined(separator: " "), in: database)
        }
    }
}
