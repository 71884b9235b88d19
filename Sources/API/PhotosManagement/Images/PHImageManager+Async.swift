public import Foundation
public import Photos

extension PHImageManager {
    /// A picture of an asset, once: what was asked for, whatever the options say of delivery.
    ///
    /// Cancelling the task cancels the request.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: Pixels; `PHImageManagerMaximumSize` for all that there are.
    ///   - contentMode: How the picture goes into a size of another aspect.
    ///   - options: Nil for the current picture.
    /// - Returns: The picture.
    /// - Throws: `PHPhotosError` when there is none; `CancellationError`.
    public func image(
        for asset: PHAsset,
        targetSize: CGSize = PHImageManagerMaximumSize,
        contentMode: PHImageContentMode = .default,
        options: PHImageRequestOptions? = nil
    ) async throws -> DeliveredImage {
        let single = Self.copy(of: options)
        single.deliveryMode = .highQualityFormat
        var last: DeliveredImage?
        for try await image in images(
            for: asset,
            targetSize: targetSize,
            contentMode: contentMode,
            options: single
        ) { last = image }
        if let last { return last }
        throw CancellationError()
    }

    /// The pictures that a request gives, ever better ones; the last is not degraded.
    ///
    /// The request begins at once. Ending the iteration, or cancelling its task, cancels it.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: Pixels; `PHImageManagerMaximumSize` for all that there are.
    ///   - contentMode: How the picture goes into a size of another aspect.
    ///   - options: Nil for an opportunistic request of the current picture.
    /// - Returns: A sequence that fails with a `PHPhotosError` when there is no picture, or with
    ///   `CancellationError`.
    public func images(
        for asset: PHAsset,
        targetSize: CGSize = PHImageManagerMaximumSize,
        contentMode: PHImageContentMode = .default,
        options: PHImageRequestOptions? = nil
    ) -> AsyncThrowingStream<DeliveredImage, any Error> {
        let options = Self.copy(of: options)
        // What blocks its thread has no place in a sequence.
        options.isSynchronous = false
        let isSingle = options.deliveryMode == .fastFormat
        return AsyncThrowingStream { continuation in
            let request = requestImage(
                for: asset,
                targetSize: targetSize,
                contentMode: contentMode,
                options: options
            ) { image, info in
                let info = info ?? [:]
                let error = info[PHImageErrorKey] as? any Error
                let isDegraded = info[PHImageResultIsDegradedKey] as? Bool ?? false
                if let image {
                    continuation.yield(
                        DeliveredImage(image: image, isDegraded: isDegraded, damage: error)
                    )
                    if isSingle || !isDegraded { continuation.finish() }
                } else if info[PHImageCancelledKey] as? Bool ?? false {
                    continuation.finish(throwing: CancellationError())
                } else {
                    continuation.finish(throwing: error ?? PHPhotosError(.internalError))
                }
            }
            continuation.onTermination = { [self] _ in cancelImageRequest(request) }
        }
    }

    private static func copy(of options: PHImageRequestOptions?) -> PHImageRequestOptions {
        options?.copy() as? PHImageRequestOptions ?? PHImageRequestOptions()
    }
}
