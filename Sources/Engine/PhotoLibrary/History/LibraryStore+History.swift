internal import Foundation
internal import GRDB
package import LibraryService
internal import Logging
internal import PhotoModel
internal import Synchronization

/// Configures and prunes the journal's history.
extension LibraryStore {
    /// The default number of days for which a library keeps its history.
    package static let defaultHistoryDays = 90

    /// Sets the history horizon if the request contains a number of days, and returns the current
    /// horizon.
    ///
    /// A shorter horizon takes effect at once, in slices, so that other writers can proceed in
    /// between.
    ///
    /// - Throws: `invalidRequest` for less than one day; the errors of writing.
    package func historyHorizon(_ request: HistoryHorizonRequest) throws -> HistoryHorizonReply {
        if let days = request.days {
            guard days >= 1 else {
                throw LibraryError(
                    .invalidRequest,
                    "\(days) is not a valid number of days of history.",
                    recovery: "Give a whole number of days, at least 1."
                )
            }
            try alone { try LibrarySetting.historyDays.set(String(days), in: $0) }
            try pruneHistory()
        }
        return try read { database in
            HistoryHorizonReply(
                days: try historyDays(database),
                start: try HistorySummary.start(database)
            )
        }
    }

    /// Prunes all entries older than the horizon.
    package func pruneHistory() throws {
        while try pruneSlice(patience: Self.writerPatience, asOf: now)?.mayHaveMore == true {}
    }

    /// Performs one step of the maintenance that is due.
    ///
    /// - Returns: Whether there may be more.
    func maintain() throws -> Bool {
        // A short timeout, since the caller's own change is committed and the caller is waiting.
        let patience = 0.1
        if try read({ try AnsweredChange.hasExpired($0, at: now) }) {
            try alone(patience: patience) { try AnsweredChange.prune($0, at: now) }
        }
        if let slice = try purgeSlice(patience: patience) { return slice.mayHaveMore }
        guard let time = try read({ try Maintenance.vouchedTime(in: $0, now: now) }) else {
            return false
        }
        return try pruneSlice(patience: patience, asOf: time)?.mayHaveMore == true
    }

    private typealias Position = ExpiredAssets.Position

    /// Permanently deletes a few of the assets that have been in Recently Deleted for 30 days.
    ///
    /// The next slice begins after them, until one finds none.
    ///
    /// - Parameters:
    ///   - patience: The number of seconds to wait for other writers.
    ///   - limit: The number of assets in the slice.
    /// - Returns: The result; nil if there are no such assets.
    /// - Throws: `busy` if others write, and the errors of writing.
    func purgeSlice(
        patience: Double,
        limit: Int = Maintenance.assetsPerStep
    ) throws -> DutySlice? {
        let begin = trashPosition.withLock(\.self)
        let found = try read { database -> (cutoff: Date, ids: [Int64], end: Position?)? in
            guard let cutoff = try Maintenance.trashCutoff(in: database, now: now) else {
                return nil
            }
            let expired = try ExpiredAssets(database, before: cutoff, now: now)
            let (ids, end) = try expired.next(after: begin, limit: limit)
            return ids.isEmpty ? nil : (cutoff, ids, end)
        }
        guard let found else {
            trashPosition.withLock { $0 = nil }
            return nil
        }
        let (count, held) = try performMeasured(author: Maintenance.author, patience: patience) {
            try $0.purgeExpired(found.ids, before: found.cutoff)
        }
        trashPosition.withLock { $0 = found.end }
        loggers.maintenance.debug(
            "Expired assets were deleted.",
            metadata: ["maintenance.assets": "\(count)"]
        )
        return DutySlice(mayHaveMore: true, held: held)
    }

    /// Prunes one slice of the history.
    ///
    /// - Parameters:
    ///   - patience: The number of seconds to wait for other writers.
    ///   - time: The present time.
    ///   - limit: The number of entries in the slice.
    /// - Returns: The result; nil if there was nothing to prune.
    /// - Throws: `busy` if others write, and the errors of writing.
    func pruneSlice(
        patience: Double,
        asOf time: Date,
        limit: Int = HistoryPruning.entriesPerSlice
    ) throws -> DutySlice? {
        let cutoff = try read { database in
            let days = Double(try historyDays(database))
            let cutoff = time.addingTimeInterval(-days * Maintenance.secondsPerDay)
            return try HistoryPruning.isDue(database, before: cutoff) ? cutoff : nil
        }
        guard let cutoff else { return nil }
        // The files of edits that the journal can no longer restore are discarded as well.
        let start = ContinuousClock.now
        let (slice, held) = try aloneMeasured(patience: patience, discardsFiles: true) { database in
            let rows = database.totalChangesCount
            let pruning = HistoryPruning(database: database, limit: limit)
            return (
                mayHaveMore: try pruning.slice(before: cutoff),
                rows: database.totalChangesCount - rows,
                start: try HistorySummary.start(database)
            )
        }
        loggers.maintenance.debug(
            "The history was pruned.",
            metadata: [
                "history.start": "\(slice.start)",
                "history.rows": "\(slice.rows)",
                "history.milliseconds": loggers.maintenance.milliseconds(since: start),
            ]
        )
        return DutySlice(mayHaveMore: slice.mayHaveMore, held: held)
    }

    func historyDays(_ database: Database) throws -> Int {
        let days = try LibrarySetting.historyDays.number(in: database).flatMap(Int.init(exactly:))
        return max(1, days ?? Self.defaultHistoryDays)
    }
}
