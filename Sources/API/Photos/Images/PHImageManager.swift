public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// Loads images of assets at a requested size.
///
/// Sizes are in pixels. Images are upright and in sRGB, unless the options prefer HDR. Asynchronous
/// results are delivered on the main queue. In a program that does not run that queue, such as a
/// command that waits for a result on its main thread, results are delivered on a serial queue of
/// the library after the main thread has slept for one second.
///
/// Every request ends exactly once: with an image, with an error under `PHImageErrorKey`, or with
/// `PHImageCancelledKey`. Delivered images are cached in memory, up to 128 MiB.
open class PHImageManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is a Mutex.

    private struct Requests {
        var running: [PHImageRequestID: any RunningRequest] = [:]
        var last: PHImageRequestID = PHInvalidImageRequestID
    }

    private let requests = Mutex(Requests())
    private static let standard = PHImageManager()

    /// Creates a manager that is separate from the shared manager.
    public override init() {
        super.init()
    }

    /// Returns the shared manager.
    @discardableResult
    open class func `default`() -> PHImageManager { standard }

    /// Requests an image of an asset; for a movie, its first frame that is not blank.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: The size in pixels. `PHImageManagerMaximumSize`, or zero, requests all
    ///     pixels.
    ///   - contentMode: The way to fit the image to a size of another aspect ratio. With exact
    ///     resizing, an image that fits inside has transparent bars if its aspect ratio differs.
    ///   - options: The options, or nil for an opportunistic request of the current version.
    ///   - resultHandler: Called on the main queue. It is called once or, for an opportunistic
    ///     request, several times, of which only the last is not degraded. If the image is in
    ///     memory and the caller is on the main thread, an opportunistic request calls it before
    ///     this method returns.
    /// - Returns: An identifier to cancel the request with, or `PHInvalidImageRequestID` for a
    ///   synchronous request.
    @discardableResult
    open func requestImage(
        for asset: PHAsset,
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        options: PHImageRequestOptions?,
        resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let isSynchronous = options?.isSynchronous ?? false
        let id = isSynchronous ? PHInvalidImageRequestID : nextID()
        let specification = ImageSpecification(
            asset,
            targetSize: targetSize,
            contentMode: contentMode,
            options: options
        )
        guard let specification else {
            let unavailable = UnavailableImage(asset, id: id)
            if isSynchronous {
                resultHandler(nil, unavailable.info)
            } else {
                let handler = Unchecked(value: resultHandler)
                ImageDelivery.shared.deliver { handler.value(nil, unavailable.info) }
            }
            return id
        }
        let task = ImageTask(
            id: id,
            specification: specification,
            network: Self.network(options, id),
            handler: resultHandler,
            whenEnded: { [self] in forget(id) }
        )
        if isSynchronous {
            task.runSynchronously()
            return id
        }
        if specification.delivery == .opportunistic, ImageDelivery.isOnMain,
            let (image, info) = task.cached
        {
            ImageCache.shared.count(isHit: true)
            resultHandler(image, info)
            return id
        }
        keep(task, id)
        task.start()
        return id
    }

    /// Requests the data of an asset's image file in the requested version, without re-encoding.
    ///
    /// For the current version of an edited asset, this is the rendered file, otherwise the
    /// original.
    ///
    /// - Parameters:
    ///   - asset: An image of a library.
    ///   - options: The version, whether the call is synchronous, and whether and with which
    ///     progress handler the file may be downloaded. All other options are ignored.
    ///   - resultHandler: Called once, with the file's bytes, its uniform type identifier, and the
    ///     orientation that the file declares for its pixels. HEIF, AVIF, JPEG XL and RAW files
    ///     report `up`, because their decoders apply the orientation. The bytes are memory-mapped,
    ///     so a large file costs no memory. Writing to them does not change the file.
    /// - Returns: An identifier to cancel the request with, or `PHInvalidImageRequestID` for a
    ///   synchronous request.
    @discardableResult
    open func requestImageDataAndOrientation(
        for asset: PHAsset,
        options: PHImageRequestOptions?,
        resultHandler:
            @escaping (
                Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?
            ) -> Void
    ) -> PHImageRequestID {
        let isSynchronous = options?.isSynchronous ?? false
        let id = isSynchronous ? PHInvalidImageRequestID : nextID()
        let task = ImageDataTask(
            id: id,
            asset: asset,
            version: ImageRequest.Version(options?.version ?? .current),
            network: Self.network(options, id),
            handler: resultHandler,
            whenEnded: { [self] in forget(id) }
        )
        if isSynchronous {
            task.runSynchronously()
        } else {
            keep(task, id)
            task.start()
        }
        return id
    }

    /// Requests the data of an asset's image file in the requested version, without re-encoding.
    ///
    /// This is the older form of `requestImageDataAndOrientation(for:options:resultHandler:)`.
    @discardableResult
    open func requestImageData(
        for asset: PHAsset,
        options: PHImageRequestOptions?,
        resultHandler:
            @escaping (
                Data?, String?, UIImage.Orientation, [AnyHashable: Any]?
            ) -> Void
    ) -> PHImageRequestID {
        requestImageDataAndOrientation(for: asset, options: options) {
            data,
            type,
            orientation,
            info in
            resultHandler(data, type, UIImage.Orientation(orientation), info)
        }
    }

    // MARK: - Movies

    /// Requests the movie of a video or a Live Photo.
    ///
    /// - Parameters:
    ///   - asset: A video or a Live Photo of a library.
    ///   - options: The version to load, or nil for the current one.
    ///   - resultHandler: Called once, on an unspecified queue. It receives an `AVURLAsset` of the
    ///     library's file, which must not be written to, or nil and the reason under
    ///     `PHImageErrorKey` or `PHImageCancelledKey`. The audio mix is always nil, so the volume
    ///     is unchanged.
    /// - Returns: An identifier to cancel the request with.
    @discardableResult
    open func requestAVAsset(
        forVideo asset: PHAsset,
        options: PHVideoRequestOptions?,
        resultHandler: @escaping (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestMovie(asset, options) { movie, info in resultHandler(movie, nil, info) }
    }

    /// Requests the movie of an asset as a player item.
    ///
    /// It works like ``requestAVAsset(forVideo:options:resultHandler:)``. No player is included.
    @discardableResult
    open func requestPlayerItem(
        forVideo asset: PHAsset,
        options: PHVideoRequestOptions?,
        resultHandler: @escaping (AVPlayerItem?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestMovie(asset, options) { movie, info in
            resultHandler(movie.map { AVPlayerItem(asset: $0) }, info)
        }
    }

    /// Requests an export session for the movie of an asset.
    ///
    /// It works like ``requestAVAsset(forVideo:options:resultHandler:)``. The preset must be one of
    /// `AVAssetExportSession.allExportPresets()`; any other preset is an error.
    @discardableResult
    open func requestExportSession(
        forVideo asset: PHAsset,
        options: PHVideoRequestOptions?,
        exportPreset: String,
        resultHandler: @escaping (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestMovie(asset, options) { movie, info in
            let session = movie.flatMap {
                AVAssetExportSession(asset: $0, presetName: exportPreset)
            }
            var info = info
            if movie != nil, session == nil { info[PHImageErrorKey] = unknownPreset(exportPreset) }
            resultHandler(session, info)
        }
    }

    // MARK: - Live Photos

    /// Requests a Live Photo: its still image at a size, and its movie.
    ///
    /// - Parameters:
    ///   - asset: A Live Photo of a library.
    ///   - targetSize: The size of the still image in pixels. `PHImageManagerMaximumSize`, or zero,
    ///     requests all pixels.
    ///   - contentMode: The way to fit the still image to a size of another aspect ratio.
    ///   - options: The options, or nil for an opportunistic request of the current Live Photo.
    ///   - resultHandler: Called on the main queue, as for an image. It is called once or, for an
    ///     opportunistic request, several times, of which only the last is not degraded. Degraded
    ///     results contain only a still image.
    /// - Returns: An identifier to cancel the request with.
    @discardableResult
    open func requestLivePhoto(
        for asset: PHAsset,
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        options: PHLivePhotoRequestOptions?,
        resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let id = nextID()
        let task = LivePhotoTask(
            id: id,
            asset: asset,
            specification: ImageSpecification(
                asset,
                targetSize: targetSize,
                contentMode: contentMode,
                options: (options ?? PHLivePhotoRequestOptions()).forImage
            ),
            network: NetworkAccess(
                isAllowed: options?.isNetworkAccessAllowed ?? false,
                id: id,
                handler: options?.progressHandler
            ),
            handler: resultHandler,
            whenEnded: { [self] in forget(id) }
        )
        keep(task, id)
        task.start()
        return id
    }

    // MARK: - Canceling

    /// Cancels a request, whose handler is called at most once more, with `PHImageCancelledKey`.
    ///
    /// It has no effect on a request that has finished, or on an unknown identifier.
    open func cancelImageRequest(_ requestID: PHImageRequestID) {
        requests.withLock { $0.running[requestID] }?.cancel()
    }

    /// The size and limit in bytes of the cache that all managers share, and its numbers of hits
    /// and misses.
    package static var cachedImages: ImageCacheStatistics { ImageCache.shared.statistics }

    /// Removes all images from the managers' shared cache.
    package static func forgetCachedImages() { ImageCache.shared.removeAll() }

    /// Sets the size limit in bytes of the cache that all managers share.
    package static func limitCachedImages(inBytes limit: Int) {
        ImageCache.shared.limit(toBytes: limit)
    }

    // MARK: - Running requests

    private static func network(
        _ options: PHImageRequestOptions?,
        _ id: PHImageRequestID
    ) -> NetworkAccess {
        NetworkAccess(
            isAllowed: options?.isNetworkAccessAllowed ?? false,
            id: id,
            handler: options?.progressHandler
        )
    }

    func nextID() -> PHImageRequestID {
        requests.withLock { requests in
            // Skips the identifiers of requests that still run, and the invalid identifier.
            repeat {
                requests.last = requests.last == .max ? 1 : requests.last + 1
            } while requests.running[requests.last] != nil
            return requests.last
        }
    }

    /// Retains a request until it ends, so that it can be canceled.
    func keep(_ request: any RunningRequest, _ id: PHImageRequestID) {
        requests.withLock { $0.running[id] = request }
    }

    func forget(_ id: PHImageRequestID) {
        requests.withLock { $0.running[id] = nil }
    }
}

/// The error and the info dictionary for a request whose asset has no image.
struct UnavailableImage: Sendable {
    let error: PHPhotosError
    let id: PHImageRequestID

    init(_ asset: PHAsset, id: PHImageRequestID) {
        self.id = id
        error = PHPhotosError(Self.error(asset))
    }

    static func error(_ asset: PHAsset) -> LibraryError {
        let isGone = asset.connection != nil
        return LibraryError(
            isGone ? .identifierNotFound : .invalidRequest,
            isGone
                ? "The asset is no longer in its library, so it has no image."
                : "The asset belongs to no library, so it has no image.",
            recovery: "Use assets from a fetch, such as PHAsset.fetchAssets(with:).",
            identifiers: asset.localIdentifier.isEmpty ? [] : [asset.localIdentifier]
        )
    }

    var info: [AnyHashable: Any] {
        [
            PHImageResultRequestIDKey: id,
            PHImageResultIsDegradedKey: false,
            PHImageResultIsInCloudKey: false,
            PHImageErrorKey: error,
        ]
    }
}

/// Wraps a value that is not marked as Sendable, such as a client's handler, for use on another
/// thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}

extension UIImage.Orientation {
    /// Creates the image orientation that corresponds to an EXIF orientation.
    init(_ orientation: CGImagePropertyOrientation) {
        self =
            switch orientation {
            case .up: .up
            case .upMirrored: .upMirrored
            case .down: .down
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .right: .right
            case .rightMirrored: .rightMirrored
            case .left: .left
            }
    }
}
