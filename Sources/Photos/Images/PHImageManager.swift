public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// Gives pictures of assets, in any size.
///
/// Every size is in pixels, every picture upright and in sRGB. Asynchronous results come on the main
/// queue. A program that does not serve that queue, such as a command that waits for a result on its
/// main thread, gets them on a serial queue of the library after a second in which the main thread only
/// slept.
///
/// Every request ends exactly once: with a picture, with a reason under `PHImageErrorKey`, or with
/// `PHImageCancelledKey`. What is delivered is kept in memory for a while, up to 128 MiB.
open class PHImageManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is a Mutex.

    private struct Requests {
        var running: [PHImageRequestID: ImageTask] = [:]
        var last: PHImageRequestID = PHInvalidImageRequestID
    }

    private let requests = Mutex(Requests())
    private static let standard = PHImageManager()

    /// A manager of one's own.
    public override init() {
        super.init()
    }

    /// The manager that programs share.
    open class func `default`() -> PHImageManager { standard }

    /// Asks for a picture of an asset; of a movie, its first frame that shows something.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - targetSize: Pixels; `PHImageManagerMaximumSize` for all that there are.
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
            let refusal = Refusal(asset, id: id)
            if isSynchronous {
                resultHandler(nil, refusal.info)
            } else {
                let handler = Unchecked(value: resultHandler)
                ImageDelivery.shared.deliver { handler.value(nil, refusal.info) }
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
            resultHandler(image, info)
            return id
        }
        requests.withLock { $0.running[id] = task }
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
            whenEnded: { [self] in forgetData(id) }
        )
        if isSynchronous {
            task.runSynchronously()
        } else {
            dataRequests.withLock { $0[id] = task }
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

    /// Cancels a request, whose handler is then called once more at most, with `PHImageCancelledKey`.
    ///
    /// Harmless when it has ended, or was never made.
    open func cancelImageRequest(_ requestID: PHImageRequestID) {
        requests.withLock { $0.running[requestID] }?.cancel()
        dataRequests.withLock { $0[requestID] }?.cancel()
    }

    private let dataRequests = Mutex<[PHImageRequestID: ImageDataTask]>([:])

    private func nextID() -> PHImageRequestID {
        requests.withLock { requests in
            // Numbers of requests that still run are not given twice, nor is that of no request.
            repeat {
                requests.last = requests.last == .max ? 1 : requests.last + 1
            } while requests.running[requests.last] != nil
            return requests.last
        }
    }

    private func forget(_ id: PHImageRequestID) {
        requests.withLock { $0.running[id] = nil }
    }

    private func forgetData(_ id: PHImageRequestID) {
        dataRequests.withLock { $0[id] = nil }
    }
}

/// Why an asset has no picture whatever is asked for.
struct Refusal: Sendable {
    let error: PHPhotosError
    let id: PHImageRequestID

    init(_ asset: PHAsset, id: PHImageRequestID) {
        self.id = id
        let isGone = asset.connection != nil
        error = PHPhotosError(
            LibraryError(
                isGone ? .identifierNotFound : .invalidRequest,
                isGone
                    ? "The asset is not in its library any more, so it has no picture."
                    : "The asset belongs to no library, so it has no picture.",
                recovery: "Take assets from a fetch, such as PHAsset.fetchAssets(with:).",
                identifiers: asset.localIdentifier.isEmpty ? [] : [asset.localIdentifier]
            )
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
