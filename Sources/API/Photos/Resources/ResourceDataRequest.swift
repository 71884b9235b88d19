internal import Foundation
internal import PhotoModel
internal import Synchronization

/// A request for the bytes of a resource, delivered in chunks until the end or a cancellation.
///
/// Each step runs on the request's serial queue and enqueues the next. No thread is blocked between
/// chunks, and the next chunk is read only after the client's handler returns.
///
/// Unchecked because the client's handlers are not marked as Sendable. They are called one at a
/// time on the serial queue, which also guards all mutable state except `isCancelled`.
final class ResourceDataRequest: @unchecked Sendable {
    private let queue: DispatchQueue
    private let resource: PHAssetResource
    private let progressHandler: PHAssetResourceProgressHandler?
    private let network: NetworkAccess
    private let dataHandler: (Data) -> Void
    private let completionHandler: ((any Error)?) -> Void
    private var reader: ResourceReader?
    private let isCancelled = Atomic(false)

    init(
        _ resource: PHAssetResource,
        options: PHAssetResourceRequestOptions?,
        dataHandler: @escaping (Data) -> Void,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        self.resource = resource
        queue = DispatchQueue(label: "photos.resource-data")
        progressHandler = options?.progressHandler
        network = NetworkAccess(options, on: queue)
        self.dataHandler = dataHandler
        self.completionHandler = completionHandler
    }

    func start() {
        queue.async { self.open() }
    }

    /// Cancels the request, which then delivers at most the current chunk and completes with a
    /// cancellation error.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        network.cancel()
    }

    private func open() {
        network.run { [self] () throws(LibraryError) in
            try throwIfCancelled()
            return try ResourceReader(resource, network)
        } end: { [self] result in
            queue.async { [self] in
                switch result {
                case .success(let reader):
                    self.reader = reader
                    step()
                case .failure(let error): completionHandler(PHPhotosError(error))
                }
            }
        }
    }

    private func step() {
        guard var reader else { return }
        do throws(LibraryError) {
            try throwIfCancelled()
            let chunk = try reader.next()
            self.reader = reader
            guard let chunk else {
                if reader.record.size == 0 { progressHandler?(1) }
                return completionHandler(nil)
            }
            dataHandler(chunk)
            progressHandler?(network.progress(afterReading: reader.progress))
            queue.async { self.step() }
        } catch {
            completionHandler(PHPhotosError(error))
        }
    }

    private func throwIfCancelled() throws(LibraryError) {
        guard isCancelled.load(ordering: .relaxed) else { return }
        throw LibraryError(
            .cancelled,
            "Reading “\(resource.originalFilename)” was canceled.",
            reason: "The program canceled the request.",
            identifiers: [resource.assetLocalIdentifier]
        )
    }
}
