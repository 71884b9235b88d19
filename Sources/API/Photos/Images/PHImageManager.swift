public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// Gives pictures of assets, in any size.
///
/// Every size is in pixels, every picture upright and in sRGB, unless the options prefer HDR.
/// Asynchronous results come on the main queue. A program that does not serve that queue, such as a
/// command that waits for a result on its main thread, gets them on a serial queue of the library after
/// a second in which the main thread only slept.
///
/// Every request ends exactly once: with a picture, with a reason under `PHImageErrorKey`, or with
/// `PHImageCancelledKey`. What is delivered is kept in memory for a while, up to 128 MiB.
open class PHImageManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is a Mutex.

    private struct Requests {
        var running: [PHImageRequestID: any RunningRequest] = [:]
        var last: PHImageRequestID = PHInvalidImageRequestID
    }

    private let requests = Mutex(Requests())
    private static let standard = PHImageManager()

    /// A manager of one's own.
    public override init() {
        super.init()
    }

    /// The manager that programs share.
    @discardableResult
    open class func `default`() -> PHImageManager { standard }

    /// Asks for a picture of an asset; of a movie, its first frame that shows something.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: Pixels; `PHImageManagerMaximumSize`, or zero, for all that there are.
    ///   - contentMode: How the picture goes into a size of another aspect. With exact resizing a
    ///     picture that fits has transparent bars beside it where its aspect is another.
    ///   - options: Nil for an opportunistic request of the current picture.
    ///   - resultHandler: Called on the main queue; once or, for opportunistic requests, several times
    ///     of which the last is not degraded. When the picture is in memory and the caller is on the
    ///     main thread, an opportunistic request calls it before this returns.
    /// - Returns: What cancels the request; `PHInvalidImageRequestID` for a synchronous one.
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

    /// Asks for the file of an asset's picture, untouched: the rendered one of an edited asset's
    /// current version, else the original.
    ///
    /// - Parameters:
    ///   - asset: An image of a library.
    ///   - options: The version, and whether the call is synchronous; what else they say means nothing
    ///     here.
    ///   - resultHandler: Called once, with the file's bytes, its uniform type identifier, and how it
    ///     says that its pixels are turned: `up` for HEIF files, whose decoders turn. The bytes are read
    ///     from the file as they are used, so that a large one costs no memory.
    /// - Returns: What cancels the request; `PHInvalidImageRequestID` for a synchronous one.
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

    /// Asks for the file of an asset's picture, untouched.
    ///
    /// The older form of `requestImageDataAndOrientation(for:options:resultHandler:)`.
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

    /// Asks for the movie of an asset: of a video, or beside a Live Photo's still.
    ///
    /// - Parameters:
    ///   - asset: A video or a Live Photo of a library.
    ///   - options: Which movie; nil for the current one.
    ///   - resultHandler: Called once, on no particular queue: with an `AVURLAsset` of the library's
    ///     file, which must not be written to, or with nil and the reason under `PHImageErrorKey` or
    ///     `PHImageCancelledKey`. The audio mix is nil: files are as loud as they are.
    /// - Returns: What cancels the request.
    @discardableResult
    open func requestAVAsset(
        forVideo asset: PHAsset,
        options: PHVideoRequestOptions?,
        resultHandler: @escaping (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestMovie(asset, options) { movie, info in resultHandler(movie, nil, info) }
    }

    /// Asks for the movie of an asset as a player would take it.
    ///
    /// As ``requestAVAsset(forVideo:options:resultHandler:)``. There is no player here.
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

    /// Asks for what exports the movie of an asset.
    ///
    /// As ``requestAVAsset(forVideo:options:resultHandler:)``. The preset is one of
    /// `AVAssetExportSession.allExportPresets()`; another one is an error.
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

    /// Asks for a Live Photo: its still at a size, and its movie.
    ///
    /// - Parameters:
    ///   - asset: A Live Photo of a library.
    ///   - targetSize: Pixels of the still; `PHImageManagerMaximumSize`, or zero, for all that there
    ///     are.
    ///   - contentMode: How the still goes into a size of another aspect.
    ///   - options: Nil for an opportunistic request of the current Live Photo.
    ///   - resultHandler: Called on the main queue, as for an image: once or, for opportunistic
    ///     requests, several times of which the last is not degraded. What comes before has a still
    ///     only.
    /// - Returns: What cancels the request.
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
            handler: resultHandler,
            whenEnded: { [self] in forget(id) }
        )
        keep(task, id)
        task.start()
        return id
    }

    // MARK: - Cancelling

    /// Cancels a request, whose handler is then called once more at most, with `PHImageCancelledKey`.
    ///
    /// Harmless when it has ended, or was never made.
    open func cancelImageRequest(_ requestID: PHImageRequestID) {
        requests.withLock { $0.running[requestID] }?.cancel()
    }

    /// What managers keep of what they delivered.
    package static var cachedImages: ImageCacheStatistics { ImageCache.shared.statistics }

    /// Lets go of all that managers keep.
    package static func forgetCachedImages() { ImageCache.shared.removeAll() }

    /// Limits what is kept in memory of delivered pictures.
    package static func limitCachedImages(inBytes limit: Int) {
        ImageCache.shared.limit(toBytes: limit)
    }

    // MARK: - Requests under way

    func nextID() -> PHImageRequestID {
        requests.withLock { requests in
            // Numbers of requests that still run are not given twice, nor is that of no request.
            repeat {
                requests.last = requests.last == .max ? 1 : requests.last + 1
            } while requests.running[requests.last] != nil
            return requests.last
        }
    }

    /// Keeps a request until it ends, so that it can be cancelled.
    func keep(_ request: any RunningRequest, _ id: PHImageRequestID) {
        requests.withLock { $0.running[id] = request }
    }

    func forget(_ id: PHImageRequestID) {
        requests.withLock { $0.running[id] = nil }
    }
}

/// The error and result of an asset that has no image at all.
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
                ? "The asset is not in its library any more, so it has no picture."
                : "The asset belongs to no library, so it has no picture.",
            recovery: "Take assets from a fetch, such as PHAsset.fetchAssets(with:).",
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

/// A client's handler on its way to the queue where it is called once.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}

extension UIImage.Orientation {
    /// The same turn by EXIF's number.
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
