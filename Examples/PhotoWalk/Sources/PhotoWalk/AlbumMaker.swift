import Foundation
import Photos

/// Creates an album with one photo, and makes the photo a favorite, in one change.
struct AlbumMaker {
    static let title = "Walk"

    let watcher: LibraryWatcher

    func makeAlbum(with asset: PHAsset) async throws -> PHAssetCollection {
        let wasFavorite = asset.isFavorite
        let identifier = Identifier()
        try await PHPhotoLibrary.shared().performChanges {
            let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: Self.title
            )
            request.addAssets([asset] as NSArray)
            identifier.value = request.placeholderForCreatedAssetCollection.localIdentifier
            PHAssetChangeRequest(for: asset).isFavorite = !wasFavorite
        }

        let found = PHAssetCollection.fetchAssetCollections(
            withLocalIdentifiers: [identifier.value],
            options: nil
        )
        guard let album = found.firstObject, found.count == 1 else {
            throw Failure("the placeholder's identifier does not find the album")
        }
        try expect(album.localizedTitle == Self.title, "the album has a different title")
        let members = PHAsset.fetchAssets(in: album, options: nil)
        try expect(
            members.count == 1 && members.firstObject == asset,
            "the album does not contain the photo that was added to it"
        )
        try expect(
            members.firstObject?.isFavorite == !wasFavorite,
            "the photo did not become a favorite"
        )

        // One change results in one call, with both parts.
        let report = try await watcher.report { $0.albums != nil }
        guard let photos = report.photos, let albums = report.albums else {
            throw Failure("the album and the favorite were reported as two changes")
        }
        let place = photos.fetchResultAfterChanges.index(of: asset)
        try expect(
            photos.changedIndexes == [place] && photos.insertedIndexes?.isEmpty != false,
            "the favorite is at \(place), but the observer received "
                + "\(photos.changedIndexes.map(Array.init) ?? [])"
        )
        let albumPlace = watcher.albumIndex(of: album.localIdentifier)
        try expect(
            albumPlace != nil && albums.insertedIndexes?.first == albumPlace
                && albums.insertedIndexes?.count == 1,
            "the album is at \(albumPlace ?? -1), but the observer received "
                + "\(albums.insertedIndexes.map(Array.init) ?? [])"
        )
        return album
    }

    func remove(_ album: PHAssetCollection) async throws {
        try await PHPhotoLibrary.shared().performChanges {
            PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray)
        }
    }
}

/// An identifier that a change block returns.
private final class Identifier: @unchecked Sendable {
    // It is written in the block, and read after the block has ended.
    var value = ""
}
