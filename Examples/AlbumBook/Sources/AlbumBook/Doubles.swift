import CoreLocation
import Foundation
import Photos
import UIKit

// PhotoKit has no protocols for its classes, so a program's tests subclass them.

class FakeAsset: PHAsset, @unchecked Sendable {
    private let name: String
    private let type: PHAssetMediaType
    private let size: (width: Int, height: Int)
    private let seconds: TimeInterval

    init(
        name: String,
        type: PHAssetMediaType = .image,
        size: (width: Int, height: Int) = (4032, 3024),
        seconds: TimeInterval = 0
    ) {
        self.name = name
        self.type = type
        self.size = size
        self.seconds = seconds
        super.init()
    }

    override var localIdentifier: String { name + "/L0/001" }
    override var mediaType: PHAssetMediaType { type }
    override var mediaSubtypes: PHAssetMediaSubtype { type == .image ? .photoLive : [] }
    override var pixelWidth: Int { size.width }
    override var pixelHeight: Int { size.height }
    override var duration: TimeInterval { seconds }
    override var isFavorite: Bool { name == "IMG_0001.HEIC" }
    override var creationDate: Date? { Date(timeIntervalSince1970: 0) }
    override var location: CLLocation? { CLLocation(latitude: 48.5, longitude: 2.25) }

    override func value(forKey key: String) -> Any? {
        key == "filename" ? name : super.value(forKey: key)
    }
}

class FakeCollection: PHAssetCollection, @unchecked Sendable {
    override var localizedTitle: String? { "Doubles" }
    override var localIdentifier: String { "doubles/L0/040" }
    override var assetCollectionType: PHAssetCollectionType { .album }
    override var estimatedAssetCount: Int { 2 }
}

class FakeFetchResult: PHFetchResult<PHAsset>, @unchecked Sendable {
    private let fakes: [PHAsset]

    init(_ fakes: [PHAsset]) {
        self.fakes = fakes
        super.init()
    }

    override var count: Int { fakes.count }
    override func object(at index: Int) -> PHAsset { fakes[index] }
    override var firstObject: PHAsset? { fakes.first }
    override var lastObject: PHAsset? { fakes.last }
}

class FakeImageManager: PHImageManager, @unchecked Sendable {
    var requestedSizes: [CGSize] = []

    @discardableResult
    override func requestImage(
        for asset: PHAsset,
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        options: PHImageRequestOptions?,
        resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestedSizes.append(targetSize)
        resultHandler(nil, [PHImageResultIsDegradedKey: true])
        resultHandler(UIImage(), [PHImageResultIsDegradedKey: false])
        return 7
    }
}

/// A change without details for any object.
class QuietChange: PHChange, @unchecked Sendable {
    override func __changeDetails(for object: PHObject) -> PHObjectChangeDetails<PHObject>? {
        nil
    }
}
