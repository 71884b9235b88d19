import Foundation
import Photos

// The code in the article "Browsing collections".

func listSmartAlbums() {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "estimatedAssetCount > 0")
    let albums = PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum,
        subtype: .any,
        options: options
    )
    albums.enumerateObjects { album, _, _ in
        print(album.localizedTitle ?? "", album.estimatedAssetCount)
    }
}

func countFrames() {
    let options = PHFetchOptions()
    options.includeAllBurstAssets = true
    if let burst = PHAsset.fetchAssets(with: nil).firstObject?.burstIdentifier {
        let frames = PHAsset.fetchAssets(withBurstIdentifier: burst, options: options)
        print(frames.count, "frames")
    }
}
