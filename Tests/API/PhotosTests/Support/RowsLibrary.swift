import Foundation
import Photos
import PhotosManagement

/// A library whose 600 assets were written by SQLite's own tool, and that tool as an oracle.
///
/// The assets have no files. Their values cover the conditions of predicates: every media type and
/// subtype, missing dates, hidden and favorite assets, bursts and edits.
final class RowsLibrary: Sendable {
    let bundle: PhotoLibraryBundle
    private let folder: Folder

    /// The library of all suites, which do not change it.
    static let shared = Result { try RowsLibrary() }

    /// The value of `date(0)` in the database.
    static let epoch = 700_000_000.0

    /// Returns the creation date of many assets.
    static func date(_ day: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: epoch + Double(day) * 86_400)
    }

    private init() throws {
        folder = try Folder()
        // The list of known libraries belongs to the user; tests keep their own.
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        let url = folder.file("Rows.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        database = url.appendingPathComponent("database/library.sqlite").path
        _ = try Tool.run("sqlite3", ["-cmd", ".timeout 20000", database], input: Self.rows)
        bundle = try PhotoLibraryBundle.open(at: url)
    }

    private let database: String

    /// Returns the local identifiers of a query, in its order.
    func identifiers(where condition: String, orderedBy order: String = "creationDate, id") throws
        -> [String]
    {
        let query = "SELECT uuid || '/L0/001' FROM asset WHERE \(condition) ORDER BY \(order);"
        return try Tool.run("sqlite3", ["-cmd", ".timeout 20000", database], input: query)
            .split(separator: "\n").map(String.init)
    }

    /// Fetches from this library.
    func fetch(
        _ predicate: NSPredicate? = nil,
        sort: [NSSortDescriptor]? = nil,
        configure: (PHFetchOptions) -> Void = { _ in }
    ) throws -> [PHAsset] {
        let options = PHFetchOptions()
        options.predicate = predicate
        options.sortDescriptors = sort
        configure(options)
        let result = try bundle.fetchAssets(with: options)
        return result.objects(at: IndexSet(integersIn: 0..<result.count))
    }

    // Coprime numbers spread the values without random numbers.
    private static let rows = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
            pixelHeight, duration, creationDate, modificationDate, addedDate, latitude, longitude,
            altitude, isFavorite, isHidden, trashedDate, burstIdentifier, burstSelectionTypes,
            representsBurst, isBurstHidden, hasAdjustments, adjustmentFormatIdentifier,
            adjustmentTimestamp, originalFilename, contentType, title, caption, keywords, rating,
            contentVersion, isVisible)
        SELECT printf('%08X-0000-4000-8000-%012d', i * 7919, i), type, subtypes,
            CASE type WHEN 2 THEN 4 ELSE 1 END, CASE i % 19 WHEN 0 THEN 2 WHEN 1 THEN 4 ELSE 1 END,
            100 + i * 37 % 4000, 100 + i * 53 % 3000,
            CASE type WHEN 2 THEN (i * 7 % 900) / 10.0 ELSE 0 END,
            CASE WHEN i % 29 = 0 THEN NULL ELSE \(epoch) + (i * 11 % 365) * 86400 END,
            \(epoch) + (i * 13 % 365) * 86400, \(epoch) + i,
            CASE WHEN i % 3 = 0 THEN i % 90 END, CASE WHEN i % 3 = 0 THEN -i % 180 END,
            CASE WHEN i % 6 = 0 THEN i END, i % 5 = 0, hidden,
            CASE WHEN trashed THEN \(epoch) END, burst, selection, represents,
            burst IS NOT NULL AND NOT represents AND selection = 0,
            i % 23 = 0, CASE WHEN i % 23 = 0 THEN 'com.example.edit' END,
            CASE WHEN i % 23 = 0 THEN \(epoch) + i END, printf('IMG_%04d.JPG', i),
            CASE type WHEN 2 THEN 'com.apple.quicktime-movie' ELSE 'public.jpeg' END,
            CASE WHEN i % 4 = 0 THEN printf('Été %d', i % 10) END,
            CASE WHEN i % 8 = 0 THEN 'A caption' END,
            CASE WHEN i % 9 = 0 THEN '["sea","Été"]' ELSE '[]' END, i % 6, 1,
            NOT hidden AND NOT trashed AND i % 19 > 1
                AND NOT (burst IS NOT NULL AND NOT represents AND selection = 0)
        FROM (SELECT i, CASE WHEN i % 4 = 1 THEN 2 ELSE 1 END AS type,
            CASE i % 13 WHEN 0 THEN 1 WHEN 1 THEN 2 WHEN 2 THEN 4 WHEN 3 THEN 8 WHEN 4 THEN 10
                WHEN 5 THEN 16 WHEN 6 THEN 131072 WHEN 7 THEN 262144 ELSE 0 END AS subtypes,
            i % 17 = 0 AS hidden, i % 31 = 0 AS trashed,
            CASE WHEN i % 10 < 3 THEN 'burst-' || (i / 10 % 7) END AS burst,
            CASE WHEN i % 10 = 1 THEN 1 WHEN i % 50 = 2 THEN 2 ELSE 0 END AS selection,
            i % 10 = 0 AS represents FROM n);
        """
}
