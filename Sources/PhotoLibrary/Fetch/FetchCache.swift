internal import LibraryService
internal import Synchronization

/// Answers of the last fetches, by request.
///
/// An answer holds for one version.
final class FetchCache: Sendable {
    private struct Entry {
        let version: Int64
        let ids: RowIDBuffer
        var lastUse: UInt64
    }

    private struct State {
        var entries: [AssetFetchRequest: Entry] = [:]
        var clock: UInt64 = 0
        var sizeInBytes = 0
    }

    private let limitInBytes: Int
    private let state = Mutex(State())

    init(limitInBytes: Int) {
        self.limitInBytes = limitInBytes
    }

    func ids(for request: AssetFetchRequest, version: Int64) -> RowIDBuffer? {
        state.withLock { state in
            guard let entry = state.entries[request], entry.version == version else { return nil }
            state.clock += 1
            state.entries[request]?.lastUse = state.clock
            return entry.ids
        }
    }

    /// Keeps an answer.
    ///
    /// Those used longest ago go when the limit is passed; one larger than the limit is not kept.
    func store(_ ids: RowIDBuffer, for request: AssetFetchRequest, version: Int64) {
        let size = ids.count * 8 + 512
        guard size <= limitInBytes else { return }
        state.withLock { state in
            if let old = state.entries[request] { state.sizeInBytes -= old.ids.count * 8 + 512 }
            state.clock += 1
            state.entries[request] = Entry(version: version, ids: ids, lastUse: state.clock)
            state.sizeInBytes += size
            while state.sizeInBytes > limitInBytes,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.sizeInBytes -= oldest.value.ids.count * 8 + 512
                state.entries[oldest.key] = nil
            }
        }
    }
}
