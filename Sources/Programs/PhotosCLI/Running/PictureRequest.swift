import Foundation
import Photos

/// A picture as the command line asks for it.
struct PictureRequest {
    /// What came of it.
    struct Picture {
        var image: UIImage
        /// Whether it is less than was asked for.
        var isDegraded: Bool
        /// Why a part of it is missing.
        var damage: String?
    }

    var size: PictureSize?
    var mode: PictureMode
    var version: PictureVersion
    var delivery: PictureDelivery
    var crop: PictureCrop?

    /// Asks for the picture, and serves the main queue until it is there.
    ///
    /// - Throws: Why there is none, or the signal that ended the wait.
    func picture(of asset: PHAsset) throws -> Picture {
        let options = PHImageRequestOptions()
        options.version = version.version
        options.deliveryMode = delivery == .high ? .highQualityFormat : .fastFormat
        options.isNetworkAccessAllowed = true
        options.normalizedCropRect = crop?.rectangle ?? .zero
        let target = target(for: asset)
        options.resizeMode = target == nil ? .none : .exact
        let whole = CGSize(width: asset.pixelWidth, height: asset.pixelHeight)
        let manager = PHImageManager.default()
        var result: (image: UIImage?, info: [AnyHashable: Any])?
        let id = manager.requestImage(
            for: asset,
            // All pixels of a part: no size at all would mean all of the picture.
            targetSize: target ?? (crop == nil ? PHImageManagerMaximumSize : whole),
            contentMode: .aspectFill,
            options: options
        ) { image, info in
            result = (image, info ?? [:])
        }
        let interruption = Interruption { manager.cancelImageRequest(id) }
        while result == nil {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
        if let error = interruption.error { throw error }
        let info = result?.info ?? [:]
        let error = info[PHImageErrorKey] as? any Error
        guard let image = result?.image else { throw error ?? PHPhotosError(.internalError) }
        return Picture(
            image: image,
            isDegraded: info[PHImageResultIsDegradedKey] as? Bool ?? false,
            damage: error.map { Self.words(for: $0 as NSError) }
        )
    }

    /// The size to ask for, with the picture's own aspect unless it is to be exact; nil for all pixels.
    private func target(for asset: PHAsset) -> CGSize? {
        guard let size else { return nil }
        let wanted = CGSize(width: size.width, height: size.height)
        let part = crop?.rectangle.size ?? CGSize(width: 1, height: 1)
        let width = CGFloat(asset.pixelWidth) * part.width
        let height = CGFloat(asset.pixelHeight) * part.height
        guard mode != .exact, width >= 1, height >= 1 else { return wanted }
        let (across, down) = (wanted.width / width, wanted.height / height)
        let scale = min(1, mode == .fit ? min(across, down) : max(across, down))
        return CGSize(
            width: max(1, (width * scale).rounded()),
            height: max(1, (height * scale).rounded())
        )
    }

    private static func words(for error: NSError) -> String {
        [error.localizedDescription, error.localizedFailureReason].compactMap(\.self)
            .joined(separator: " ")
    }
}
