package import FoundationEssentials

/// The outcome of probing a store before a cloud library is created or joined.
package struct ProbeResult: Hashable, Sendable {
    /// A promise that the probe checks.
    package enum Check: String, CaseIterable, Hashable, Sendable {
        /// A PUT, a GET and a DELETE.
        case writing
        /// A GET by a second connection finds what was just written.
        case reading
        /// A LIST by a second connection shows what was just written.
        case listing
        /// A PUT with a wrong `Content-MD5` is refused and leaves nothing.
        case checksum
        /// A GET of a range delivers that range.
        case range
        /// A LIST begins after a given key and is sorted.
        case startAfter
        /// An aborted upload leaves nothing.
        case multipartAbort
        /// Of two PUTs of one key at once, one remains whole.
        case concurrentWriting
    }

    /// The use of a store.
    package enum Capability: Hashable, Sendable {
        /// Sync, eviction of originals and collection.
        case full
        /// Sync and backup. Eviction and collection are refused, since a store that hides or
        /// damages objects would make them lose photos.
        case backupOnly
        /// No use.
        case unusable
    }

    /// The checks that failed, with the reason of each.
    package var failures: [Check: String] = [:]
    /// The checks that do not apply: uploads in parts, for a directory.
    package var inapplicable: Set<Check> = []
    /// The store's clock at the end, if it has one.
    package var serverDate: Date?

    /// The use that the failures leave.
    ///
    /// A store that keeps parts of aborted uploads costs money, and is used all the same.
    package var capability: Capability {
        let essential: Set<Check> = [.writing, .startAfter, .concurrentWriting]
        let safety: Set<Check> = [.reading, .listing, .checksum, .range]
        if failures.keys.contains(where: essential.contains) { return .unusable }
        return failures.keys.contains(where: safety.contains) ? .backupOnly : .full
    }

    /// A sentence for the user.
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
