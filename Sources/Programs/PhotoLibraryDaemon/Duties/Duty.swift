internal import PhotoLibrary
internal import RemoteLibrary

/// A kind of background work of the daemon, in the order in which it is performed.
enum Duty: String, CaseIterable, Sendable {
    case recovery, purge, history, answers
    /// First renditions of new assets.
    case renditions
    /// Imports from watch folders.
    case watchFolders
    /// Reads a sample of the files again.
    case scrub

    /// The kind of work on the database; nil for other work.
    var store: StoreDuty? { StoreDuty(rawValue: rawValue) }
}

/// The state of a kind of background work.
struct DutyState: Sendable {
    enum Activity: String, Sendable {
        case idle
        case running
        /// On a low battery, under pressure on the disk, or while calls of clients wait.
        case paused
        /// Another process has the duty lock.
        case waiting
        /// The last run ended with an error, which is in the log; it is tried again.
        case failed
        /// The sample of files found damaged ones.
        case damaged
    }

    var activity = Activity.waiting
    /// The end of the last run, in seconds since 1970.
    var lastRun: Double?

    /// The state of this kind of work in two libraries.
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
    /// The states in the daemon's report.
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
