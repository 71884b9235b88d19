internal import GRDB

extension LibraryStore {
    /// Returns whether the library has local changes that the cloud library has not received.
    package func hasUnexportedChanges() throws -> Bool {
        try read(Self.hasUnexportedChanges)
    }

    static func hasUnexportedChanges(_ database: Database) throws -> Bool {
        let mark = try LibrarySetting.cloudExported.number(in: database) ?? 0
        return try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM journalVersion WHERE version > ? AND origin IS NULL)
                """,
            arguments: [mark]
        ) ?? true
    }
}
