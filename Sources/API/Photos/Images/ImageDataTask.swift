internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for the file of an image, which ends exactly once.
///
/// Unchecked because the client's handler is not marked as Sendable. It is called once.
final class ImageDataTask: @unchecked Sendable {
    typealias Handler = (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void

    private struct State {
        var isCancelled = false
        var isEnded = false
    }

    private struct Result: @unchecked Sendable {
        // Unchecked because an untyped dictionary cannot be Sendable. Nothing else references this
        // one.
        var data: Data?
        var type: String?
        var orientation = CGImagePropertyOrientation.up
        var info: [AnyHashable: Any]
    }

    private let id: PHImageRequestID
    private let asset: PHAsset
    private let version: ImageRequest.Version
    private let handler: Handler
    private let whenEnded: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        id: PHImageRequestID,
        asset: PHAsset,
        version: ImageRequest.Version,
        handler: @escaping Handler,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.asset = asset
        self.version = version
        self.handler = handler
        self.whenEnded = whenEnded
    }

    func runSynchronously() {
        let result = read()
        handler(result.data, result.type, result.orientation, result.info)
    }

    func start() {
        ImageTask.slow.add { [self] in
            guard !state.withLock({ $0.isCancelled }) else { return }
            deliver(read(), isCancellation: false)
        }
    }

    /// Cancels the request and reports the cancellation; it has no effect after the request has
    /// ended.
    func cancel() {
        let isNew = state.withLock { state in
            guard !state.isCancelled, !state.isEnded else { return false }
            state.isCancelled = true
            return true
        }
        guard isNew else { return }
        var result = Result(info: information)
        result.info[PHImageCancelledKey] = true
        deliver(result, isCancellation: true)
    }

    private func deliver(_ result: Result, isCancellation: Bool) {
        ImageDelivery.shared.deliver { [self] in
            let isWanted = state.withLock { state in
                guard !state.isEnded, state.isCancelled == isCancellation else { return false }
                state.isEnded = true
                return true
            }
            guard isWanted else { return }
            handler(result.data, result.type, result.orientation, result.info)
            whenEnded()
        }
    }

    private var information: [AnyHashable: Any] {
        [
            PHImageResultRequestIDKey: id,
            PHImageResultIsDegradedKey: false,
            PHImageResultIsInCloudKey: false,
        ]
    }

    private func read() -> Result {
        guard let record = asset.record, let connection = asset.connection else {
            return Result(info: UnavailableImage(asset, id: id).info)
        }
        var result = Result(info: information)
        do throws(LibraryError) {
            guard record.mediaType == .image else {
                throw LibraryError(
                    .notSupportedForAsset,
                    "The asset is not an image, so it has no image data.",
                    recovery: "Read a movie's file through PHAssetResourceManager.",
                    identifiers: [record.localIdentifier]
                )
            }
            let request = ImageDataRequest(assetUUID: record.uuid, version: version)
            let (reply, file) = try connection.service().imageData(request)
            result.data = try Self.map(file, reply.resource)
            result.type = reply.resource.contentType
            result.orientation =
                CGImagePropertyOrientation(rawValue: UInt32(reply.orientation.rawValue)) ?? .up
            result.info[imageFileURLKey] = reply.path.map { URL(fileURLWithPath: $0) }
        } catch {
            result.info[PHImageResultIsInCloudKey] = error.isInCloud
            result.info[PHImageErrorKey] = PHPhotosError(error)
        }
        return result
    }

    /// Maps a file into memory, which is safe because a library never changes or truncates its
    /// files.
    private static func map(
        _ file: Descriptor,
        _ resource: ResourceRecord
    ) throws(LibraryError) -> Data {
        let length = Int(resource.size)
        guard length > 0 else { return Data() }
        let memory = withExtendedLifetime(file) {
            mmap(nil, length, PROT_READ, MAP_PRIVATE, file.number, 0)
        }
        guard let memory, memory != MAP_FAILED else {
            throw LibraryError(
                .inputOutput,
                "The file of “\(resource.originalFilename)” cannot be read.",
                reason: String(cString: strerror(errno)),
                path: resource.path
            )
        }
        return Data(
            bytesNoCopy: memory,
            count: length,
            deallocator: .custom { pointer, count in munmap(pointer, count) }
        )
    }
}
