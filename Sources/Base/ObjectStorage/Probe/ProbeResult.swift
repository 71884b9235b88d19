package import FoundationEssentials

/// The outcome of probing a store before a cloud library is created or joined.
package struct ProbeResult: Hashable, Sendable {
    /// A check of one property that the cloud library needs from its store.
    package enum Check: String, CaseIterable, Hashable, Sendable {
        /// A PUT, a GET and a DELETE succeed.
        case writing
        /// A GET by a second connection finds what was just written.
        case reading
        /// A LIST by a second connection shows what was just written.
        case listing
        /// A PUT with a wrong `Content-MD5` is rejected and does not create an object.
        case checksum
        /// A GET of a range delivers that range.
        case range
        /// A LIST begins after a given key and is sorted.
        case startAfter
        /// An aborted upload leaves nothing in the store.
        case multipartAbort
        /// After two simultaneous PUTs of one key, the object has the bytes of one of them.
        case concurrentWriting
    }

    /// The uses that a store is suitable for.
    package enum Capability: Hashable, Sendable {
        /// Sync, eviction of local originals, and garbage collection in the store.
        case full
        /// Sync and backup only.
        ///
        /// Eviction and garbage collection are refused, since they could lose photos in a store
        /// that hides or damages objects.
        case backupOnly
        /// The store is not suitable for any use.
        case unusable
    }

    /// The failed checks, with the reason for each failure.
    package var failures: [Check: String] = [:]
    /// The checks that do not apply, such as multipart uploads to a directory.
    package var inapplicable: Set<Check> = []
    /// The time of the store's clock at the end of the probe; nil if the store has no clock.
    package var serverDate: Date?

    /// The use that the store is suitable for, which depends on the failed checks.
    ///
    /// A store that keeps the parts of aborted uploads only costs money, so it is still used.
    package var capability: Capability {
        let essential: Set<Check> = [.writing, .startAfter, .concurrentWriting]
        let safety: Set<Check> = [.reading, .listing, .checksum, .range]
        if failures.keys.contains(where: essential.contains) { return .unusable }
        return failures.keys.contains(where: safety.contains) ? .backupOnly : .full
    }

    /// A text for the user: the use that the store is suitable for, and the reasons for failed
    /// checks.
    package var summary: String {
        let reasons = ProbeResult.Check.allCases.compactMap { failures[$0] }
        let use =
            switch capability {
            case .full: "The store can be used without restrictions."
            case .backupOnly:
                "The store can be used as a backup: eviction and collection are refused."
            case .unusable: "The store cannot be used."
            }
        return ([use] + reasons).joined(separator: " ")
    }
}
