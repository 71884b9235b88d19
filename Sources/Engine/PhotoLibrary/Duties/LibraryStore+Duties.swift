internal import Foundation
internal import GRDB

/// The background work of a library, in slices.
///
/// The caller holds the duty lock. Each slice is a transaction of its own, so that a kill at any
/// point loses no finished slice and leaves none half done.
extension LibraryStore {
    /// The maximum time, in seconds, that a slice waits for other writers, which have priority.
    private static let dutyPatience: Double = 1

    /// Performs one slice of work, if there is any.
    ///
    /// - Parameters:
    ///   - duty: The kind of work.
    ///   - size: The size of the slice, which is adapted to the time that it takes.
    /// - Returns: Whether there may be more, and for how long the writer lock was held.
    /// - Throws: `busy` if others write, and the errors of writing.
    package func performSlice(of duty: StoreDuty, size: inout SliceSize) throws -> DutySlice {
        let slice =
            switch duty {
            case .recovery: try recoverySlice()
            case .purge: try purgeSlice(patience: Self.dutyPatience, limit: size.count) ?? .nothing
            case .history: try historySlice(size.count)
            case .answers: try answersSlice(size.count)
            }
        guard slice.held > .zero else { return slice }
        size.adapt(to: slice.held)
        return slice
    }

    /// Returns up to `limit` of the most recently added assets between two row ids, in the order in
    /// which they were added, excluding those in Recently Deleted.
    ///
    /// - Parameters:
    ///   - id: The row after which they were added.
    ///   - end: The row before which they were added.
    ///   - limit: The number of assets, of which the newest are returned.
    /// - Returns: Their UUIDs, and the rows of the oldest and the newest one.
    /// - Throws: The error of reading the library.
    func newestAssets(
        after id: Int64 = 0,
        before end: Int64 = .max,
        limit: Int
    ) throws -> (uuids: [String], first: Int64?, last: Int64?) {
        let rows = try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, uuid FROM asset WHERE id > ? AND id < ? AND trashedDate IS NULL
                    ORDER BY id DESC LIMIT ?
                    """,
                arguments: [id, end, limit]
            )
        }
        return (rows.reversed().map { $0[1] }, rows.last?[0], rows.first?[0])
    }

    private func recoverySlice() throws -> DutySlice {
        let hasDiscarded = try read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM discardedFile)") ?? false
        }
        let hasDead = !StagingRecovery.deadSessions(of: bundle, files: files).isEmpty
        guard hasDiscarded || hasDead else { return .nothing }
        let held = try recoverNow(patience: Self.dutyPatience)
        return DutySlice(mayHaveMore: false, held: held)
    }

    private func historySlice(_ count: Int) throws -> DutySlice {
        guard let time = try read({ try Maintenance.vouchedTime(in: $0, now: now) }),
            let slice = try pruneSlice(patience: Self.dutyPatience, asOf: time, limit: count)
        else { return .nothing }
        return slice
    }

    private func answersSlice(_ count: Int) throws -> DutySlice {
        guard try read({ try AnsweredChange.hasExpired($0, at: now) }) else {
            return .nothing
        }
        let (_, held) = try aloneMeasured(patience: Self.dutyPatience) {
            try AnsweredChange.prune($0, at: now, limit: count)
        }
        return DutySlice(mayHaveMore: true, held: held)
    }
}
