import Foundation
import Photos

/// An image request from the command line.
struct PictureRequest {
    /// The result of a request.
    struct Picture {
        var image: UIImage
        /// `true` if the quality is lower than requested.
        var isDegraded: Bool
        /// The reason why a part of the image is missing; nil if the image is complete.
        var damage: String?
    }

    var size: PictureSize?
    var mode: PictureMode
    var version: PictureVersion
    var delivery: PictureDelivery
    var crop: PictureCrop?

    /// Requests the image and runs the main run loop until the image is delivered.
    ///
    /// - Throws: The error of the request, or the signal that interrupted it.
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
            // For a crop at full resolution the size is given, because the maximum size would mean
            // the whole image.
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

    /// Returns the target size of the request; nil for full size.
    ///
    /// It has the image's aspect ratio, except in the mode `exact`.
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
