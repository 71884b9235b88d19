internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// What a fetch result stands for, and up to when that is known to hold.
///
/// The result owns it, and the library's register knows it weakly: that is how it is known which
/// results a program still has.
package final class FetchTrack: Sendable {
    /// The answer to a fetch at one state of the library.
    struct Answer {
        var query: AdvanceRequest.Query
        var closures: ClosureFilter?
        var ids: RowIDBuffer
        var snapshot: LibrarySnapshot
    }

    private struct State {
        /// The result's own answer, at the last state at which it was seen to be the same.
        var own: Answer
        /// The answer to the same fetch at the state that observers heard of last; nil while it is
        /// the result's own.
        var present: Answer?
    }

    let connection: LibraryConnection
    /// Whether the client wants to know the single steps.
    let wantsSteps: Bool
    private let state: Mutex<State>

    init(connection: LibraryConnection, answer: Answer, wantsSteps: Bool) {
        self.connection = connection
        self.wantsSteps = wantsSteps
        state = Mutex(State(own: answer))
        connection.monitor.register.add(self)
    }

    /// What the result holds, and the latest state at which that is the answer.
    var own: Answer { state.withLock(\.own) }

    /// The answer at the state that observers heard of last, and whether it is the result's own.
    var present: (answer: Answer, isOwn: Bool) {
        state.withLock { state in (state.present ?? state.own, state.present == nil) }
    }

    /// Notes what the fetch's answer is at a later state.
    ///
    /// - Parameters:
    ///   - answer: The later answer.
    ///   - isSame: Whether it is the present one, with no object changed.
    func advance(to answer: Answer, isSame: Bool) {
        state.withLock { state in
            let present = state.present ?? state.own
            guard answer.snapshot.isLater(than: present.snapshot) else { return }
            if isSame && state.present == nil {
                state.own.snapshot = answer.snapshot
                state.own.query = answer.query
                state.own.closures = answer.closures
            } else {
                state.present = answer
            }
        }
    }
}

extension LibrarySnapshot {
    /// Whether this is a later state of the library than another one, or of what is permitted.
    func isLater(than other: LibrarySnapshot) -> Bool {
        version > other.version || (version == other.version && epoch > other.epoch)
    }
}

extension PHFetchResult {
    /// The version of the library that the result is of; nil for one of no library.
    package var version: Int64? { objects?.track?.own.snapshot.version }
}
