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
) STRICT;

CREATE TABLE journalVersion (
    version INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    author TEXT NOT NULL
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
) STRICT;

CREATE INDEX asset_addedDate ON asset(isVisible, addedDate);

CREATE INDEX asset_burstIdentifier ON asset(burstIdentifier)
    WHERE burstIdentifier IS NOT NULL;

CREATE INDEX asset_contentIdentifier ON asset(contentIdentifier)
    WHERE contentIdentifier IS NOT NULL;

CREATE INDEX asset_creationDate ON asset(isVisible, creationDate);

CREATE INDEX asset_favorite ON asset(isFavorite, isVisible, creationDate)
    WHERE isFavorite = 1;

CREATE INDEX asset_mediaType ON asset(isVisible, mediaType, creationDate);

CREATE INDEX asset_modificationDate ON asset(isVisible, modificationDate);

CREATE INDEX asset_trashedDate ON asset(trashedDate) WHERE trashedDate IS NOT NULL;

CREATE INDEX importedFile_resourceId ON importedFile(resourceId);

CREATE INDEX importedFile_stemKey ON importedFile(stemKey);

CREATE INDEX journalEntry_object ON journalEntry(kind, objectId, version);

CREATE INDEX journalEntry_version ON journalEntry(version);

CREATE INDEX resource_assetId ON resource(assetId);

CREATE INDEX resource_sha256 ON resource(sha256);
