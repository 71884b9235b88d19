internal import Dispatch
public import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Reads the files of assets, byte for byte as they were imported.
///
/// Memory use does not depend on the file's size. Each request calls its handlers one at a time,
/// and its completion handler exactly once, on a serial queue of its own. A completion handler may
/// therefore wait for other requests.
open class PHAssetResourceManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is a Mutex.

    private struct Requests {
        var running: [PHAssetResourceDataRequestID: ResourceDataRequest] = [:]
        var last: PHAssetResourceDataRequestID = PHInvalidAssetResourceDataRequestID
    }

    private let requests = Mutex(Requests())
    private static let standard = PHAssetResourceManager()

    /// The queue of writes, limited to two at a time because more would only compete for the disk.
    private static let writers = WorkQueue(
        label: "photos.resource-writers",
        width: 2,
        qos: .default
    )

    /// Creates a manager that is separate from the shared manager.
    public override init() {
        super.init()
    }

    /// Returns the shared manager.
    @discardableResult
    open class func `default`() -> PHAssetResourceManager { standard }

    /// Reads a resource in chunks.
    ///
    /// The next chunk is read after the handler returns, so a slow handler delays reading instead
    /// of increasing memory use.
    ///
    /// - Parameters:
    ///   - resource: A resource of an asset in a library.
    ///   - options: The options with a progress handler, or nil.
    ///   - handler: Called with each chunk, in order.
    ///   - completionHandler: Called once at the end, with nil or a ``PHPhotosError``. The error is
    ///     `userCancelled` if the request was canceled.
    /// - Returns: An identifier to cancel the request with.
    @discardableResult
    open func requestData(
        for resource: PHAssetResource,
        options: PHAssetResourceRequestOptions?,
        dataReceivedHandler handler: @escaping (Data) -> Void,
        completionHandler: @escaping ((any Error)?) -> Void
    ) -> PHAssetResourceDataRequestID {
        let id = requests.withLock { requests in
            // Skips the identifiers of requests that still run, and the invalid identifier.
            repeat {
                requests.last = requests.last == .max ? 1 : requests.last + 1
            } while requests.running[requests.last] != nil
            return requests.last
        }
        let request = ResourceDataRequest(
            resource,
            options: options,
            dataHandler: handler
        ) { [self] error in
            requests.withLock { $0.running[id] = nil }
            completionHandler(error)
        }
        requests.withLock { $0.running[id] = request }
        request.start()
        return id
    }

    /// Cancels a data request.
    ///
    /// It has no effect on a request that has finished, or on an unknown identifier.
    open func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) {
        requests.withLock { $0.running[requestID] }?.cancel()
    }

    /// Writes a resource to a new file, byte for byte as it was imported.
    ///
    /// The bytes are first written to a hidden file in the same folder, which is then renamed
    /// atomically, so a reader never sees a partial file. If the file system supports it, the bytes
    /// are shared instead of copied.
    ///
    /// - Parameters:
    ///   - resource: A resource of an asset in a library.
    ///   - fileURL: The file to create. Its folder must exist. An existing file is left unchanged
    ///     and reported as an error.
    ///   - options: The options with a progress handler, or nil.
    ///   - completionHandler: Called once, with nil or a ``PHPhotosError``. The error is
    ///     `notEnoughSpace` if the volume is full.
    open func writeData(
        for resource: PHAssetResource,
        toFile fileURL: URL,
        options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        let writer = ResourceWriter(
            resource: resource,
            fileURL: fileURL,
            progressHandler: options?.progressHandler,
            network: NetworkAccess(options),
            isCancelled: { false }
        )
        Self.start(writer, completionHandler)
    }

    /// Writes a resource to a new file, byte for byte as it was imported.
    ///
    /// This is the asynchronous form of the method with a completion handler. If the task is
    /// canceled, no file is left behind.
    ///
    /// - Throws: ``PHPhotosError``; `userCancelled` if the task was canceled.
    open func writeData(
        for resource: PHAssetResource,
        toFile fileURL: URL,
        options: PHAssetResourceRequestOptions?
    ) async throws {
        let cancellation = Cancellation()
        let progressHandler = options?.progressHandler
        let network = NetworkAccess(options)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let writer = ResourceWriter(
                    resource: resource,
                    fileURL: fileURL,
                    progressHandler: progressHandler,
                    network: network,
                    isCancelled: { cancellation.isCancelled.load(ordering: .relaxed) }
                )
                Self.start(writer) { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume()
                    }
                }
            }
        } onCancel: {
            cancellation.isCancelled.store(true, ordering: .relaxed)
            network.cancel()
        }
    }

    /// Writes a resource to a new file like ``writeData(for:toFile:options:)``, and waits for it.
    ///
    /// No task of Swift concurrency is needed, whose threads blocks of the program may occupy.
    ///
    /// - Parameters:
    ///   - resource: A resource of an asset in a library.
    ///   - fileURL: The file to create.
    ///   - isCancelled: Returns whether to stop; called before each step.
    /// - Throws: ``PHPhotosError``; `userCancelled` if the write was stopped.
    package static func write(
        _ resource: PHAssetResource,
        to fileURL: URL,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        let writer = ResourceWriter(
            resource: resource,
            fileURL: fileURL,
            progressHandler: nil,
            network: NetworkAccess(isAllowed: false),
            isCancelled: isCancelled
        )
        let failure = Mutex<(any Error)?>(nil)
        let finished = DispatchSemaphore(value: 0)
        start(writer) { error in
            failure.withLock { $0 = error }
            finished.signal()
        }
        finished.wait()
        if let error = failure.withLock(\.self) { throw error }
    }

    private static func start(
        _ writer: ResourceWriter,
        _ completionHandler: @escaping ((any Error)?) -> Void
    ) {
        let work = WriteWork(writer: writer, completionHandler: completionHandler)
        writers.add { work.run() }
    }
}

/// Wraps a write so that it can run on another thread.
///
/// Unchecked because the client's handlers are not marked as Sendable. The single operation that
/// runs the write calls them one at a time, and the completion handler is called after the others.
private struct WriteWork: @unchecked Sendable {
    let writer: ResourceWriter
    let completionHandler: ((any Error)?) -> Void

    func run() {
        writer.network.run { [self] () throws(LibraryError) in
            try writer.write()
        } end: { [self] result in
            // A queue of its own, because the handler may wait for another write, which needs a
            // thread of the writers.
            DispatchQueue(label: "photos.resource-writers.results").async { [self] in
                switch result {
                case .success: completionHandler(nil)
                case .failure(let error): completionHandler(PHPhotosError(error))
                }
            }
        }
    }
}

private final class Cancellation: Sendable {
    let isCancelled = Atomic(false)
}
