import Foundation
import Photos

// The code in the article "Changing the library".

func addPhoto(at file: URL) async throws {
    try await PHPhotoLibrary.shared().performChanges {
        let photo = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
        let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
            withTitle: "Lake"
        )
        guard let placeholder = photo?.placeholderForCreatedAsset else { return }
        album.addAssets([placeholder])
    }
}

func arrange(_ album: PHAssetCollection) async throws {
    let assets = PHAsset.fetchAssets(in: album, options: nil)
    try await PHPhotoLibrary.shared().performChanges {
        let request = PHAssetCollectionChangeRequest(for: album, assets: assets)
        request?.moveAssets(at: IndexSet(integer: 0), to: 2)
        request?.removeAssets(at: IndexSet(integer: 1))
    }
}
