internal import Foundation
internal import GRDB
internal import Synchronization

/// What a library does for itself now and then: removes for good what has been in Recently Deleted for
/// 30 days, and prunes the journal.
///
/// A clock that jumps ahead must neither empty Recently Deleted nor end the history: days count up to a
/// change that is itself a day old.
///
/// Whoever writes does it afterwards, at most once an hour in each process, for a fraction of a second
/// at a time and in transactions of its own. Nothing of it concerns the change that came before, not
/// even when it fails; then the next writer tries again.
final class Maintenance: Sendable {
    /// Who does it, in the journal.
    static let author = "photos (maintenance)"
    /// How long an asset stays in Recently Deleted.
    static let trashDays: Double = 30
    static let secondsPerDay: Double = 86_400

    private static let interval: Double = 3_600
    /// After a failure, such as another process that writes for long.
    private static let retryInterval: Double = 60
    private static let budget = Duration.milliseconds(200)
    static let assetsPerStep = 50

    private struct State {
        var isRunning = false
        var last: Date?
        var next: Date?
    }

    private let state = Mutex(State())

    /// Runs steps until there is nothing left to do, or for as long as is decent.
    ///
    /// - Parameters:
    ///   - now: The library's time.
    ///   - step: Does a little, and says whether there may be more to do.
    func runIfDue(now: Date, step: () throws -> Bool) {
        let isDue = state.withLock { state in
            guard !state.isRunning else { return false }
            // A clock that was put back does not stop it.
            if let next = state.next, let last = state.last, now < next, now >= last {
                return false
            }
            state.isRunning = true
            return true
        }
        guard isDue else { return }
        let clock = ContinuousClock()
        let end = clock.now + Self.budget
        var pause = Self.interval
        do {
            while try step() {
                guard clock.now < end else {
                    pause = 0
                    break
                }
            }
        } catch {
            pause = Self.retryInterval
        }
        state.withLock { state in
            state = State(isRunning: false, last: now, next: now.addingTimeInterval(pause))
        }
    }
}

extension LibraryTransaction {
    /// Removes for good a few of the assets that have been in Recently Deleted since a time.
    ///
    /// - Returns: Whether there were any.
    func purgeExpired(before cutoff: Date) throws -> Bool {
        let ids = try Maintenance.expired(in: database, before: cutoff)
        try purgeAssets(ids)
        return !ids.isEmpty
    }
}

extension Maintenance {
    /// Since when an asset has to be in Recently Deleted to be removed for good; nil when none has to.
    ///
    /// `now`, the library's time, may be wrong.
    static func trashCutoff(in database: Database, now: Date) throws -> Date? {
        try vouchedTime(in: database, now: now)?.addingTimeInterval(-trashDays * secondsPerDay)
    }

    /// The time of the last change that is a day old; nil without one.
    static func vouchedTime(in database: Database, now: Date) throws -> Date? {
        let seconds = try Double.fetchOne(
            database.cachedStatement(
                sql: "SELECT time FROM journalVersion WHERE time <= ? ORDER BY version DESC LIMIT 1"
            ),
            arguments: [now.addingTimeInterval(-secondsPerDay).timeIntervalSinceReferenceDate]
        )
        return seconds.map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// The first few assets that have been in Recently Deleted since a time.
    static func expired(in database: Database, before cutoff: Date) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM asset WHERE trashedDate IS NOT NULL AND trashedDate <= ?
                    ORDER BY trashedDate LIMIT \(assetsPerStep)
                    """
            ),
            arguments: [cutoff.timeIntervalSinceReferenceDate]
        )
    }
}
