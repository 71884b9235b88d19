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
