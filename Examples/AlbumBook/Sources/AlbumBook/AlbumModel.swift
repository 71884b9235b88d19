import Foundation
import MobileCoreServices
import Photos
import UIKit

/// The source of the model's thumbnails, which tests replace.
protocol ThumbnailSource: AnyObject {
    func thumbnail(
        for asset: PHAsset,
        size: CGSize,
        completion: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
    )
}

extension PHImageManager: ThumbnailSource {
    func thumbnail(
        for asset: PHAsset,
        size: CGSize,
        completion: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
    ) {
        let options = PHImageRequestOptions()
        options.isNetworkAccessAllowed = true
        options.resizeMode = .exact
        options.deliveryMode = .highQualityFormat
        requestImage(
            for: asset,
            targetSize: size,
            contentMode: .aspectFill,
            options: options,
            resultHandler: completion
        )
    }
}

/// An album for display: the content of its rows, and the updates of them.
class AlbumModel: NSObject, PHPhotoLibraryChangeObserver {
    struct Row: Equatable {
        var title: String
        var detail: String
    }

    enum Update {
        case reload
        case cells(removed: [IndexPath], inserted: [IndexPath], changed: [IndexPath])
    }

    let title: String
    var onUpdate: ((Update) -> Void)?
    private(set) var assets: PHFetchResult<PHAsset>
    private let thumbnails: ThumbnailSource

    init(
        collection: PHAssetCollection,
        assets: PHFetchResult<PHAsset>,
        thumbnails: ThumbnailSource
    ) {
        title = collection.localizedTitle ?? "Untitled"
        self.assets = assets
        self.thumbnails = thumbnails
        super.init()
    }

    var numberOfRows: Int { assets.count }

    func row(at indexPath: IndexPath) -> Row {
        let asset = assets.object(at: indexPath.item)
        var details = ["\(asset.pixelWidth) × \(asset.pixelHeight)"]
        if asset.mediaSubtypes.contains(.photoLive) { details.append("live") }
        if asset.mediaType == .video { details.append("\(Int(asset.duration)) s") }
        if asset.isFavorite { details.append("favorite") }
        return Row(title: name(of: asset), detail: details.joined(separator: ", "))
    }

    func loadThumbnail(at indexPath: IndexPath, completion: @escaping (UIImage?) -> Void) {
        let asset = assets[indexPath.row]
        thumbnails.thumbnail(for: asset, size: CGSize(width: 90, height: 90)) { image, info in
            let isDegraded = (info?[PHImageResultIsDegradedKey] as? NSNumber)?.boolValue ?? false
            if !isDegraded { completion(image) }
        }
    }

    /// The file name, by a key that is widely used though undocumented.
    private func name(of asset: PHAsset) -> String {
        asset.value(forKey: "filename") as? String ?? "?"
    }

    // MARK: - PHPhotoLibraryChangeObserver

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let details = changeInstance.changeDetails(for: assets) else { return }
        assets = details.fetchResultAfterChanges
        guard details.hasIncrementalChanges, !details.hasMoves else {
            onUpdate?(.reload)
            return
        }
        func paths(_ indexes: IndexSet?) -> [IndexPath] {
            (indexes ?? []).map { IndexPath(item: $0, section: 0) }
        }
        onUpdate?(
            .cells(
                removed: paths(details.removedIndexes),
                inserted: paths(details.insertedIndexes),
                changed: paths(details.changedIndexes)
            )
        )
    }
}
