internal import Photos
internal import Synchronization

/// The history of each image request: how often its handler was called, and when.
///
/// Thread-safe, since handlers may be called on any queue when nothing serves the main one.
package final class RequestBook: Sendable {
    /// A request with its calls.
    package struct Entry: Sendable {
        /// The time of the request.
        package var start: ContinuousClock.Instant
        /// The time from the request to the first call with a picture or an error; nil if there was
        /// none.
        package var first: Duration?
        /// The number of calls of any kind.
        package var calls = 0
        /// The number of calls that must be the last: the final picture, an error or a
        /// cancellation.
        package var ends = 0
        /// The number of calls after such a call.
        package var lateCalls = 0
        package var wasCancelled = false
        package var hasError = false
        package var hasPicture = false
    }

    private struct State {
        var entries: [Entry] = []
        var open = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Records a request that is about to be made.
    ///
    /// - Returns: The number of the request.
    package func open() -> Int {
        state.withLock { state in
            state.entries.append(Entry(start: .now))
            state.open += 1
            return state.entries.count - 1
        }
    }

    /// Records a call of a request's handler.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - hasPicture: Whether the handler received a picture.
    ///   - info: The info dictionary that the handler received.
    package func record(_ number: Int, hasPicture: Bool, info: [AnyHashable: Any]?) {
        let isCancelled = info?[PHImageCancelledKey] as? Bool ?? false
        let hasError = info?[PHImageErrorKey] != nil
        let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool ?? false
        let isEnd = isCancelled || hasError || !isDegraded
        let now = ContinuousClock.now
        state.withLock { state in
            var entry = state.entries[number]
            if entry.ends > 0 { entry.lateCalls += 1 }
            entry.calls += 1
            if isEnd { entry.ends += 1 }
            if isEnd, entry.ends == 1 { state.open -= 1 }
            if !isCancelled, entry.first == nil { entry.first = now - entry.start }
            entry.wasCancelled = entry.wasCancelled || isCancelled
            entry.hasError = entry.hasError || hasError
            entry.hasPicture = entry.hasPicture || hasPicture
            state.entries[number] = entry
        }
    }

    /// The number of requests that have not ended.
    package var openCount: Int { state.withLock { $0.open } }

    /// All requests, in the order in which they were made.
    package var entries: [Entry] { state.withLock { $0.entries } }
}

/// The figures of a fling.
package struct FlingFigures: Codable, Sendable {
    /// The number of requests.
    package var requests = 0
    /// The number of requests that ended with a picture.
    package var delivered = 0
    /// The number of requests that ended with an error.
    package var failed = 0
    /// The number of requests that ended as canceled.
    package var cancelled = 0
    /// The number of requests that never ended.
    package var lost = 0
    /// The number of requests that ended twice, or whose handler was called after their end.
    package var doubled = 0
    /// The number of cells that were scrolled out before they had a picture.
    package var unseen = 0
    /// The median time from the request to the first call, in milliseconds.
    package var firstMedian = 0.0
    /// The 95th percentile of the same time.
    package var first95 = 0.0

    /// Calculates the figures of a book.
    package init(_ book: RequestBook) {
        let entries = book.entries
        requests = entries.count
        for entry in entries {
            if entry.ends == 0 { lost += 1 }
            if entry.ends > 1 || entry.lateCalls > 0 { doubled += 1 }
            if entry.wasCancelled {
                cancelled += 1
                if !entry.hasPicture { unseen += 1 }
            } else if entry.hasError {
                failed += 1
            } else if entry.ends == 1, entry.hasPicture {
                delivered += 1
            }
        }
        let times = entries.compactMap(\.first).map { $0 / .milliseconds(1) }.sorted()
        guard !times.isEmpty else { return }
        firstMedian = times[times.count / 2]
        first95 = times[min(times.count - 1, times.count * 95 / 100)]
    }
}
