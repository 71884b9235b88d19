internal import Foundation
internal import GRDB
internal import Logging
internal import PhotoModel
internal import Synchronization

/// The periodic maintenance of a library: permanently deletes assets after 30 days in Recently
/// Deleted and prunes the journal.
///
/// A clock that jumps ahead must neither empty Recently Deleted nor end the history. Ages are
/// therefore relative to the latest change that is itself a day old.
///
/// Maintenance runs after writes, at most once an hour in each process, for a fraction of a second
/// at a time and in separate transactions. It does not affect the preceding change, even if it
/// fails; a later write then tries again.
final class Maintenance: Sendable {
    /// The name that the journal records as the author of changes made by maintenance.
    static let author = "photos (maintenance)"
    /// The number of days that an asset stays in Recently Deleted.
    static let trashDays: Double = 30
    static let secondsPerDay: Double = 86_400

    private static let interval: Double = 3_600
    /// The delay in seconds after a failure, such as a timeout because another process writes for a
    /// long time.
    private static let retryInterval: Double = 60
    private static let budget = Duration.milliseconds(200)
    static let assetsPerStep = 50

    private struct State {
        var isRunning = false
        var last: Date?
        var next: Date?
    }

    private let state = Mutex(State())

    /// Runs maintenance steps until nothing is left to do or the time budget is exhausted.
    ///
    /// - Parameters:
    ///   - now: The library's time.
    ///   - logger: Receives the failure, which is not thrown.
    ///   - lock: The lock of background work; nothing is done while another process has it.
    ///   - step: Performs one step and returns whether there may be more.
    func runIfDue(
        now: Date,
        logger: Logger = LibraryLoggers.silent.maintenance,
        lock: DutyLock? = nil,
        step: () throws -> Bool
    ) {
        let isDue = state.withLock { state in
            guard !state.isRunning else { return false }
            // Maintenance also runs if the clock was set back.
            if let next = state.next, let last = state.last, now < next, now >= last {
                return false
            }
            state.isRunning = true
            return true
        }
        guard isDue else { return }
        if let lock, !lock.acquire(as: .embedded) {
            // The daemon, or another program for a moment.
            return schedule(after: now, pause: Self.retryInterval)
        }
        defer { lock?.release() }
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
            let code = (error as? LibraryError)?.code
            // Another process that writes for long is routine.
            logger.log(
                level: code == .busy ? .debug : .warning,
                "Maintenance failed and will be tried again.",
                metadata: [
                    "maintenance.code": "\(code?.rawValue ?? "other")",
                    "maintenance.error": logger.detail("\(error)"),
                ]
            )
            pause = Self.retryInterval
        }
        schedule(after: now, pause: pause)
    }

    private func schedule(after now: Date, pause: Double) {
        state.withLock { state in
            state = State(isRunning: false, last: now, next: now.addingTimeInterval(pause))
        }
    }
}

extension LibraryTransaction {
    /// Permanently deletes those of some assets that have been in Recently Deleted since `cutoff`
    /// or longer.
    ///
    /// - Returns: The number of these assets.
    func purgeExpired(_ ids: [Int64], before cutoff: Date) throws -> Int {
        let ids = try ExpiredAssets(database, before: cutoff, now: now).filter(ids)
        try purgeAssets(ids)
        return ids.count
    }
}

extension Maintenance {
    /// Returns the cutoff of the purge: only assets moved to Recently Deleted no later than this
    /// time may be purged now; nil to purge none.
    ///
    /// The library's time, `now`, may be wrong.
    static func trashCutoff(in database: Database, now: Date) throws -> Date? {
        try vouchedTime(in: database, now: now)?.addingTimeInterval(-trashDays * secondsPerDay)
    }

    /// Returns the time of the latest change that is at least a day old; nil if there is none.
    static func vouchedTime(in database: Database, now: Date) throws -> Date? {
        let seconds = try Double.fetchOne(
            database.cachedStatement(
                sql: "SELECT time FROM journalVersion WHERE time <= ? ORDER BY version DESC LIMIT 1"
            ),
            arguments: [now.addingTimeInterval(-secondsPerDay).timeIntervalSinceReferenceDate]
        )
        return seconds.map(Date.init(timeIntervalSinceReferenceDate:))
    }
}
