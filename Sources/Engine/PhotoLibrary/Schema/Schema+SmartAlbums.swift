/// Migration 3: the columns, tables and indexes for smart albums and bursts.
extension Schema {
    static let version3 = """
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
            SELECT asset.trashedDate IS NOT NULL, asset.isHidden, asset.isBurstHidden,
            asset.sourceType, asset.mediaType, asset.mediaSubtypes,
            (asset.isFavorite <> 0) | (coalesce(length(asset.burstIdentifier) > 0, 0) << 1)
                | (coalesce(asset.lensModel LIKE '%front%', 0) << 2)
                | (coalesce(asset.exposureTime >= 1, 0) << 3)
                | ((asset.hasRAW <> 0) << 4), count(*) FROM asset GROUP BY 1, 2, 3, 4, 5, 6, 7;

        -- How many visible assets were added on each day since 2001-01-01 UTC.
        CREATE TABLE addedDay (
            day INTEGER PRIMARY KEY,
            count INTEGER NOT NULL
        ) STRICT;
        INSERT INTO addedDay
            SELECT CAST(asset.addedDate / 86400 AS INTEGER), count(*) FROM asset WHERE isVisible \
        = 1 GROUP BY 1;

        CREATE TRIGGER asset_inserted AFTER INSERT ON asset BEGIN
            INSERT INTO assetFacet VALUES (new.trashedDate IS NOT NULL, new.isHidden, \
        new.isBurstHidden,
            new.sourceType, new.mediaType, new.mediaSubtypes,
            (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
                | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
                | (coalesce(new.exposureTime >= 1, 0) << 3)
                | ((new.hasRAW <> 0) << 4), 1)
                ON CONFLICT DO UPDATE SET count = count + 1;
            INSERT INTO addedDay SELECT CAST(new.addedDate / 86400 AS INTEGER), 1 WHERE \
        new.isVisible = 1
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
                | ((new.hasRAW <> 0) << 4)) IS NOT (old.trashedDate IS NOT NULL, old.isHidden, \
        old.isBurstHidden,
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
            INSERT INTO assetFacet VALUES (new.trashedDate IS NOT NULL, new.isHidden, \
        new.isBurstHidden,
            new.sourceType, new.mediaType, new.mediaSubtypes,
            (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
                | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
                | (coalesce(new.exposureTime >= 1, 0) << 3)
                | ((new.hasRAW <> 0) << 4), 1)
                ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER asset_dayChanged AFTER UPDATE OF isVisible, addedDate ON asset
        WHEN (new.isVisible, CAST(new.addedDate / 86400 AS INTEGER)) IS NOT (old.isVisible, \
        CAST(old.addedDate / 86400 AS INTEGER))
        BEGIN
            UPDATE addedDay SET count = count - 1
            WHERE old.isVisible = 1 AND day = CAST(old.addedDate / 86400 AS INTEGER);
            INSERT INTO addedDay SELECT CAST(new.addedDate / 86400 AS INTEGER), 1 WHERE \
        new.isVisible = 1
                ON CONFLICT DO UPDATE SET count = count + 1;
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
}
