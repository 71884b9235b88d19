internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for the data of an image file; its handler is called exactly once.
///
/// Unchecked because the client's handler is not marked as Sendable. It is called once.
final class ImageDataTask: @unchecked Sendable {
    typealias Handler = (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void

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
    private let network: NetworkAccess
    private let handler: Handler
    private let whenEnded: @Sendable () -> Void
    private let machine = Mutex(RequestMachine())

    init(
        id: PHImageRequestID,
        asset: PHAsset,
        version: ImageRequest.Version,
        network: NetworkAccess,
        handler: @escaping Handler,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.asset = asset
        self.version = version
        self.network = network
        self.handler = handler
        self.whenEnded = whenEnded
    }

    func runSynchronously() {
        network.allowWaiting()
        let result = outcome(Swift.Result { () throws(LibraryError) in try read() })
        handler(result.data, result.type, result.orientation, result.info)
    }

    func start() {
        network.whenStopped { [weak self] in self?.cancel() }
        ImageTask.slow.add { [self] in
            guard machine.withLock(\.isOpen) else { return }
            network.run { [self] () throws(LibraryError) in
                try read()
            } end: { [self] result in
                deliver(outcome(result), as: .last)
            }
        }
    }

    /// Cancels the request and reports the cancellation, unless the request has already ended.
    func cancel() {
        if machine.withLock({ $0.cancel() }) == .ignore { return }
        network.cancel()
        var result = Result(info: information)
        result.info[PHImageCancelledKey] = true
        deliver(result, as: .cancellation)
    }

    private func deliver(_ result: Result, as kind: RequestMachine.Result) {
        ImageDelivery.shared.deliver { [self] in
            if machine.withLock({ $0.deliver(kind) }) == .drop { return }
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

    private func read() throws(LibraryError) -> Result {
        guard let record = asset.record, let connection = asset.connection else {
            return Result(info: UnavailableImage(asset, id: id).info)
        }
        guard record.mediaType == .image else {
            throw LibraryError(
                .notSupportedForAsset,
                "The asset is not an image, so it has no image data.",
                recovery: "Read a movie's file through PHAssetResourceManager.",
                identifiers: [record.localIdentifier]
            )
        }
        let service = try connection.service()
        let request = ImageDataRequest(assetUUID: record.uuid, version: version)
        let wanted = DownloadRequest.File.image(assetUUID: record.uuid, version: version)
        let (reply, file) = try network.attempt([wanted], of: connection) {
            () throws(LibraryError) in
            try service.imageData(request)
        }
        var result = Result(info: information)
        result.data = try Self.map(file, reply.resource)
        result.type = reply.resource.contentType
        result.orientation =
            CGImagePropertyOrientation(rawValue: UInt32(reply.orientation.rawValue)) ?? .up
        result.info[imageFileURLKey] = reply.path.map { URL(fileURLWithPath: $0) }
        return result
    }

    private func outcome(_ result: Swift.Result<Result, LibraryError>) -> Result {
        do throws(LibraryError) {
            return try result.get()
        } catch {
            var failed = Result(info: information)
            failed.info[PHImageResultIsInCloudKey] = error.isInCloud
            failed.info[PHImageErrorKey] = PHPhotosError(error)
            if error.code == .cancelled { failed.info[PHImageCancelledKey] = true }
            return failed
        }
    }

    /// Maps a file into memory, which is safe because a library never changes or truncates its
    /// files.
    ///
    /// The data's owner may write to it, which `Data` does in place: the kernel then copies the
    /// pages that change, and the file stays as it is.
    private static func map(
        _ file: Descriptor,
        _ resource: ResourceRecord
    ) throws(LibraryError) -> Data {
        let length = Int(resource.size)
        guard length > 0 else { return Data() }
        let memory = withExtendedLifetime(file) {
            mmap(
                nil,
                length,
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_NORESERVE,
                file.number,
                0
            )
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
