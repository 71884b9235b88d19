internal import Synchronization

/// A description of a request to an in-memory store, for the closure that chooses the fault.
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
    /// The byte range of a GET; nil for a GET of a whole object, and for other requests.
    package var range: Range<Int64>?
    /// The number of the request, from 0.
    package var number: Int
}

/// A failure that an in-memory store simulates.
package enum StoreFault: Hashable, Sendable {
    /// The request is lost: there is no answer, and the change never takes effect.
    case lostRequest
    /// The answer is lost, although the change took effect.
    case lostAnswer
    /// There is no answer, and the change takes effect at ``MemoryStore/settle()``.
    case lateEffect
    /// A pause before the answer.
    case delay(Duration)
    /// The request waits until the test opens a gate.
    case held(StoreGate)
    /// The change takes effect now, and once more at ``MemoryStore/settle()``.
    case doubled
    /// The connection ends after a number of bytes of an object.
    case cut(after: Int64)
    /// The connection stalls after a number of bytes of an object, until the test opens a gate.
    case stalled(after: Int64, StoreGate)
    /// One byte of the object is altered during an upload or a download.
    case altered(at: Int64)
    /// The store throttles the request.
    case throttled(retryAfter: Duration?)
    /// The store is full.
    case full
    /// The store reports an internal failure; the request has no effect.
    case serverFault
    /// The answer does not come from a store but, for example, from a proxy.
    case foreignAnswer
    /// The credentials are refused.
    case accessDenied
}

/// A gate at which requests wait, without blocking a thread, until a test opens it.
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

    /// Opens the gate for all requests, those that wait and later ones.
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

/// A defect by which an in-memory store violates ``ObjectStore``, for testing the store probe.
package enum StoreDefect: Hashable, Sendable {
    /// A client's listings lack the objects that other clients wrote since the last
    /// ``MemoryStore/settle()``.
    case staleListings
    /// Other clients cannot read the objects written since the last ``MemoryStore/settle()``.
    case staleReads
    /// The store accepts wrong checksums.
    case ignoresChecksums
    /// The store ignores the range of a request.
    case ignoresRanges
    /// Listings always begin at the first key.
    case ignoresStartAfter
    /// Aborted uploads remain.
    case keepsAbortedUploads
    /// The bytes of two simultaneous PUTs of one key are mixed.
    case mixesUploads
}
