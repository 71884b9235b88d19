public import Foundation
public import Photos

extension PHImageManager {
    /// Returns one high-quality image of an asset, regardless of the delivery mode in the options.
    ///
    /// Canceling the task cancels the request; a task that is canceled before makes none.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: The size in pixels; `PHImageManagerMaximumSize` for the full size.
    ///   - contentMode: How the image fits a size of another aspect ratio.
    ///   - options: The request's options; nil for the current version.
    /// - Returns: The image.
    /// - Throws: `PHPhotosError` when no image is available; `CancellationError`.
    public func image(
        for asset: PHAsset,
        targetSize: CGSize = PHImageManagerMaximumSize,
        contentMode: PHImageContentMode = .default,
        options: PHImageRequestOptions? = nil
    ) async throws -> DeliveredImage {
        try Task.checkCancellation()
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

    /// Returns the images of a request in increasing quality; the last one is not degraded.
    ///
    /// The request starts immediately. Ending the iteration or canceling its task cancels the
    /// request.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: The size in pixels; `PHImageManagerMaximumSize` for the full size.
    ///   - contentMode: How the image fits a size of another aspect ratio.
    ///   - options: The request's options; nil for an opportunistic request of the current version.
    /// - Returns: A sequence that fails with a `PHPhotosError` when no image is available, or with
    ///   `CancellationError`.
    public func images(
        for asset: PHAsset,
        targetSize: CGSize = PHImageManagerMaximumSize,
        contentMode: PHImageContentMode = .default,
        options: PHImageRequestOptions? = nil
    ) -> AsyncThrowingStream<DeliveredImage, any Error> {
        let options = Self.copy(of: options)
        // A synchronous request would block the thread that creates the sequence.
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
