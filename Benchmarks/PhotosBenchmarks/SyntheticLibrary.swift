import Foundation
import GRDB
import PhotosManagement

/// A library in a temporary folder, filled directly in the store.
final class SyntheticLibrary {
    let folder: URL
    let url: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setenv("XDG_STATE_HOME", folder.path + "/state", 1)
        url = folder.appendingPathComponent("Benchmark.photolibrary")
        _ = try PhotoLibraryBundle.create(at: url)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var database: String { url.path + "/database/library.sqlite" }

    /// Adds rows of assets: photos and movies over twenty years, in random order.
    ///
    /// Some are hidden, some favorites, some of each media subtype, some the visible frame of a
    /// burst. They were added over the last sixty days.
    func fill(assets: Int) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.write { database in
            try database.execute(sql: "PRAGMA cache_size = -262144")
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?),
                    -- A multiplicative hash: spreads dates over the rows, the same in every run.
                    h(i, x) AS (SELECT i, (i * 2654435761) % 4294967296 FROM n)
                    INSERT INTO asset (
                        uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
                        pixelHeight, duration, creationDate, modificationDate, addedDate, latitude,
                        longitude, isFavorite, isHidden, burstSelectionTypes, representsBurst,
                        isBurstHidden, hasAdjustments, originalFilename, contentType, keywords,
                        rating, cameraMake, cameraModel, contentVersion, isVisible,
                        lensModel, exposureTime, burstIdentifier)
                    SELECT
                        printf('%08X-0000-4000-8000-%012X', x, i), 1 + (x % 20 = 0),
                        CASE x % 7 WHEN 0 THEN 8 WHEN 1 THEN 2 WHEN 2 THEN
                            CASE x % 83 WHEN 0 THEN 1 WHEN 1 THEN 4 WHEN 2 THEN 16 WHEN 3 THEN 64
                            WHEN 4 THEN 1024 WHEN 5 THEN 131072 WHEN 6 THEN 262144
                            WHEN 7 THEN 524288 ELSE 0 END ELSE 0 END, 1 + 3 * (x % 20 = 0), 1,
                        4032, 3024, CASE WHEN x % 20 = 0 THEN 12.5 ELSE 0 END,
                        150000000.0 + x * 0.145, 150000000.0 + x * 0.145,
                        strftime('%s', 'now') - 978307200.0 - x * 0.0012, 48.1,
                        11.5, x % 50 = 0, x % 100 = 1, 256 * (x % 4990 = 0),
                        x % 499 = 0 AND x % 4990 <> 0, 0, 0, printf('IMG_%07d.JPG', i),
                        'public.jpeg', '[]', 0, 'Apple', 'iPhone 15 Pro', 1, x % 100 <> 1,
                        CASE x % 11 WHEN 0 THEN 'iPhone 15 Pro front TrueDepth camera'
                            ELSE 'iPhone 15 Pro back triple camera' END,
                        CASE x % 301 WHEN 0 THEN 2.0 ELSE 0.01 END,
                        CASE x % 499 WHEN 0 THEN printf('%d', i) END
                    FROM h
                    """,
                arguments: [assets]
            )
            try database.execute(
                sql: """
                    INSERT INTO journalVersion (version, time, author) VALUES (1, 0, 'benchmark')
                    """
            )
        }
        try queue.close()
    }

    /// Adds rows of albums: a large one, and many of ten assets.
    func fillAlbums(count: Int, largest: Int) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO collection (id, uuid, kind, title, position, creationDate,
                        modificationDate, assetCount)
                    SELECT i, printf('%08X-0000-4000-8000-000000000040', i), 2,
                        printf('Album %d', i), i * 1000, 0, 0, 0
                    FROM n
                    """,
                arguments: [count]
            )
            try database.execute(
                sql: """
                    INSERT INTO albumAsset (albumId, assetId, position)
                    SELECT 1, id, id * 1000 FROM asset WHERE id <= ?
                    """,
                arguments: [largest]
            )
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
                    INSERT OR IGNORE INTO albumAsset (albumId, assetId, position)
                    SELECT collection.id, asset.id, i * 1000
                    FROM collection, n JOIN asset ON asset.id = 1 + (collection.id * 97 + i) % ?
                    WHERE collection.id > 1
                    """,
                arguments: [largest]
            )
            // In this order: SQLite otherwise reads all visible assets for each album.
            try database.execute(
                sql: """
                    UPDATE collection SET (assetCount, startDate, endDate) = (
                        SELECT count(*), min(asset.creationDate), max(asset.creationDate)
                        FROM albumAsset CROSS JOIN asset ON asset.id = assetId
                        WHERE albumId = collection.id AND isVisible = 1)
                    """
            )
        }
        try queue.close()
    }
}
