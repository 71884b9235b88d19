internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The query of a fetch result, and the latest state for which the result is known to be current.
///
/// The result owns the track, and the library's register references it weakly. The register thereby
/// tracks the results that a program still holds.
package final class FetchTrack: Sendable {
    /// The result of a query at one state of the library.
    struct Answer {
        var query: AdvanceRequest.Query
        var closures: ClosureFilter?
        var ids: RowIDBuffer
        var snapshot: LibrarySnapshot
    }

    private struct State {
        /// The result's own objects, and the latest state for which they are current.
        var own: Answer
        /// The query's result in the last state that observers were notified of, or nil if it still
        /// equals `own`.
        var present: Answer?
    }

    let connection: LibraryConnection
    /// Indicates whether the client requested incremental change details.
    let wantsSteps: Bool
    private let state: Mutex<State>

    init(connection: LibraryConnection, answer: Answer, wantsSteps: Bool) {
        self.connection = connection
        self.wantsSteps = wantsSteps
        state = Mutex(State(own: answer))
        connection.monitor.register.add(self)
    }

    /// The result's objects, and the latest state for which they are current.
    var own: Answer { state.withLock(\.own) }

    /// The query's result at the state that observers were last notified of.
    ///
    /// `isOwn` is true while it is still the answer that the fetch result began with.
    var present: (answer: Answer, isOwn: Bool) {
        state.withLock { state in (state.present ?? state.own, state.present == nil) }
    }

    /// Records the result of the query at a later state.
    ///
    /// - Parameters:
    ///   - answer: The later result.
    ///   - isSame: Whether it equals the present result, without changes to any object.
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
    /// Returns whether this snapshot is later than another: its version is higher, or the client's
    /// access changed in between.
    ///
    /// Epochs have no order here, since a daemon that was started again may have a clock that was
    /// set back, and no version has, since it is 0 without access. Of two snapshots with different
    /// epochs, each is later than the other: advancing to an earlier one changes nothing, whereas a
    /// missed change of access would not be reported.
    func isLater(than other: LibrarySnapshot) -> Bool {
        version > other.version || epoch != other.epoch
    }
}

extension PHFetchResult {
    /// The library version of the result, or nil for a result without a library.
    package var version: Int64? { objects?.track?.own.snapshot.version }
}
