/// Migration 8: the record of items that were imported from other photo libraries.
extension Schema {
    static let version8 = """
        CREATE TABLE migrationSource (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            identifier TEXT,
            firstDate REAL NOT NULL
        ) STRICT;
        -- Bookkeeping of this library, neither journaled nor synced: the items of other libraries that
        -- were imported.
        CREATE TABLE migratedItem (
            kind TEXT NOT NULL,
            item TEXT NOT NULL,
            sourceId INTEGER NOT NULL REFERENCES migrationSource(id),
            objectKind INTEGER NOT NULL,
            objectUUID TEXT NOT NULL,
            fingerprint BLOB,
            sourceModificationDate REAL,
            importedDate REAL NOT NULL,
            isComplete INTEGER NOT NULL,
            facts TEXT NOT NULL,
            PRIMARY KEY (kind, item)
        ) STRICT, WITHOUT ROWID;
        """
}
