/// Migration 4: moments, the groups of assets by time and place.
extension Schema {
    static let version4 = """
        -- Visible assets with a date, in the order of the clocks on the walls where they were \
        captured.
        -- It follows from asset and is kept by the triggers below.
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
        CREATE INDEX timeline_place ON timeline(time, latitude, longitude) WHERE latitude < 1000.0;
        INSERT INTO timeline SELECT CAST(round(1000.0 * coalesce(
                    (julianday(asset.captureWallTime) - 2451910.5) * 86400.0,
                    asset.creationDate)) AS INTEGER),
                CASE WHEN asset.longitude IS NULL THEN 1000.0
                    ELSE coalesce(asset.latitude, 1000.0) END,
                CASE WHEN asset.latitude IS NULL THEN 1000.0
                    ELSE coalesce(asset.longitude, 1000.0) END, id, creationDate FROM asset
        WHERE isVisible = 1 AND creationDate IS NOT NULL;
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

        -- Groups of assets: moments (level 1), clusters of them (2), years (3). Each goes from \
        its start
        -- in the timeline to the start of the next of its level. They follow from the timeline, \
        so they
        -- are not journalled.
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
            -- Of those with a place, how many there are, and the sum of the places as vectors of \
        the
            -- length 10⁹.
            placeCount INTEGER NOT NULL,
            x INTEGER NOT NULL,
            y INTEGER NOT NULL,
            z INTEGER NOT NULL,
            -- That last changed what is in it.
            version INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX moment_start ON moment(level, time, latitude, longitude);
        CREATE INDEX moment_version ON moment(version);
        -- Groups that are gone, and the version since which they are.
        CREATE TABLE formerMoment (
            id INTEGER PRIMARY KEY,
            version INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX formerMoment_version ON formerMoment(version);

        -- momentRule: the rule by which moments were made; without it they are made when the \
        library is
        -- opened.
        DELETE FROM setting WHERE name = 'momentRule';
        """
}
