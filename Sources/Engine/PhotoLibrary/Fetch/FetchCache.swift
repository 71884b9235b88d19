internal import LibraryService
internal import Logging
internal import PhotoModel
internal import Synchronization

/// The latest results of recent fetches, by query.
///
/// Thread-safe.
final class FetchCache: Sendable {
    /// The result of a fetch and its snapshot.
    struct Answer {
        var snapshot: LibrarySnapshot
        var ids: RowIDBuffer

        fileprivate var size: Int { ids.count * 8 + 512 }
    }

    private struct Entry {
        var answer: Answer
        var lastUse: UInt64
    }

    private struct State {
        var entries: [AdvanceRequest.Query: Entry] = [:]
        var clock: UInt64 = 0
        var sizeInBytes = 0

        /// Evicts the least recently used results until the remaining ones fit a size in bytes;
        /// returns the number of evicted results.
        mutating func trim(toBytes limit: Int) -> Int {
            var evicted = 0
            while sizeInBytes > limit,
                let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                sizeInBytes -= oldest.value.answer.size
                entries[oldest.key] = nil
                evicted += 1
            }
            return evicted
        }
    }

    private let limitInBytes: Int
    private let logger: Logger
    private let state = Mutex(State())

    init(limitInBytes: Int, logger: Logger) {
        self.limitInBytes = limitInBytes
        self.logger = logger
    }

    /// Returns the latest cached result of a query, whatever its snapshot.
    func answer(to query: AdvanceRequest.Query) -> Answer? {
        state.withLock { state in
            guard let entry = state.entries[query] else { return nil }
            state.clock += 1
            state.entries[query]?.lastUse = state.clock
            return entry.answer
        }
    }

    /// Evicts least recently used results until the cache fits a size in bytes.
    func trim(toBytes limit: Int) {
        report(state.withLock { ($0.trim(toBytes: limit), $0.sizeInBytes) })
    }

    /// Stores a result, unless a later one is cached.
    ///
    /// Beyond the limit, the least recently used results are evicted. A result larger than the
    /// limit is not stored.
    func store(_ answer: Answer, to query: AdvanceRequest.Query) {
        guard answer.size <= limitInBytes else { return }
        let outcome = state.withLock { state -> (evicted: Int, sizeInBytes: Int) in
            if let old = state.entries[query]?.answer {
                guard !old.snapshot.isLater(than: answer.snapshot) else { return (0, 0) }
                state.sizeInBytes -= old.size
            }
            state.clock += 1
            state.entries[query] = Entry(answer: answer, lastUse: state.clock)
            state.sizeInBytes += answer.size
            return (state.trim(toBytes: limitInBytes), state.sizeInBytes)
        }
        report(outcome)
    }

    private func report(_ outcome: (evicted: Int, sizeInBytes: Int)) {
        guard outcome.evicted > 0 else { return }
        logger.debug(
            "A cache was trimmed.",
            metadata: [
                "cache.name": "fetches", "cache.entries": "\(outcome.evicted)",
                "cache.bytes": "\(outcome.sizeInBytes)",
            ]
        )
    }
}

extension LibrarySnapshot {
    /// Returns whether this snapshot is of a later state than another one.
    fileprivate func isLater(than other: LibrarySnapshot) -> Bool {
        (epoch, version, firstRecentDay) > (other.epoch, other.version, other.firstRecentDay)
    }
}
