internal import LibraryService
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
    private let state = Mutex(State())

    init(limitInBytes: Int) {
        self.limitInBytes = limitInBytes
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
        state.withLock { state in
            if let old = state.entries[query]?.answer {
                guard !old.snapshot.isLater(than: answer.snapshot) else { return }
                state.sizeInBytes -= old.size
            }
            state.clock += 1
            state.entries[query] = Entry(answer: answer, lastUse: state.clock)
            state.sizeInBytes += answer.size
            while state.sizeInBytes > limitInBytes,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.sizeInBytes -= oldest.value.answer.size
                state.entries[oldest.key] = nil
            }
        }
    }
}

extension LibrarySnapshot {
    /// Returns whether the snapshot is of a later state.
    fileprivate func isLater(than other: LibrarySnapshot) -> Bool {
        (epoch, version, firstRecentDay) > (other.epoch, other.version, other.firstRecentDay)
    }
}
