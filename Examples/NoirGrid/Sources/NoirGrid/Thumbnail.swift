import Foundation
import Photos

/// Loads a square thumbnail of a photo.
func thumbnail(of asset: PHAsset) async throws -> UIImage {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.resizeMode = .exact
    return try await withCheckedThrowingContinuation { continuation in
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 200, height: 200),
            contentMode: .aspectFill,
            options: options
        ) { image, info in
            if let image {
                continuation.resume(returning: image)
            } else {
                let reason = info?[PHImageErrorKey] as? Error
                continuation.resume(throwing: reason ?? GridError("The image cannot be loaded."))
            }
        }
    }
}
