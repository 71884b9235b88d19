internal import GRDB

extension LibraryStore {
    /// Returns whether something was changed here that the cloud library has not received.
    package func hasUnexportedChanges() throws -> Bool {
        try read { database in
            let mark = try LibrarySetting.cloudExported.number(in: database) ?? 0
            return try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM journalVersion WHERE version > ? AND origin IS NULL)
                    """,
                arguments: [mark]
            ) ?? false
        }
    }
}
