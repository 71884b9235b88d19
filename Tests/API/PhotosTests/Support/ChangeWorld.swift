import Foundation
import Photos
import PhotosManagement
import Testing

/// A separate library for one test that changes it.
final class ChangeWorld {
    let folder: Folder
    let bundle: PhotoLibraryBundle
    var library: PHPhotoLibrary { bundle.photoLibrary }

    /// Creates a library with photos that are rows without files, the oldest first.
    ///
    /// SQLite's own tool also executes `sql` on the rows, whose ids start at 1.
    init(photos count: Int = 0, sql: String = "") throws {
        folder = try Folder()
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        setenv("PHOTOS_WORKER", Tool.executable("photos-worker"), 1)
        let url = folder.file("Test.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        if count > 0 {
            let database = url.appendingPathComponent("database/library.sqlite").path
            _ = try Tool.run(
                "sqlite3",
                ["-cmd", ".timeout 20000", database],
                input: Self.rows(count) + sql
            )
        }
        bundle = try PhotoLibraryBundle.open(at: url)
    }

    private static func rows(_ count: Int) -> String {
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
            pixelHeight, duration, creationDate, modificationDate, addedDate, isFavorite, isHidden,
            burstSelectionTypes, representsBurst, isBurstHidden, hasAdjustments, originalFilename,
            contentType, keywords, rating, contentVersion, isVisible)
        SELECT printf('00000000-0000-4000-8000-%012d', i), 1, 0, 1, 1, 100, 100, 0,
            700000000 + i, 700000000, 700000000, 0, 0, 0, 0, 0, 0,
            printf('IMG_%04d.JPG', i), 'public.jpeg', '[]', 0, 1, 1 FROM n;
        """
    }

    /// Changes the library and waits.
    func change(_ block: @escaping () -> Void) throws {
        try library.performChangesAndWait(block)
    }

    /// Returns the error of a change.
    func failure(_ block: @escaping () -> Void) -> PHPhotosError? {
        do {
            try change(block)
            return nil
        } catch {
            return error as? PHPhotosError
        }
    }

    /// All assets, including hidden ones.
    var assets: [PHAsset] {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        return bundle.using { PHAsset.fetchAssets(with: options) }.all
    }

    /// Returns the current state of an object.
    func now(_ asset: PHAsset) throws -> PHAsset {
        try #require(
            bundle.using {
                PHAsset.fetchAssets(
                    withLocalIdentifiers: [asset.localIdentifier],
                    options: nil
                ).firstObject
            }
        )
    }

    var albums: [PHAssetCollection] {
        bundle.using {
            PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
        }.all
    }

    var folders: [PHCollectionList] {
        bundle.using {
            PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: nil)
        }.all
    }

    var topLevel: [PHCollection] {
        bundle.using { PHCollection.fetchTopLevelUserCollections(with: nil) }.all
    }

    /// Creates an album.
    @discardableResult
    func album(_ title: String = "Album", with assets: [PHAsset] = []) throws -> PHAssetCollection {
        var identifier = ""
        try change {
            let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: title
            )
            request.addAssets(assets)
            identifier = request.placeholderForCreatedAssetCollection.localIdentifier
        }
        return try #require(albums.first { $0.localIdentifier == identifier })
    }

    /// Returns the numbers of the photos in an album, in its order.
    func numbers(in album: PHAssetCollection) -> [Int] {
        PHAsset.fetchAssets(in: album, options: nil).all.map(\.number)
    }

    /// The paths of all files in the library's originals.
    var storedFiles: [String] {
        let root = bundle.url.appendingPathComponent("originals")
        return (FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? [])
            .filter { $0.contains(".") }
    }

    // MARK: - Files

    /// Small photos with different bytes, drawn once for all tests.
    static let samples = Result { try Samples() }

    final class Samples: Sendable {
        private let folder: Folder
        let jpegs: [URL]
        let movies: [URL]
        /// A RAW and JPEG pair.
        let rawPair: (jpeg: URL, raw: URL)?

        init() throws {
            folder = try Folder()
            _ = try Tool.run(
                Tool.executable("photos-samples"),
                ["--out", folder.url.path, "--count", "45", "--megapixels", "0.05"]
            )
            let names = FileManager.default.enumerator(atPath: folder.url.path)?.allObjects
            let files = (names as? [String] ?? []).sorted().map { [folder] in folder.file($0) }
            jpegs = files.filter { ["jpg", "jpeg"].contains($0.pathExtension.lowercased()) }
            movies = files.filter { $0.pathExtension.lowercased() == "mov" }
            let raw = files.first { $0.pathExtension.lowercased() == "dng" }
            rawPair = raw.map {
                (jpeg: $0.deletingPathExtension().appendingPathExtension("JPG"), $0)
            }
        }
    }

    /// Copies a sample photo to this test's folder.
    func photo(_ number: Int = 0, named name: String = "photo.jpg") throws -> URL {
        let samples = try Self.samples.get()
        let copy = folder.file(name)
        try FileManager.default.copyItem(
            at: samples.jpegs[number % samples.jpegs.count],
            to: copy
        )
        return copy
    }
}

extension PHFetchResult {
    /// All objects, as an array.
    var all: [ObjectType] { objects(at: IndexSet(integersIn: 0..<count)) }
}

extension PHAsset {
    /// The number of a photo that a test's library was created with, which is the end of the
    /// identifier.
    var number: Int { Int(localIdentifier.prefix(36).suffix(12)) ?? -1 }
}
