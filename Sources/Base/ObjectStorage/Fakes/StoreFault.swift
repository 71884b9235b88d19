internal import Synchronization

/// A request to a store in memory, as its faults see it.
package struct FakeRequest: Hashable, Sendable {
    package enum Verb: Hashable, Sendable {
        case put
        case get
        case list
        case delete
        case begin
        case part
        case complete
        case abort
        case uploads
    }

    package var verb: Verb
    /// The key, or nil for listings.
    package var key: ObjectKey?
    /// The number of the request, from 0.
    package var number: Int
}

/// A failure that a store in memory simulates.
package enum StoreFault: Hashable, Sendable {
    /// No answer, and no effect ever.
    case lostRequest
    /// No answer, although the change took effect.
    case lostAnswer
    /// No answer, and the change takes effect when the test says so.
    case lateEffect
    /// A pause before the answer.
    case delay(Duration)
    /// The request waits until the test opens a gate.
    case held(StoreGate)
    /// The change takes effect now, and once more when the test says so.
    case doubled
    /// The connection ends after a number of bytes of the object.
    case cut(after: Int64)
    /// One byte of the object is another one, in an upload or in a download.
    case altered(at: Int64)
    /// The store asks for fewer requests.
    case throttled(retryAfter: Duration?)
    /// The store is full.
    case full
    /// The store reports a failure of its own, without an effect.
    case serverFault
    /// The credentials are refused.
    case accessDenied
}

/// A gate at which requests wait, without a thread, until a test opens it.
package final class StoreGate: Hashable, Sendable {
    /// The requests that wait; nil once the gate is open.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

    package init() {}

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets all requests pass, those that wait and those that come.
    package func open() {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    package static func == (left: StoreGate, right: StoreGate) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A promise that a store in memory breaks, for tests of the probe.
package enum StoreDefect: Hashable, Sendable {
    /// Listings of other clients lack what was written since ``MemoryStore/settle()``.
    case staleListings
    /// Other clients do not find what was written since ``MemoryStore/settle()``.
    case staleReads
    /// Wrong checksums are accepted.
    case ignoresChecksums
    /// Ranges are ignored.
    case ignoresRanges
    /// Listings begin at the first key always.
    case ignoresStartAfter
    /// Aborted uploads remain.
    case keepsAbortedUploads
    /// Two PUTs of one key at once are mixed.
    case mixesUploads
}
