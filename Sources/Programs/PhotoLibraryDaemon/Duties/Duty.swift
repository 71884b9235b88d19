internal import PhotoLibrary
internal import RemoteLibrary

/// A kind of background work of the daemon; the cases are in the order in which the work is
/// performed.
enum Duty: String, CaseIterable, Sendable {
    case recovery, purge, history, answers
    /// Makes the first renditions of new assets.
    case renditions
    /// Imports files from watch folders.
    case watchFolders
    /// Rereads a sample of the files to detect damage.
    case scrub

    /// The corresponding `StoreDuty`, for work on the database; nil for other kinds of work.
    var store: StoreDuty? { StoreDuty(rawValue: rawValue) }
}

/// The state of a kind of background work.
struct DutyState: Sendable {
    enum Activity: String, Sendable {
        case idle
        case running
        /// The work is paused because the battery is low, the disk is busy, or client calls are
        /// waiting.
        case paused
        /// The work has not begun, since another process has the duty lock.
        case waiting
        /// The last run failed and will be retried; the error is in the log.
        case failed
        /// The work found damaged files.
        case damaged
    }

    var activity = Activity.waiting
    /// The end time of the last run, in seconds since 1970; nil if the work has not run.
    var lastRun: Double?

    /// Returns the combined state of this kind of work in two libraries.
    func merged(with other: DutyState) -> DutyState {
        let order: [Activity] = [.damaged, .failed, .running, .paused, .waiting, .idle]
        let rank = { (state: DutyState) in order.firstIndex(of: state.activity) ?? order.count }
        return DutyState(
            activity: rank(self) <= rank(other) ? activity : other.activity,
            lastRun: [lastRun, other.lastRun].compactMap(\.self).max()
        )
    }
}

extension [Duty: DutyState] {
    /// The states of all background work, for the daemon's status report.
    var report: [DaemonStatus.Duty] {
        Duty.allCases.compactMap { duty in
            self[duty].map {
                DaemonStatus.Duty(
                    name: duty.rawValue,
                    state: $0.activity.rawValue,
                    lastRun: $0.lastRun
                )
            }
        }
    }
}
