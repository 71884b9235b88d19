public import Foundation
internal import PhotoModel
internal import Synchronization

/// Reads the files of assets, byte for byte as they were imported.
///
/// Memory stays flat whatever a file's size is. Handlers are called on a serial queue of their
/// request's own; completion handlers exactly once, whatever happens.
open class PHAssetResourceManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is a Mutex.

    private struct Requests {
        var running: [PHAssetResourceDataRequestID: ResourceDataRequest] = [:]
        var last: PHAssetResourceDataRequestID = PHInvalidAssetResourceDataRequestID
    }

    private let requests = Mutex(Requests())
    private static let standard = PHAssetResourceManager()

    /// Writes at most two files at a time: more would only compete for the disk.
    private static let writers: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "photos.resource-writers"
        queue.maxConcurrentOperationCount = 2
        return queue
    }()

    /// A manager of one's own.
    public override init() {
        super.init()
    }

    /// The manager that programs share.
    @discardableResult
    open class func `default`() -> PHAssetResourceManager { standard }

    /// Reads a resource in chunks.
    ///
    /// The next chunk is read when the handler has returned, so a slow program holds back the reading
    /// and not the memory.
    ///
    /// - Parameters:
    ///   - resource: A resource of an asset in a library.
    ///   - options: Who hears of progress; nil for nobody.
    ///   - handler: Called with each chunk, in order.
    ///   - completionHandler: Called once at the end: with nil, or with a ``PHPhotosError``, which is
    ///     `userCancelled` when the request was cancelled.
    /// - Returns: What cancels the request.
    @discardableResult
    open func requestData(
        for resource: PHAssetResource,
        options: PHAssetResourceRequestOptions?,
        dataReceivedHandler handler: @escaping (Data) -> Void,
        completionHandler: @escaping ((any Error)?) -> Void
    ) -> PHAssetResourceDataRequestID {
        let id = requests.withLock { requests in
            // Numbers of requests that still run are not given twice, nor is that of no request.
            repeat {
                requests.last = requests.last == .max ? 1 : requests.last + 1
            } while requests.running[requests.last] != nil
            return requests.last
        }
        let request = ResourceDataRequest(
            resource,
            progressHandler: options?.progressHandler,
            dataHandler: handler
        ) { [self] error in
            requests.withLock { $0.running[id] = nil }
            completionHandler(error)
        }
        requests.withLock { $0.running[id] = request }
        request.start()
        return id
    }

    /// Stops a request for data.
    ///
    /// Harmless when it has ended, or was never made.
    open func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) {
        requests.withLock { $0.running[requestID] }?.cancel()
    }

    /// Writes a resource to a new file, byte for byte as it was imported.
    ///
    /// The bytes first go to a hidden sibling of the file, which then gets its name in one step, so a
    /// reader never sees half a file. Where the file system can, they are shared and not copied.
    ///
    /// - Parameters:
    ///   - resource: A resource of an asset in a library.
    ///   - fileURL: The file to create. Its folder has to exist. A file that is there is left as it
    ///     was, which is an error.
    ///   - options: Who hears of progress; nil for nobody.
    ///   - completionHandler: Called once: with nil, or with a ``PHPhotosError``, which is
    ///     `notEnoughSpace` when the volume is full.
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
            isCancelled: { false }
        )
        Self.start(writer, completionHandler)
    }

    /// Writes a resource to a new file, byte for byte as it was imported.
    ///
    /// Like the form with a completion handler. When the task is cancelled nothing is left at the
    /// file's place.
    ///
    /// - Throws: ``PHPhotosError``; `userCancelled` when the task was cancelled.
    open func writeData(
        for resource: PHAssetResource,
        toFile fileURL: URL,
        options: PHAssetResourceRequestOptions?
    ) async throws {
        let cancellation = Cancellation()
        let progressHandler = options?.progressHandler
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let writer = ResourceWriter(
                    resource: resource,
                    fileURL: fileURL,
                    progressHandler: progressHandler,
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
        }
    }

    private static func start(
        _ writer: ResourceWriter,
        _ completionHandler: @escaping ((any Error)?) -> Void
    ) {
        let work = WriteWork(writer: writer, completionHandler: completionHandler)
        writers.addOperation { work.run() }
    }
}

/// A write on its way to the queue.
///
/// Unchecked because the client's handlers do not say that they are Sendable: they are called from the
/// one operation that runs this, one after the other.
private struct WriteWork: @unchecked Sendable {
    let writer: ResourceWriter
    let completionHandler: ((any Error)?) -> Void

    func run() {
        do throws(LibraryError) {
            try writer.write()
        } catch {
            return completionHandler(PHPhotosError(error))
        }
        completionHandler(nil)
    }
}

private final class Cancellation: Sendable {
    let isCancelled = Atomic(false)
}
