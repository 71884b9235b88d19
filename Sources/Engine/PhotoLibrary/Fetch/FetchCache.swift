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
    }

    private let limitInBytes: Int
    private let logger: Logger
    private let state = Mutex(State())

    init(limitInBytes: Int, logger: Logger) {
        self.limitInBytes = limitInBytes
        self.logger = logger
    }

    /// Returns the latest cached result of a fetch, of any snapshot.
    func answer(to query: AdvanceRequest.Query) -> Answer? {
        state.withLock { state in
            guard let entry = state.entries[query] else { return nil }
            state.clock += 1
            state.entries[query]?.lastUse = state.clock
            return entry.answer
        }
    }

    /// Stores a result, unless a later one is cached.
    ///
    /// Beyond the limit, the least recently used results are evicted. A result larger than the
    /// limit is not stored.
    func store(_ answer: Answer, to query: AdvanceRequest.Query) {
        guard answer.size <= limitInBytes else { return }
        let (evicted, sizeInBytes) = state.withLock { state in
            let former = state.entries.count
            if let old = state.entries[query]?.answer {
                guard !old.snapshot.isLater(than: answer.snapshot) else { return (0, 0) }
                state.sizeInBytes -= old.size
            }
            state.clock += 1
            let isNew =
                state.entries.updateValue(
                    Entry(answer: answer, lastUse: state.clock),
                    forKey: query
                ) == nil
            state.sizeInBytes += answer.size
            while state.sizeInBytes > limitInBytes,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.sizeInBytes -= oldest.value.answer.size
                state.entries[oldest.key] = nil
            }
            return (former + (isNew ? 1 : 0) - state.entries.count, state.sizeInBytes)
        }
        guard evicted > 0 else { return }
        logger.debug(
            "A cache was trimmed.",
            metadata: [
                "cache.name": "fetches", "cache.entries": "\(evicted)",
                "cache.bytes": "\(sizeInBytes)",
            ]
        )
    }
}

extension LibrarySnapshot {
    /// Returns whether the snapshot is of a later state.
    fileprivate func isLater(than other: LibrarySnapshot) -> Bool {
        (epoch, version, firstRecentDay) > (other.epoch, other.version, other.firstRecentDay)
    }
}
