import Foundation
import Photos
import PhotosManagement
import Testing

/// Results that programs leave unused, as Apple's systems allow; builds with warnings as errors
/// test that the compiler does not warn.
@Suite(.timeLimit(.minutes(2))) struct DiscardedResultTests {
    @Test func factoriesAndFetchesAreCalledForWhatTheyDo() throws {
        let world = try ChangeWorld()
        let file = try world.photo()
        try world.change {
            PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
            PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Folder")
        }
        #expect(world.assets.count == 1)
        world.bundle.using {
            PHPhotoLibrary.shared()
            PHPhotoLibrary.authorizationStatus(for: .readWrite)
            PHAsset.fetchAssets(with: nil)
            PHAsset.fetchAssets(with: .image, options: nil)
            PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
            PHCollection.fetchTopLevelUserCollections(with: nil)
            PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: nil)
        }
    }
}
