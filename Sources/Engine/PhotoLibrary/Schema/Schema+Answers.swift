/// Migration 9: the replies to recent change requests, so that a request repeated after a lost
/// connection is not executed twice.
extension Schema {
    static let answersMigration = """
        -- Bookkeeping of this library, neither journaled nor synced: the replies to changes of the last
        -- day, by the identifiers of their requests, so that a request that is sent again after a lost
        -- connection is answered and not made twice.
        CREATE TABLE answered (
            request BLOB PRIMARY KEY CHECK (length(request) = 16),
            program TEXT NOT NULL,
            version INTEGER NOT NULL,
            -- JSON
            reply BLOB NOT NULL,
            time REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
