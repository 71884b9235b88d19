internal import Dispatch
internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The network access of one request, for downloading files that are only in the cloud.
///
///     call ──file is local──▶ result
///       └──only in the cloud──▶ may download? ──no──▶ networkAccessRequired
///                                    └──yes──▶ queue of downloads ──▶ download ──▶ call again
///
/// 1. A request that needs a download continues on the queue of downloads, so requests for local
///    files never wait for the network.
/// 2. The progress handler is called by one thread at a time, with increasing fractions from 0 to 1
///    for each download, and not after a cancellation.
/// 3. A cancellation ends the download, or the wait for a thread, with `cancelled`. A download that
///    the library cancels fails with `networkError`.
///
/// Unchecked because the progress handler calls a client's handler, which is not marked as
/// Sendable. It is set before the request starts, and called by one thread at a time.
final class NetworkAccess: @unchecked Sendable {
    /// A closure that receives the completed fraction or the failure of a download, and returns
    /// whether to stop the download.
    typealias Progress = (_ fraction: Double, _ failure: LibraryError?) -> Bool

    private struct State {
        /// Indicates whether the thread that runs the request may wait for a download.
        var mayWait = false
        /// The last reported fraction of the running download; nil before the first report.
        var fraction: Double?
        var hasDownloaded = false
        /// A closure that ends the request with a cancellation error; nil unless the request is
        /// waiting in the download queue.
        var waiting: (@Sendable () -> Void)?
        var whenStopped: (@Sendable () -> Void)?
    }

    /// The queue on which requests wait for downloads.
    ///
    /// Its width is the number of calls that a connection to the daemon permits.
    private static let queue = WorkQueue(label: "photos.downloads", width: 16)

    let isAllowed: Bool
    var progress: Progress?
    private let cancellation = CallCancellation()
    private let state = Mutex(State())

    init(isAllowed: Bool, progress: Progress? = nil) {
        self.isAllowed = isAllowed
        self.progress = progress
    }

    // MARK: - Running

    /// Permits the calling thread to wait for downloads; called by synchronous requests.
    func allowWaiting() { state.withLock { $0.mayWait = true } }

    /// Runs the work of a request, and passes the result to a closure.
    ///
    /// If the work needs a download that is allowed, it is run again on the queue of downloads.
    ///
    /// - Parameters:
    ///   - work: The work, whose calls go through `attempt`.
    ///   - end: Receives the result, once.
    func run<Value>(
        _ work: @escaping @Sendable () throws(LibraryError) -> Value,
        end: @escaping @Sendable (Result<Value, LibraryError>) -> Void
    ) {
        let first = Result { () throws(LibraryError) in try work() }
        guard case .failure(let error) = first, error.isInCloud, isAllowed else {
            return end(first)
        }
        let isLate = state.withLock { state in
            if cancellation.isCancelled { return true }
            state.mayWait = true
            state.waiting = { end(.failure(.cancelled)) }
            return false
        }
        if isLate { return end(.failure(.cancelled)) }
        Self.queue.add { [self] in
            guard takeWaiting() != nil else { return }
            let result = Result { () throws(LibraryError) in try work() }
            // Later work of the request begins on another queue.
            state.withLock { $0.mayWait = false }
            end(result)
        }
    }

    private func takeWaiting() -> (@Sendable () -> Void)? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    /// Makes a call to the library; if the call needs files that are only in the cloud, downloads
    /// them and repeats the call.
    ///
    /// If the request may not download files, or the thread may not wait, the call is not repeated
    /// and its error is thrown.
    ///
    /// - Parameters:
    ///   - files: The files to download. Those that are already local are ignored.
    ///   - connection: The library.
    ///   - call: The call.
    /// - Returns: The result of the call.
    /// - Throws: The errors of the call and of the download.
    func attempt<Value>(
        _ files: [DownloadRequest.File],
        of connection: LibraryConnection,
        _ call: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        do throws(LibraryError) {
            return try call()
        } catch {
            guard error.isInCloud, isAllowed, state.withLock(\.mayWait) else { throw error }
        }
        try download(files, connection)
        return try call()
    }

    // MARK: - Canceling

    /// Sets the closure to call when a progress handler sets its `stop` flag.
    ///
    /// A closure that is already set is kept. Without a closure, the download is canceled.
    func whenStopped(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.whenStopped == nil { state.whenStopped = body }
        }
    }

    /// Cancels the download, or ends the request if the request is still waiting for a thread.
    func cancel() {
        cancellation.cancel()
        takeWaiting()?()
    }

    // MARK: - Downloading

    private func download(
        _ files: [DownloadRequest.File],
        _ connection: LibraryConnection
    ) throws(LibraryError) {
        state.withLock { state in
            state.fraction = nil
            state.hasDownloaded = true
        }
        report(0)
        let context = CallContext(cancellation: cancellation) { [self] progress in
            guard progress.total > 0 else { return }
            report(min(1, max(0, Double(progress.completed) / Double(progress.total))))
        }
        do throws(LibraryError) {
            try context.checkCancellation()
            let service = try connection.service()
            try context.perform { () throws(LibraryError) in
                try service.downloadResources(DownloadRequest(files))
            }
        } catch {
            guard !cancellation.isCancelled else { throw .cancelled }
            // Only the client's own cancellation is reported as one. A host that stops syncing
            // cancels the downloads for which requests wait.
            let failure = error.code == .cancelled ? Self.interruption : error
            _ = progress?(state.withLock(\.fraction) ?? 0, failure)
            throw failure
        }
        report(1)
    }

    private static let interruption = LibraryError(
        .networkError,
        "The download was interrupted.",
        reason: "The library stopped it, for example in order to leave its cloud library.",
        recovery: "Try again."
    )

    private func report(_ fraction: Double) {
        guard let progress, !cancellation.isCancelled else { return }
        let isNew = state.withLock { state in
            guard fraction > state.fraction ?? -1 else { return false }
            state.fraction = fraction
            return true
        }
        guard isNew, progress(fraction, nil) else { return }
        let stop = state.withLock(\.whenStopped)
        if let stop { stop() } else { cancel() }
    }

    /// Returns the overall progress of a request, given the fraction of the file that has been
    /// read.
    ///
    /// If the file was downloaded first, reading it is the second half of the progress.
    func progress(afterReading fraction: Double) -> Double {
        state.withLock(\.hasDownloaded) ? (1 + fraction) / 2 : fraction
    }
}

extension NetworkAccess {
    /// Creates the network access of a request for an image, a movie or a Live Photo.
    convenience init(
        isAllowed: Bool,
        id: PHImageRequestID,
        handler: PHAssetImageProgressHandler?
    ) {
        guard isAllowed, let handler else {
            self.init(isAllowed: isAllowed)
            return
        }
        let queue = DispatchQueue(label: "photos.downloads.progress")
        self.init(isAllowed: true) { fraction, failure in
            queue.sync {
                var stop = ObjCBool(false)
                let info: [AnyHashable: Any] = [
                    PHImageResultRequestIDKey: id,
                    PHImageResultIsInCloudKey: true,
                ]
                handler(fraction, failure.map { PHPhotosError($0) }, &stop, info)
                return stop.boolValue
            }
        }
    }

    /// Creates the network access of a request for a resource.
    ///
    /// The handler receives the download as the first half of the progress.
    ///
    /// - Parameters:
    ///   - options: The options of the request.
    ///   - queue: The queue on which the handler is called; nil for the thread of the download.
    convenience init(_ options: PHAssetResourceRequestOptions?, on queue: DispatchQueue? = nil) {
        let isAllowed = options?.isNetworkAccessAllowed ?? false
        guard isAllowed, let handler = options?.progressHandler else {
            self.init(isAllowed: isAllowed)
            return
        }
        self.init(isAllowed: true) { fraction, failure in
            guard failure == nil else { return false }
            if let queue { queue.sync { handler(fraction / 2) } } else { handler(fraction / 2) }
            return false
        }
    }
}
