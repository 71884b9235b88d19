import Photos
import UIKit

/// The newest photos, as in a grid of cells.
@MainActor
final class PhotoGrid {
    /// A cell with its image.
    struct Cell {
        let asset: PHAsset
        let image: UIImage
        let isVivid: Bool
    }

    static let cellSize = CGSize(width: 200, height: 200)

    let photos: PHFetchResult<PHAsset>
    private let manager = PHCachingImageManager()

    init() {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        photos = PHAsset.fetchAssets(with: options)
    }

    /// Loads the image of every cell.
    func fill() async throws -> [Cell] {
        try expect(photos.count > 0, "the library has no photos")
        let options = PHImageRequestOptions()
        options.deliveryMode = .highQualityFormat
        options.resizeMode = .exact
        let assets = photos.objects(at: IndexSet(integersIn: 0..<photos.count))
        manager.startCachingImages(
            for: assets,
            targetSize: Self.cellSize,
            contentMode: .aspectFill,
            options: options
        )
        defer { manager.stopCachingImagesForAllAssets() }
        var cells: [Cell] = []
        for asset in assets {
            let image = try await picture(of: asset, options: options)
            let pixels = try Pixels(image)
            try expect(
                pixels.width == 200 && pixels.height == 200,
                "the cell of \(asset.localIdentifier) is \(pixels.width) × \(pixels.height)"
            )
            cells.append(Cell(asset: asset, image: image, isVivid: pixels.isVivid))
        }
        return cells
    }

    private func picture(
        of asset: PHAsset,
        options: PHImageRequestOptions
    ) async throws -> UIImage {
        try await withCheckedThrowingContinuation { continuation in
            manager.requestImage(
                for: asset,
                targetSize: Self.cellSize,
                contentMode: .aspectFill,
                options: options
            ) { image, info in
                if let image {
                    continuation.resume(returning: image)
                } else {
                    let reason = (info?[PHImageErrorKey] as? Error)?.localizedDescription
                    continuation.resume(
                        throwing: Failure(
                            "the image of \(asset.localIdentifier) can't be loaded: \(reason ?? "?")"
                        )
                    )
                }
            }
        }
    }
}
