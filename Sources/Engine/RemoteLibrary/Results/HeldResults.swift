internal import PhotoModel
internal import Synchronization

/// The large fetch results that a session recently delivered.
///
/// A client can refer to such a result by its digest instead of sending it. Thread-safe. The lists
/// share their memory with the engine's cache of fetch results while they are in that cache.
package final class HeldResults: Sendable {
    /// The minimum size, in row ids, of a result to which a client can refer by its digest.
    package static let smallest = 512
    /// The maximum memory, in bytes, that the results of one session use.
    static let limitInBytes = 32 << 20
    /// The maximum memory, in bytes, of the results that are kept when memory is released: one
    /// result of a million assets.
    static let restingLimitInBytes = 8 << 20

    private final class Entry: Sendable {
        let ids: RowIDBuffer
        private let known = Mutex<RowIDDigest?>(nil)

        init(_ ids: RowIDBuffer) { self.ids = ids }

        /// The digest of the result, computed when a client first refers to a result of the same
        /// length.
        var digest: RowIDDigest {
            known.withLock { known in
                let digest = known ?? RowIDDigest(ids)
                known = digest
                return digest
            }
        }
    }

    private let smallest: Int
    /// The results in the order of their last use, the most recent last.
    private let entries = Mutex<[Entry]>([])

    init(smallest: Int) { self.smallest = smallest }

    /// Adds a result, and evicts the least recently used results if the memory limit is exceeded.
    func insert(_ ids: RowIDBuffer) {
        guard ids.count >= smallest, ids.count * 8 <= Self.limitInBytes else { return }
        use(ids)
    }

    /// Returns the result with a given digest; nil if it is no longer held.
    func result(_ digest: RowIDDigest) -> RowIDBuffer? {
        // Digests are computed without the lock: they take as long as reading the list.
        let candidates = entries.withLock { $0.filter { $0.ids.count == digest.count } }
        guard let entry = candidates.last(where: { $0.digest == digest }) else { return nil }
        use(entry.ids)
        return entry.ids
    }

    /// Marks a result as the most recently used.
    private func use(_ ids: RowIDBuffer) {
        entries.withLock { entries in
            let place = entries.firstIndex { $0.ids.isSame(as: ids) }
            entries.append(place.map { entries.remove(at: $0) } ?? Entry(ids))
            Self.trim(&entries, toBytes: Self.limitInBytes)
        }
    }

    /// Evicts the least recently used results until the remaining ones fit into
    /// `restingLimitInBytes`.
    func releaseMemory() {
        entries.withLock { Self.trim(&$0, toBytes: Self.restingLimitInBytes) }
    }

    private static func trim(_ entries: inout [Entry], toBytes limit: Int) {
        var size = entries.reduce(0) { $0 + $1.ids.count * 8 }
        while size > limit { size -= entries.removeFirst().ids.count * 8 }
    }
}

extension RowIDBuffer {
    /// Indicates whether two lists share the same memory.
    fileprivate func isSame(as other: RowIDBuffer) -> Bool {
        ids.withUnsafeBufferPointer { own in
            other.ids.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
        }
    }
}
