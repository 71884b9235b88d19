internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import PhotoModel
internal import RemoteLibrary

/// The downloads that callers wait for, with at most one download of each content at a time.
///
///     running ──end──▶ ended
///        └──last waiter leaves──▶ canceled
///
/// Thread-safe.
final class RequestedDownloads: ContentDownloading {
    /// A download that one or several callers wait for.
    final class Download: Sendable {
        struct State {
            var waiters = 1
            var received: Int64 = 0
            var size: Int64 = 0
            var isCancelled = false
            var task: Task<Void, Never>?
            var outcome: Result<Void, LibraryError>?
        }

        private let monitor = Monitor(State())

        /// Adds a waiter, or returns false if the download was canceled or has ended.
        fileprivate func join() -> Bool {
            monitor.withLock { state in
                guard !state.isCancelled, state.outcome == nil else { return false }
                state.waiters += 1
                return true
            }
        }

        /// Removes a waiter, and cancels the download if no other waiter remains.
        fileprivate func leave() {
            monitor.update { state in
                state.waiters -= 1
                if state.waiters == 0 { Self.cancel(&state) }
            }
        }

        fileprivate func cancel() { monitor.update(Self.cancel) }

        private static func cancel(_ state: inout State) {
            state.isCancelled = true
            state.task?.cancel()
        }

        /// Runs the transfer in a task, and cancels the task when the download is canceled.
        func run(_ body: @escaping @Sendable () async -> Void) {
            monitor.update { state in
                let task = Task { await body() }
                state.task = task
                if state.isCancelled { task.cancel() }
            }
        }

        var isCancelled: Bool { monitor.withLock(\.isCancelled) }

        func note(size: Int64) { monitor.update { $0.size = size } }

        /// Records the number of verified bytes, which never decreases for the waiters.
        ///
        /// A resumed download that starts from the beginning again verifies bytes twice.
        func note(received: Int64) {
            monitor.update { $0.received = max($0.received, received) }
        }

        func end(_ outcome: Result<Void, LibraryError>) {
            monitor.update { state in
                state.outcome = state.outcome ?? outcome
                state.task = nil
            }
        }

        /// Waits for the outcome of the download; returns nil if the deadline passes first.
        fileprivate func wait(
            before deadline: SuspendingClock.Instant?
        ) -> Result<Void, LibraryError>? {
            monitor.wait(before: deadline) { $0.outcome }
        }

        fileprivate var progress: (received: Int64, size: Int64) {
            monitor.withLock { ($0.received, $0.size) }
        }
    }

    /// The minimum time between two progress reports.
    private static let pause = Duration.milliseconds(100)

    /// The time after the last request during which a file counts as in use.
    private static let useTime = Duration.seconds(3_600)

    private struct State {
        var downloads: [ContentID: Download] = [:]
        /// The time of the last request for each content.
        var requests: [ContentID: SuspendingClock.Instant] = [:]
        /// The number of entries in `requests` above which old ones are removed.
        var requestLimit = 1_024
        var isStopping = false

        mutating func note(_ content: ContentID) {
            requests[content] = .now
            guard requests.count > requestLimit else { return }
            forgetOldRequests()
            requestLimit = max(1_024, 2 * requests.count)
        }

        mutating func forgetOldRequests() {
            let start = SuspendingClock.now - useTime
            requests = requests.filter { $0.value > start }
        }
    }

    /// The contents that were requested within the last hour.
    var recent: Set<ContentID> {
        monitor.update { state in
            state.forgetOldRequests()
            return Set(state.requests.keys)
        }
    }

    private let monitor = Monitor(State())
    /// The closure that begins a download, and blocks until its transfer has started or failed.
    private let start: @Sendable (ContentID, Download) -> Void

    /// Creates an instance with a closure that begins a download.
    init(start: @escaping @Sendable (ContentID, Download) -> Void) { self.start = start }

    func download(
        _ content: ContentID,
        progress: @Sendable (_ received: Int64, _ size: Int64) -> Bool
    ) throws(LibraryError) {
        let download = try join(content)
        var reported: (Int64, Int64)?
        while true {
            if let outcome = download.wait(before: .now + Self.pause) {
                if case .success = outcome {
                    let last = download.progress
                    if last.size > 0, reported.map({ $0 != last }) ?? true {
                        _ = progress(last.size, last.size)
                    }
                }
                return try outcome.get()
            }
            let present = download.progress
            reported = present
            guard progress(present.received, present.size) else {
                download.leave()
                throw Self.cancelled
            }
        }
    }

    /// Joins the download of a content if one is in progress; otherwise begins a new download on a
    /// new thread.
    private func join(_ content: ContentID) throws(LibraryError) -> Download {
        let (download, isNew) = monitor.update { state -> (Download?, Bool) in
            guard !state.isStopping else { return (nil, false) }
            state.note(content)
            if let known = state.downloads[content], known.join() { return (known, false) }
            let made = Download()
            state.downloads[content] = made
            return (made, true)
        }
        guard let download else { throw Self.cancelled }
        guard isNew else { return download }
        let isStarted = NamedThread.start("photos-download") { [self] in
            start(content, download)
            _ = download.wait(before: nil)
            monitor.update { state in
                if state.downloads[content] === download { state.downloads[content] = nil }
            }
        }
        if !isStarted {
            monitor.update { $0.downloads[content] = nil }
            download.end(.failure(Self.cancelled))
        }
        return download
    }

    /// Cancels all downloads and waits until they have ended.
    ///
    /// New downloads fail until `resume()` is called.
    func stop() {
        let running = monitor.update { state in
            state.isStopping = true
            return Array(state.downloads.values)
        }
        for download in running { download.cancel() }
        for download in running { _ = download.wait(before: nil) }
    }

    /// Permits downloads again after `stop()`.
    func resume() { monitor.update { $0.isStopping = false } }

    static let cancelled = LibraryError(
        .cancelled,
        "The download was canceled.",
        recovery: "Try again."
    )
}
