internal import Foundation
internal import GRDB

/// The tables of `library.sqlite`, as SQL.
///
/// A migration that was released never changes. Dates are seconds since 2001-01-01 00:00 UTC, as
/// Foundation's `Date` counts them, so that equal dates compare equal.
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
        return migrator
    }

    private static let version1 = """
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

    private static let version2 = """
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

    private static let version3 = """
        -- Whether one of its originals is a RAW. It follows from the resources and is kept by the
        -- triggers below, so it is not journalled.
        ALTER TABLE asset ADD COLUMN hasRAW INTEGER NOT NULL DEFAULT 0;
        UPDATE asset SET hasRAW = 1 WHERE id IN (
            SELECT assetId FROM resource
            WHERE type IN (1, 4) AND contentType LIKE '%raw-image');
        CREATE INDEX resource_raw ON resource(assetId)
            WHERE type IN (1, 4) AND contentType LIKE '%raw-image';
        CREATE TRIGGER resource_inserted AFTER INSERT ON resource
        WHEN new.type IN (1, 4) AND new.contentType LIKE '%raw-image'
        BEGIN
            UPDATE asset SET hasRAW = 1 WHERE id = new.assetId;
        END;
        CREATE TRIGGER resource_updated AFTER UPDATE OF assetId, type, contentType ON resource
        WHEN new.contentType LIKE '%raw-image' OR old.contentType LIKE '%raw-image'
        BEGIN
            UPDATE asset SET hasRAW = EXISTS (
                SELECT 1 FROM resource WHERE assetId = asset.id
                    AND type IN (1, 4) AND contentType LIKE '%raw-image')
            WHERE id IN (new.assetId, old.assetId);
        END;
        CREATE TRIGGER resource_deleted AFTER DELETE ON resource
        WHEN old.type IN (1, 4) AND old.contentType LIKE '%raw-image'
        BEGIN
            UPDATE asset SET hasRAW = EXISTS (
                SELECT 1 FROM resource WHERE assetId = asset.id
                    AND type IN (1, 4) AND contentType LIKE '%raw-image')
            WHERE id = old.assetId;
        END;

        -- How many assets there are of each sort. The counts of all smart albums are sums of a few
        -- of these rows, however many assets there are.
        CREATE TABLE assetFacet (
            isTrashed INTEGER NOT NULL,
            isHidden INTEGER NOT NULL,
            isBurstHidden INTEGER NOT NULL,
            sourceType INTEGER NOT NULL,
            mediaType INTEGER NOT NULL,
            mediaSubtypes INTEGER NOT NULL,
            -- 1 favorite, 2 in a burst, 4 of the front camera, 8 long exposure, 16 RAW
            traits INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes,
                traits)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO assetFacet
            SELECT \(facet("asset")), count(*) FROM asset GROUP BY 1, 2, 3, 4, 5, 6, 7;

        -- How many visible assets were added on each day since 2001-01-01 UTC.
        CREATE TABLE addedDay (
            day INTEGER PRIMARY KEY,
            count INTEGER NOT NULL
        ) STRICT;
        INSERT INTO addedDay
            SELECT \(day("asset")), count(*) FROM asset WHERE isVisible = 1 GROUP BY 1;

        CREATE TRIGGER asset_inserted AFTER INSERT ON asset BEGIN
            \(facetUp)
            \(dayUp)
        END;
        CREATE TRIGGER asset_deleted AFTER DELETE ON asset BEGIN
            DELETE FROM frameQuality WHERE assetId = old.id;
            \(facetDown)
            \(dayDown)
        END;
        CREATE TRIGGER asset_facetChanged AFTER UPDATE OF trashedDate, isHidden, isBurstHidden,
            sourceType, mediaType, mediaSubtypes, isFavorite, burstIdentifier, lensModel,
            exposureTime, hasRAW ON asset
        WHEN (\(facet("new"))) IS NOT (\(facet("old")))
        BEGIN
            \(facetDown)
            \(facetUp)
        END;
        CREATE TRIGGER asset_dayChanged AFTER UPDATE OF isVisible, addedDate ON asset
        WHEN (new.isVisible, \(day("new"))) IS NOT (old.isVisible, \(day("old")))
        BEGIN
            \(dayDown)
            \(dayUp)
        END;

        -- How good a burst's frame looks, from its first rendition. It can be made again, so it is
        -- not journalled.
        CREATE TABLE frameQuality (
            assetId INTEGER PRIMARY KEY,
            score REAL NOT NULL
        ) STRICT;

        -- The version that last changed what a smart album shows; none for one that never did.
        CREATE TABLE smartAlbum (
            subtype INTEGER PRIMARY KEY,
            version INTEGER NOT NULL
        ) STRICT;

        -- One index for the members of each smart album, as large as the album. It holds all that
        -- the album's condition and order name, so that no row is looked at.
        CREATE INDEX asset_subtypePanorama ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 1;
        CREATE INDEX asset_subtypeScreenshot ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 4;
        CREATE INDEX asset_subtypeLive ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 8;
        CREATE INDEX asset_subtypeDepth ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 16;
        CREATE INDEX asset_subtypeAnimation ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 64;
        CREATE INDEX asset_subtypeSpatial ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 1024;
        CREATE INDEX asset_subtypeHighFrameRate ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 131072;
        CREATE INDEX asset_subtypeTimelapse ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 262144;
        CREATE INDEX asset_subtypeScreenRecording ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 524288;
        CREATE INDEX asset_subtypeCinematic ON asset(isVisible, creationDate, id,
                mediaSubtypes) WHERE mediaSubtypes & 2097152;
        CREATE INDEX asset_burst ON asset(isVisible, creationDate, id, burstIdentifier)
            WHERE length(burstIdentifier) > 0;
        CREATE INDEX asset_frontCamera ON asset(isVisible, creationDate, id, lensModel)
            WHERE lensModel LIKE '%front%';
        CREATE INDEX asset_longExposure ON asset(isVisible, creationDate, id, exposureTime)
            WHERE exposureTime >= 1;
        CREATE INDEX asset_raw ON asset(hasRAW, isVisible, creationDate) WHERE hasRAW = 1;
        CREATE INDEX asset_hidden ON asset(isHidden, trashedDate, isBurstHidden, sourceType,
            creationDate) WHERE isHidden = 1;
        CREATE INDEX asset_addedDay ON asset(isVisible, CAST(addedDate / 86400 AS INTEGER),
            creationDate);
        """

    /// What a row of `assetFacet` is about, for a row of `asset`.
    private static func facet(_ row: String) -> String {
        """
        \(row).trashedDate IS NOT NULL, \(row).isHidden, \(row).isBurstHidden,
            \(row).sourceType, \(row).mediaType, \(row).mediaSubtypes,
            (\(row).isFavorite <> 0) | (coalesce(length(\(row).burstIdentifier) > 0, 0) << 1)
                | (coalesce(\(row).lensModel LIKE '%front%', 0) << 2)
                | (coalesce(\(row).exposureTime >= 1, 0) << 3)
                | ((\(row).hasRAW <> 0) << 4)
        """
    }

    private static func day(_ row: String) -> String { "CAST(\(row).addedDate / 86400 AS INTEGER)" }

    private static let facetUp = """
        INSERT INTO assetFacet VALUES (\(facet("new")), 1)
                ON CONFLICT DO UPDATE SET count = count + 1;
        """

    private static let facetDown = """
        UPDATE assetFacet SET count = count - 1
            WHERE (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes, traits)
                = (\(facet("old")));
        """

    private static let dayUp = """
        INSERT INTO addedDay SELECT \(day("new")), 1 WHERE new.isVisible = 1
                ON CONFLICT DO UPDATE SET count = count + 1;
        """

    private static let dayDown = """
        UPDATE addedDay SET count = count - 1
            WHERE old.isVisible = 1 AND day = \(day("old"));
        """

    // MARK: - Checking

    private static let hasRAW = """
        EXISTS (SELECT 1 FROM resource WHERE assetId = asset.id
            AND type IN (1, 4) AND contentType LIKE '%raw-image')
        """

    private static let facets = """
        SELECT \(facet("asset")), count(*) FROM asset GROUP BY 1, 2, 3, 4, 5, 6, 7
        """

    private static let days = """
        SELECT \(day("asset")), count(*) FROM asset WHERE isVisible = 1 GROUP BY 1
        """

    /// Whether what follows from assets and resources is not what they say: one pass over the assets.
    static let hasWrongCounts = """
        SELECT EXISTS (SELECT 1 FROM asset WHERE hasRAW <> \(hasRAW))
            OR EXISTS (SELECT * FROM (\(facets))
                EXCEPT SELECT * FROM assetFacet WHERE count <> 0)
            OR EXISTS (SELECT * FROM assetFacet WHERE count <> 0
                EXCEPT SELECT * FROM (\(facets)))
            OR EXISTS (SELECT * FROM (\(days)) EXCEPT SELECT * FROM addedDay WHERE count <> 0)
            OR EXISTS (SELECT * FROM addedDay WHERE count <> 0 EXCEPT SELECT * FROM (\(days)))
        """

    /// Makes it so.
    static let countAnew = """
        UPDATE asset SET hasRAW = \(hasRAW) WHERE hasRAW <> \(hasRAW);
        DELETE FROM assetFacet;
        INSERT INTO assetFacet \(facets);
        DELETE FROM addedDay;
        INSERT INTO addedDay \(days);
        """
}
