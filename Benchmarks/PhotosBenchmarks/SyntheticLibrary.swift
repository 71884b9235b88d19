import Foundation
import GRDB
import PhotosManagement

/// A library in a temporary folder, filled straight in the store.
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

    /// Adds rows of assets: photos and movies over twenty years, in no order, some hidden, some
    /// favourites.
    func fill(assets: Int) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.write { database in
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
                        rating, cameraMake, cameraModel, contentVersion, isVisible)
                    SELECT
                        printf('%08X-0000-4000-8000-%012X', x, i), 1 + (x % 20 = 0),
                        CASE x % 7 WHEN 0 THEN 8 WHEN 1 THEN 2 ELSE 0 END, 1 + 3 * (x % 20 = 0), 1,
                        4032, 3024, CASE WHEN x % 20 = 0 THEN 12.5 ELSE 0 END,
                        150000000.0 + x * 0.145, 150000000.0 + x * 0.145, 780000000.0 + i, 48.1,
                        11.5, x % 50 = 0, x % 100 = 1, 0, 0, 0, 0, printf('IMG_%07d.JPG', i),
                        'public.jpeg', '[]', 0, 'Apple', 'iPhone 15 Pro', 1, x % 100 <> 1
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
}
