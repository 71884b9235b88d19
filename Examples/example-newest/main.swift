import Foundation
import Photos

let options = PHFetchOptions()
options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
options.fetchLimit = 10

PHAsset.fetchAssets(with: options).enumerateObjects { asset, _, _ in
    let date = asset.creationDate?.formatted(.iso8601) ?? "no date"
    let place = asset.location.map { "\($0.coordinate.latitude), \($0.coordinate.longitude)" }
    print(date, "\(asset.pixelWidth) × \(asset.pixelHeight)", place ?? "no place")
    for resource in PHAssetResource.assetResources(for: asset) {
        print("   ", resource.originalFilename)
    }
}
