internal import Foundation
internal import GRDB
package import LibraryService
internal import PhotoModel

/// How long the journal reaches back.
extension LibraryStore {
    /// How many days of history a library keeps that was not told otherwise.
    package static let defaultHistoryDays = 90

    /// How long history is kept; changes that first when the request has a number.
    ///
    /// A shorter horizon is put into effect at once: in slices, so that other writers get their turn.
    ///
    /// - Throws: `invalidRequest` for less than one day; what writing throws.
    package func historyHorizon(_ request: HistoryHorizonRequest) throws -> HistoryHorizonReply {
        if let days = request.days {
            guard days >= 1 else {
                throw LibraryError(
                    .invalidRequest,
                    "A library cannot keep \(days) days of history.",
                    recovery: "Give a whole number of days, 1 or more."
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

    /// Prunes what is older than the horizon, all of it.
    package func pruneHistory() throws {
        while try prune(patience: Self.writerPatience, asOf: now) {}
    }

    /// Does a little of what is due.
    ///
    /// - Returns: Whether there may be more.
    func maintain() throws -> Bool {
        // Soon given up: the caller's own change is made, and it waits.
        let patience = 0.1
        let expired: Date? = try read { database in
            guard let cutoff = try Maintenance.trashCutoff(in: database, now: now) else {
                return nil
            }
            return try Maintenance.expired(in: database, before: cutoff).isEmpty ? nil : cutoff
        }
        if let cutoff = expired {
            return try perform(author: Maintenance.author, patience: patience) { transaction in
                try transaction.purgeExpired(before: cutoff)
            }
        }
        guard let time = try read({ try Maintenance.vouchedTime(in: $0, now: now) }) else {
            return false
        }
        return try prune(patience: patience, asOf: time)
    }

    private func prune(patience: Double, asOf time: Date) throws -> Bool {
        let cutoff = try read { database in
            let days = Double(try historyDays(database))
            let cutoff = time.addingTimeInterval(-days * Maintenance.secondsPerDay)
            return try HistoryPruning.isDue(database, before: cutoff) ? cutoff : nil
        }
        guard let cutoff else { return false }
        // Edits that the journal could have brought back go with it.
        return try alone(patience: patience, discardsFiles: true) { database in
            try HistoryPruning(database: database).slice(before: cutoff)
        }
    }

    func historyDays(_ database: Database) throws -> Int {
        let days = try LibrarySetting.historyDays.number(in: database).flatMap(Int.init(exactly:))
        return max(1, days ?? Self.defaultHistoryDays)
    }
}
