import Foundation
import Photos
import PhotosManagement
import Testing

/// Results that programs leave unused, as they may on Apple's systems: that nothing is said about them is
/// tested where warnings are errors.
@Suite struct DiscardedResultTests {
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
