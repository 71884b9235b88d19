CREATE TRIGGER asset_dayChanged AFTER UPDATE OF isVisible, addedDate ON asset
WHEN (new.isVisible, CAST(new.addedDate / 86400 AS INTEGER)) IS NOT (old.isVisible, CAST(old.addedDate / 86400 AS INTEGER))
BEGIN
    UPDATE addedDay SET count = count - 1
    WHERE old.isVisible = 1 AND day = CAST(old.addedDate / 86400 AS INTEGER);
    INSERT INTO addedDay SELECT CAST(new.addedDate / 86400 AS INTEGER), 1 WHERE new.isVisible = 1
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER asset_deleted AFTER DELETE ON asset BEGIN
    DELETE FROM frameQuality WHERE assetId = old.id;
    UPDATE assetFacet SET count = count - 1
    WHERE (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes, traits)
        = (old.trashedDate IS NOT NULL, old.isHidden, old.isBurstHidden,
    old.sourceType, old.mediaType, old.mediaSubtypes,
    (old.isFavorite <> 0) | (coalesce(length(old.burstIdentifier) > 0, 0) << 1)
        | (coalesce(old.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(old.exposureTime >= 1, 0) << 3)
        | ((old.hasRAW <> 0) << 4));
    UPDATE addedDay SET count = count - 1
    WHERE old.isVisible = 1 AND day = CAST(old.addedDate / 86400 AS INTEGER);
END;

CREATE TRIGGER asset_facetChanged AFTER UPDATE OF trashedDate, isHidden, isBurstHidden,
    sourceType, mediaType, mediaSubtypes, isFavorite, burstIdentifier, lensModel,
    exposureTime, hasRAW ON asset
WHEN (new.trashedDate IS NOT NULL, new.isHidden, new.isBurstHidden,
    new.sourceType, new.mediaType, new.mediaSubtypes,
    (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
        | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(new.exposureTime >= 1, 0) << 3)
        | ((new.hasRAW <> 0) << 4)) IS NOT (old.trashedDate IS NOT NULL, old.isHidden, old.isBurstHidden,
    old.sourceType, old.mediaType, old.mediaSubtypes,
    (old.isFavorite <> 0) | (coalesce(length(old.burstIdentifier) > 0, 0) << 1)
        | (coalesce(old.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(old.exposureTime >= 1, 0) << 3)
        | ((old.hasRAW <> 0) << 4))
BEGIN
    UPDATE assetFacet SET count = count - 1
    WHERE (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes, traits)
        = (old.trashedDate IS NOT NULL, old.isHidden, old.isBurstHidden,
    old.sourceType, old.mediaType, old.mediaSubtypes,
    (old.isFavorite <> 0) | (coalesce(length(old.burstIdentifier) > 0, 0) << 1)
        | (coalesce(old.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(old.exposureTime >= 1, 0) << 3)
        | ((old.hasRAW <> 0) << 4));
    INSERT INTO assetFacet VALUES (new.trashedDate IS NOT NULL, new.isHidden, new.isBurstHidden,
    new.sourceType, new.mediaType, new.mediaSubtypes,
    (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
        | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(new.exposureTime >= 1, 0) << 3)
        | ((new.hasRAW <> 0) << 4), 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER asset_inserted AFTER INSERT ON asset BEGIN
    INSERT INTO assetFacet VALUES (new.trashedDate IS NOT NULL, new.isHidden, new.isBurstHidden,
    new.sourceType, new.mediaType, new.mediaSubtypes,
    (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
        | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(new.exposureTime >= 1, 0) << 3)
        | ((new.hasRAW <> 0) << 4), 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    INSERT INTO addedDay SELECT CAST(new.addedDate / 86400 AS INTEGER), 1 WHERE new.isVisible = 1
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER resource_deleted AFTER DELETE ON resource
WHEN old.type IN (1, 4) AND old.contentType LIKE '%raw-image'
BEGIN
    UPDATE asset SET hasRAW = EXISTS (
        SELECT 1 FROM resource WHERE assetId = asset.id
            AND type IN (1, 4) AND contentType LIKE '%raw-image')
    WHERE id = old.assetId;
END;

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

CREATE TRIGGER timeline_deleted AFTER DELETE ON asset
WHEN old.isVisible = 1 AND old.creationDate IS NOT NULL
BEGIN
    DELETE FROM timeline
    WHERE (time, latitude, longitude) = (CAST(round(1000.0 * coalesce(
            (julianday(old.captureWallTime) - 2451910.5) * 86400.0,
            old.creationDate)) AS INTEGER),
        CASE WHEN old.longitude IS NULL THEN 1000.0
            ELSE coalesce(old.latitude, 1000.0) END,
        CASE WHEN old.latitude IS NULL THEN 1000.0
            ELSE coalesce(old.longitude, 1000.0) END) AND assetId = old.id;
END;

CREATE TRIGGER timeline_inserted AFTER INSERT ON asset
WHEN new.isVisible = 1 AND new.creationDate IS NOT NULL
BEGIN
    INSERT INTO timeline SELECT CAST(round(1000.0 * coalesce(
            (julianday(new.captureWallTime) - 2451910.5) * 86400.0,
            new.creationDate)) AS INTEGER),
        CASE WHEN new.longitude IS NULL THEN 1000.0
            ELSE coalesce(new.latitude, 1000.0) END,
        CASE WHEN new.latitude IS NULL THEN 1000.0
            ELSE coalesce(new.longitude, 1000.0) END, new.id, new.creationDate;
END;

CREATE TRIGGER timeline_updated
AFTER UPDATE OF isVisible, creationDate, captureWallTime, latitude, longitude ON asset
BEGIN
    DELETE FROM timeline
    WHERE (time, latitude, longitude) = (CAST(round(1000.0 * coalesce(
            (julianday(old.captureWallTime) - 2451910.5) * 86400.0,
            old.creationDate)) AS INTEGER),
        CASE WHEN old.longitude IS NULL THEN 1000.0
            ELSE coalesce(old.latitude, 1000.0) END,
        CASE WHEN old.latitude IS NULL THEN 1000.0
            ELSE coalesce(old.longitude, 1000.0) END) AND assetId = old.id
        AND old.isVisible = 1 AND old.creationDate IS NOT NULL;
    INSERT INTO timeline SELECT CAST(round(1000.0 * coalesce(
            (julianday(new.captureWallTime) - 2451910.5) * 86400.0,
            new.creationDate)) AS INTEGER),
        CASE WHEN new.longitude IS NULL THEN 1000.0
            ELSE coalesce(new.latitude, 1000.0) END,
        CASE WHEN new.latitude IS NULL THEN 1000.0
            ELSE coalesce(new.longitude, 1000.0) END, new.id, new.creationDate
    WHERE new.isVisible = 1 AND new.creationDate IS NOT NULL;
END;

CREATE TABLE addedDay (
    day INTEGER PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT;

CREATE TABLE albumAsset (
    albumId INTEGER NOT NULL REFERENCES collection(id),
    assetId INTEGER NOT NULL REFERENCES asset(id),
    -- As in collection.
    position INTEGER NOT NULL, orderKey BLOB,
    PRIMARY KEY (albumId, assetId)
) STRICT, WITHOUT ROWID;

CREATE TABLE answered (
    request BLOB PRIMARY KEY CHECK (length(request) = 16),
    program TEXT NOT NULL,
    version INTEGER NOT NULL,
    -- JSON
    reply BLOB NOT NULL,
    time REAL NOT NULL
) STRICT, WITHOUT ROWID;

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
, originalResourceChoice INTEGER NOT NULL DEFAULT 0, hasRAW INTEGER NOT NULL DEFAULT 0, readerVersion INTEGER NOT NULL DEFAULT 0, personFacts INTEGER NOT NULL DEFAULT 0) STRICT;

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

CREATE TABLE cloudPending (uuid TEXT NOT NULL, op BLOB NOT NULL) STRICT;

CREATE TABLE cloudStamp (
    kind INTEGER NOT NULL,
    uuid TEXT NOT NULL,
    stamps BLOB NOT NULL,
    PRIMARY KEY (kind, uuid)
) STRICT, WITHOUT ROWID;

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
, orderKey BLOB) STRICT;

CREATE TABLE discardedFile (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE formerFile (
    path TEXT PRIMARY KEY,
    resourceId INTEGER NOT NULL,
    assetId INTEGER NOT NULL,
    -- The version that removed the row.
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE formerMoment (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE frameQuality (
    assetId INTEGER PRIMARY KEY,
    score REAL NOT NULL
) STRICT;

CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

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
, members TEXT) STRICT;

CREATE TABLE journalVersion (
    version INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    author TEXT NOT NULL
, batch TEXT, undoes INTEGER, hlc INTEGER, origin TEXT, originTime REAL) STRICT;

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

CREATE TABLE migrationSource (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    identifier TEXT,
    firstDate REAL NOT NULL
) STRICT;

CREATE TABLE moment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    level INTEGER NOT NULL CHECK (level IN (1, 2, 3)),
    time INTEGER NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    assetCount INTEGER NOT NULL,
    startDate REAL NOT NULL,
    endDate REAL NOT NULL,
    -- Of those with a place, how many there are, and the sum of the places as vectors of the
    -- length 10⁹.
    placeCount INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    -- That last changed what is in it.
    version INTEGER NOT NULL
) STRICT;

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
, presence INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE smartAlbum (
    subtype INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE timeline (
    -- Milliseconds since 2001-01-01 00:00 by that clock.
    time INTEGER NOT NULL,
    -- Both 1000 where no place is known.
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    assetId INTEGER NOT NULL,
    -- Of creation, as in asset.
    date REAL NOT NULL,
    PRIMARY KEY (time, latitude, longitude, assetId)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone (
    kind INTEGER NOT NULL,
    objectId INTEGER NOT NULL,
    uuid TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, objectId)
) STRICT, WITHOUT ROWID;

CREATE INDEX albumAsset_assetId ON albumAsset(assetId);

CREATE INDEX albumAsset_orderKey ON albumAsset(albumId, orderKey)
    WHERE orderKey IS NOT NULL;

CREATE INDEX albumAsset_position ON albumAsset(albumId, position, assetId);

CREATE INDEX asset_addedDate ON asset(isVisible, addedDate);

CREATE INDEX asset_addedDay ON asset(isVisible, CAST(addedDate / 86400 AS INTEGER),
    creationDate);

CREATE INDEX asset_burst ON asset(isVisible, creationDate, id, burstIdentifier)
    WHERE length(burstIdentifier) > 0;

CREATE INDEX asset_burstIdentifier ON asset(burstIdentifier)
    WHERE burstIdentifier IS NOT NULL;

CREATE INDEX asset_camera ON asset(cameraModel, cameraMake, isVisible, creationDate)
    WHERE cameraModel IS NOT NULL;

CREATE INDEX asset_contentIdentifier ON asset(contentIdentifier)
    WHERE contentIdentifier IS NOT NULL;

CREATE INDEX asset_creationDate ON asset(isVisible, creationDate);

CREATE INDEX asset_favorite ON asset(isFavorite, isVisible, creationDate)
    WHERE isFavorite = 1;

CREATE INDEX asset_frontCamera ON asset(isVisible, creationDate, id, lensModel)
    WHERE lensModel LIKE '%front%';

CREATE INDEX asset_hidden ON asset(isHidden, trashedDate, isBurstHidden, sourceType,
    creationDate) WHERE isHidden = 1;

CREATE INDEX asset_longExposure ON asset(isVisible, creationDate, id, exposureTime)
    WHERE exposureTime >= 1;

CREATE INDEX asset_mediaType ON asset(isVisible, mediaType, creationDate);

CREATE INDEX asset_modificationDate ON asset(isVisible, modificationDate);

CREATE INDEX asset_place ON asset(isVisible, latitude, longitude, creationDate)
    WHERE latitude IS NOT NULL;

CREATE INDEX asset_raw ON asset(hasRAW, isVisible, creationDate) WHERE hasRAW = 1;

CREATE INDEX asset_readerVersion ON asset(readerVersion);

CREATE INDEX asset_subtypeAnimation ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 64;

CREATE INDEX asset_subtypeCinematic ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 2097152;

CREATE INDEX asset_subtypeDepth ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 16;

CREATE INDEX asset_subtypeHighFrameRate ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 131072;

CREATE INDEX asset_subtypeLive ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 8;

CREATE INDEX asset_subtypePanorama ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 1;

CREATE INDEX asset_subtypeScreenRecording ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 524288;

CREATE INDEX asset_subtypeScreenshot ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 4;

CREATE INDEX asset_subtypeSpatial ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 1024;

CREATE INDEX asset_subtypeTimelapse ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 262144;

CREATE INDEX asset_trashedDate ON asset(trashedDate) WHERE trashedDate IS NOT NULL;

CREATE INDEX cloudPending_uuid ON cloudPending(uuid);

CREATE INDEX collection_parentId ON collection(parentId, position);

CREATE INDEX collection_title ON collection(kind, title);

CREATE INDEX formerFile_assetId ON formerFile(assetId);

CREATE INDEX formerFile_version ON formerFile(version);

CREATE INDEX formerMoment_version ON formerMoment(version);

CREATE INDEX importedFile_resourceId ON importedFile(resourceId);

CREATE INDEX importedFile_stemKey ON importedFile(stemKey);

CREATE INDEX journalEntry_object ON journalEntry(kind, objectId, version);

CREATE INDEX journalEntry_version ON journalEntry(version);

CREATE INDEX journalVersion_batch ON journalVersion(batch) WHERE batch IS NOT NULL;

CREATE INDEX journalVersion_undoes ON journalVersion(undoes) WHERE undoes IS NOT NULL;

CREATE INDEX moment_start ON moment(level, time, latitude, longitude);

CREATE INDEX moment_version ON moment(version);

CREATE INDEX resource_assetId ON resource(assetId);

CREATE INDEX resource_raw ON resource(assetId)
    WHERE type IN (1, 4) AND contentType LIKE '%raw-image';

CREATE INDEX resource_sha256 ON resource(sha256);

CREATE INDEX timeline_place ON timeline(time, latitude, longitude) WHERE latitude < 1000.0;

CREATE INDEX tombstone_uuid ON tombstone(uuid);
