import Foundation
import PhotoModel
import Photos
import PhotosManagement
import SamplePhotos
import TestSupport

/// A library of assets with renditions, in the state of a library that was viewed before.
///
/// SQLite's own tool writes the rows. There are no originals. Every fiftieth asset also has no
/// rendition, so that a request for it fails.
final class RenditionLibrary: Sendable {
    let bundle: PhotoLibraryBundle
    private let folder: TemporaryFolder

    init(assets: Int) throws {
        folder = try TemporaryFolder()
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        setenv("PHOTOS_WORKER", BuiltProducts.worker.path, 1)
        let url = folder.file("Renditions.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        let database = url.path + "/database"
        try Self.run("\(database)/library.sqlite", Self.rows(count: assets))
        bundle = try PhotoLibraryBundle.open(at: url)
        // The library creates the rendition file when it first looks for a rendition.
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        let first = try fetch().object(at: 0)
        PHImageManager().requestImage(
            for: first,
            targetSize: CGSize(width: 10, height: 10),
            contentMode: .aspectFit,
            options: options
        ) { _, _ in }
        let pictures = try (0..<4).map { index in
            let drawn = Picture(.hills, seed: UInt64(index))
                .drawn(size: PixelSize(width: 256, height: 192), grain: 0.01)
            let jpeg = try SampleFile.jpeg(drawn, metadata: SampleMetadata(), quality: 85)
            return try folder.write(jpeg, to: "\(index).jpg").path
        }
        try Self.run(
            "\(database)/renditions.sqlite",
            Self.renditions(of: "\(database)/library.sqlite", pictures)
        )
    }

    /// Fetches the assets in their order.
    func fetch() throws -> PHFetchResult<PHAsset> {
        try bundle.fetchAssets(with: nil)
    }

    /// Returns how many of a number of assets have neither a rendition nor a file.
    static func missing(of count: Int) -> Int { count / 50 }

    private static func run(_ database: String, _ sql: String) throws {
        let script = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-test-\(UUID().uuidString).sql")
        try Data(sql.utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-bail", "-cmd", ".timeout 20000", database, ".read '\(script.path)'"]
        )
        guard output.status == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSLocalizedDescriptionKey: output.errorText]
            )
        }
    }

    private static func rows(count: Int) -> String {
        """
        BEGIN;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
            pixelHeight, duration, creationDate, modificationDate, addedDate, isFavorite, isHidden,
            burstSelectionTypes, representsBurst, isBurstHidden, hasAdjustments, originalFilename,
            contentType, keywords, rating, contentVersion, isVisible)
        SELECT printf('%08X-0000-4000-8000-%012d', i, i), 1, 0, 1, 1, 4032, 3024, 0,
            700000000.0 + i, 700000000.0 + i, 700000000.0 + i, 0, 0, 0, 0, 0, 0,
            printf('IMG_%05d.JPG', i), 'public.jpeg', '[]', 0, 1, 1
        FROM n;
        INSERT INTO resource (uuid, assetId, type, originalFilename, contentType, path, size, sha256,
            pixelWidth, pixelHeight)
        SELECT printf('%08X-0000-4000-9000-%012d', id, id), id, 1, originalFilename, contentType,
            printf('originals/%02x/%s.jpg', id % 256, uuid), 3000000, randomblob(32), 4032, 3024
        FROM asset;
        COMMIT;
        """
    }

    private static func renditions(of library: String, _ pictures: [String]) -> String {
        let choices = pictures.enumerated()
            .map { "WHEN \($0.offset) THEN readfile('\($0.element)')" }.joined(separator: " ")
        return """
            ATTACH '\(library)' AS library;
            INSERT INTO rendition (assetUUID, sizeClass, contentVersion, origin, width, height, jpeg)
            SELECT uuid, 256, 1, 2, 256, 192, CASE id % \(pictures.count) \(choices) END
            FROM library.asset WHERE id % 50 <> 0;
            """
    }
}
