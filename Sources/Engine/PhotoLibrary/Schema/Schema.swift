internal import Foundation
internal import GRDB

/// The tables of `library.sqlite`, as SQL.
///
/// A released migration never changes: its text is literal and shares nothing with the expressions
/// of current checks. Dates are seconds since 2001-01-01 00:00 UTC, as in Foundation's `Date`, so
/// that equal dates compare equal.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: assets, resources, journal") { db in
            try db.execute(sql: version1)
        }
        migrator.registerMigration("2: albums, folders, history") { db in
            try db.execute(sql: version2)
            try db.execute(
                sql: "INSERT INTO setting (name, value) VALUES ('libraryUUID', ?)",
                arguments: [UUID().uuidString]
            )
        }
        migrator.registerMigration("3: smart albums, bursts") { db in
            try db.execute(sql: version3)
        }
        migrator.registerMigration("4: moments") { db in
            try db.execute(sql: version4)
        }
        migrator.registerMigration("5: edits") { db in
            try db.execute(sql: version5)
        }
        migrator.registerMigration("6: search") { db in
            try db.execute(sql: version6)
        }
        migrator.registerMigration("7: readers") { db in
            try db.execute(sql: version7)
        }
        migrator.registerMigration("8: migrated items") { db in
            try db.execute(sql: version8)
        }
        migrator.registerMigration("9: answers") { db in
            try db.execute(sql: answersMigration)
        }
        // It adds columns without references, so it does without the default check of foreign keys,
        // which would read the whole database.
        migrator.registerMigration("10: travelling journal", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: version10)
        }
        return migrator
    }

    /// Returns the number of the newest migration applied to a database; 0 for none.
    static func version(of database: Database) throws -> Int {
        try migrator.appliedIdentifiers(database)
            .compactMap { Int($0.prefix { $0 != ":" }) }.max() ?? 0
    }

    static let version1 = """
        CREATE TABLE asset (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL UNIQUE,
            mediaType INTEGER NOT NULL,
            mediaSubtypes INTEGER NOT NULL,
            playbackStyle INTEGER NOT NULL,
            sourceType INTEGER NOT NULL,
            pixelWidth INTEGER NOT NULL,
            pixelHeight INTEGER NOT NULL,
            duration REAL NOT NULL,
            frameRate REAL,
            creationDate REAL,
            captureWallTime TEXT,
            captureOffset INTEGER,
            captureWallTimeSource TEXT,
            captureInstantSource TEXT,
            modificationDate REAL NOT NULL,
            addedDate REAL NOT NULL,
            latitude REAL,
            longitude REAL,
            altitude REAL,
            isFavorite INTEGER NOT NULL,
            isHidden INTEGER NOT NULL,
            trashedDate REAL,
            burstIdentifier TEXT,
            burstSelectionTypes INTEGER NOT NULL,
            representsBurst INTEGER NOT NULL,
            isBurstHidden INTEGER NOT NULL,
            contentIdentifier TEXT,
            hasAdjustments INTEGER NOT NULL,
            adjustmentFormatIdentifier TEXT,
            adjustmentTimestamp REAL,
            originalFilename TEXT NOT NULL,
            contentType TEXT NOT NULL,
            title TEXT,
            caption TEXT,
            keywords TEXT NOT NULL,
            rating INTEGER NOT NULL,
            cameraMake TEXT,
            cameraModel TEXT,
            lensModel TEXT,
            software TEXT,
            aperture REAL,
            exposureTime REAL,
            isoSpeed INTEGER,
            focalLength REAL,
            focalLengthIn35mmFilm REAL,
            contentVersion INTEGER NOT NULL,
            -- Whether it shows in a fetch that asks for nothing special. A column, since an index
            -- that leads with it answers such a fetch without looking at the rows; no generated
            -- one, since for those SQLite looks at the rows all the same.
            isVisible INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX asset_creationDate ON asset(isVisible, creationDate);
        CREATE INDEX asset_mediaType ON asset(isVisible, mediaType, creationDate);
        CREATE INDEX asset_modificationDate ON asset(isVisible, modificationDate);
        CREATE INDEX asset_addedDate ON asset(isVisible, addedDate);
        CREATE INDEX asset_favorite ON asset(isFavorite, isVisible, creationDate)
            WHERE isFavorite = 1;
        CREATE INDEX asset_trashedDate ON asset(trashedDate) WHERE trashedDate IS NOT NULL;
        CREATE INDEX asset_burstIdentifier ON asset(burstIdentifier)
            WHERE burstIdentifier IS NOT NULL;
        CREATE INDEX asset_contentIdentifier ON asset(contentIdentifier)
            WHERE contentIdentifier IS NOT NULL;

        CREATE TABLE resource (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL UNIQUE,
            assetId INTEGER NOT NULL REFERENCES asset(id),
            type INTEGER NOT NULL,
            originalFilename TEXT NOT NULL,
            contentType TEXT NOT NULL,
            path TEXT NOT NULL UNIQUE,
            size INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            pixelWidth INTEGER NOT NULL,
            pixelHeight INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX resource_assetId ON resource(assetId);
        CREATE INDEX resource_sha256 ON resource(sha256);

        -- What was imported from where: lets a second scan answer without reading. Bookkeeping of
        -- this machine, so it is neither journalled nor synced.
        CREATE TABLE importedFile (
            path BLOB PRIMARY KEY,
            size INTEGER NOT NULL,
            modificationTime INTEGER NOT NULL,
            statusChangeTime INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            device INTEGER NOT NULL,
            stemKey BLOB NOT NULL,
            resourceId INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX importedFile_stemKey ON importedFile(stemKey);
        CREATE INDEX importedFile_resourceId ON importedFile(resourceId);

        CREATE TABLE journalVersion (
            version INTEGER PRIMARY KEY,
            time REAL NOT NULL,
            author TEXT NOT NULL
        ) STRICT;
        CREATE TABLE journalEntry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            version INTEGER NOT NULL REFERENCES journalVersion(version),
            kind INTEGER NOT NULL,
            objectId INTEGER NOT NULL,
            uuid TEXT NOT NULL,
            change INTEGER NOT NULL,
            contentChanged INTEGER NOT NULL,
            oldValues TEXT,
            newValues TEXT
        ) STRICT;
        CREATE INDEX journalEntry_version ON journalEntry(version);
        CREATE INDEX journalEntry_object ON journalEntry(kind, objectId, version);
        """

    static let version2 = """
        -- Albums (kind 2) and folders (kind 3). The root folder has no row: parentId is NULL below it.
        CREATE TABLE collection (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL UNIQUE,
            kind INTEGER NOT NULL CHECK (kind IN (2, 3)),
            title TEXT NOT NULL,
            parentId INTEGER REFERENCES collection(id),
            -- The order within the folder. Neighbours are far apart, so that something can come
            -- between them.
            position INTEGER NOT NULL,
            creationDate REAL NOT NULL,
            modificationDate REAL NOT NULL,
            -- Of an album's visible assets; kept up with every change of those.
            assetCount INTEGER NOT NULL,
            startDate REAL,
            endDate REAL
        ) STRICT;
        CREATE INDEX collection_parentId ON collection(parentId, position);
        CREATE INDEX collection_title ON collection(kind, title);

        CREATE TABLE albumAsset (
            albumId INTEGER NOT NULL REFERENCES collection(id),
            assetId INTEGER NOT NULL REFERENCES asset(id),
            -- As in collection.
            position INTEGER NOT NULL,
            PRIMARY KEY (albumId, assetId)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX albumAsset_position ON albumAsset(albumId, position, assetId);
        CREATE INDEX albumAsset_assetId ON albumAsset(assetId);

        ALTER TABLE asset ADD COLUMN originalResourceChoice INTEGER NOT NULL DEFAULT 0;

        -- The members that an entry of an album is about.
        ALTER TABLE journalEntry ADD COLUMN members TEXT;
        -- What belongs together across versions, as the batches of one import do.
        ALTER TABLE journalVersion ADD COLUMN batch TEXT;
        -- The version that this one took back; of a batch its last, and all before it with it.
        ALTER TABLE journalVersion ADD COLUMN undoes INTEGER;
        CREATE INDEX journalVersion_batch ON journalVersion(batch) WHERE batch IS NOT NULL;
        CREATE INDEX journalVersion_undoes ON journalVersion(undoes) WHERE undoes IS NOT NULL;

        -- What was there once and was removed for good.
        CREATE TABLE tombstone (
            kind INTEGER NOT NULL,
            objectId INTEGER NOT NULL,
            uuid TEXT NOT NULL,
            version INTEGER NOT NULL,
            PRIMARY KEY (kind, objectId)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstone_uuid ON tombstone(uuid);

        -- Files whose rows a committed transaction removed, until the files are removed too.
        CREATE TABLE discardedFile (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

        -- libraryUUID: what tells this library from all others.
        -- historyStart: the oldest version after which all changes are in the journal.
        -- historyDays: how long changes stay in the journal.
        -- prunedEntry: the last journal entry that pruning has dealt with.
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """
}
