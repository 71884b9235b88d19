internal import PhotoModel
internal import Synchronization

/// The large results that a session has delivered lately, so that its client can name them.
///
/// Thread-safe. The lists share their memory with the engine's cache of fetches as long as that
/// has them.
package final class HeldResults: Sendable {
    /// The number of row ids from which a result is named rather than sent.
    package static let smallest = 512
    /// The memory that the results of one session may take.
    static let limitInBytes = 32 << 20
    /// The memory that they may take in a quiet process: one of a million assets.
    static let restingLimitInBytes = 8 << 20

    private final class Entry: Sendable {
        let ids: RowIDBuffer
        private let known = Mutex<RowIDDigest?>(nil)

        init(_ ids: RowIDBuffer) { self.ids = ids }

        /// Computed when a client first names a result of this length.
        var digest: RowIDDigest {
            known.withLock { known in
                let digest = known ?? RowIDDigest(ids)
                known = digest
                return digest
            }
        }
    }

    private let smallest: Int
    /// In the order of their use, the latest last.
    private let entries = Mutex<[Entry]>([])

    init(smallest: Int) { self.smallest = smallest }

    /// Keeps a result, and forgets those that have not been used for longest.
    func insert(_ ids: RowIDBuffer) {
        guard ids.count >= smallest, ids.count * 8 <= Self.limitInBytes else { return }
        use(ids)
    }

    /// Returns the result that a client names; nil if it is not held any more.
    func result(_ digest: RowIDDigest) -> RowIDBuffer? {
        // Digests are computed without the lock: they take as long as reading the list.
        let candidates = entries.withLock { $0.filter { $0.ids.count == digest.count } }
        guard let entry = candidates.last(where: { $0.digest == digest }) else { return nil }
        use(entry.ids)
        return entry.ids
    }

    /// Makes a result the latest one.
    private func use(_ ids: RowIDBuffer) {
        entries.withLock { entries in
            let place = entries.firstIndex { $0.ids.isSame(as: ids) }
            entries.append(place.map { entries.remove(at: $0) } ?? Entry(ids))
            Self.trim(&entries, toBytes: Self.limitInBytes)
        }
    }

    /// Forgets the results beyond what a quiet process keeps.
    func releaseMemory() {
        entries.withLock { Self.trim(&$0, toBytes: Self.restingLimitInBytes) }
    }

    private static func trim(_ entries: inout [Entry], toBytes limit: Int) {
        var size = entries.reduce(0) { $0 + $1.ids.count * 8 }
        while size > limit { size -= entries.removeFirst().ids.count * 8 }
    }
}

extension RowIDBuffer {
    /// Indicates whether both share their memory.
    fileprivate func isSame(as other: RowIDBuffer) -> Bool {
        ids.withUnsafeBufferPointer { own in
            other.ids.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
        }
    }
}
