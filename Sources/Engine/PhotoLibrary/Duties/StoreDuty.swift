/// The kinds of background work that change the database, in the order in which they are performed.
package enum StoreDuty: String, Sendable, CaseIterable {
    /// Cleans up after processes that died.
    case recovery
    /// Permanently deletes assets that were in Recently Deleted for 30 days.
    case purge
    /// Prunes the journal entries that are older than the retention period of the history
    /// (`historyDays`).
    case history
    /// Deletes expired replies to change requests, which are stored in case a client repeats a
    /// request.
    case answers

    /// The size of the first slice.
    package var firstSize: SliceSize {
        switch self {
        case .recovery: SliceSize(1, in: 1...1)
        case .purge: SliceSize(2, in: 1...200)
        case .history: SliceSize(50, in: 10...5_000)
        case .answers: SliceSize(50, in: 10...5_000)
        }
    }
}

/// The result of a slice of background work.
package struct DutySlice: Sendable {
    /// Indicates whether there may be more to do.
    package var mayHaveMore: Bool
    /// The time for which the writer lock was held; zero if the slice did not need the lock.
    package var held: Duration

    /// The result if there was nothing to do.
    static let nothing = DutySlice(mayHaveMore: false, held: .zero)
}
