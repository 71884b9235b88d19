internal import LibraryService
internal import PhotoModel

/// The outcome of a call on one connection.
enum CallOutcome: Sendable {
    case reply(EncodedMessage)
    case failure(LibraryError)
    /// The connection ended before the reply; `wasSent` is false if the daemon cannot have received
    /// the call.
    case lost(ConnectionFailure, wasSent: Bool)
}

/// A call in progress, whose caller waits for the outcome.
final class PendingCall: Sendable {
    private struct State {
        var outcome: CallOutcome?
        /// The latest progress that was not passed to the caller yet.
        var progress: CallProgress?
    }

    private enum Event {
        case progress(CallProgress)
        case end(CallOutcome)
    }

    private let monitor = Monitor(State())

    /// Ends the call with an outcome, unless the call has already ended.
    func finish(_ outcome: CallOutcome) {
        monitor.update { state in
            if state.outcome == nil { state.outcome = outcome }
        }
    }

    /// Indicates whether the call has ended.
    var hasEnded: Bool { monitor.withLock { $0.outcome != nil } }

    /// Reports progress to the caller, who may miss all but the latest report.
    func report(_ progress: CallProgress) { monitor.update { $0.progress = progress } }

    /// Waits until the call ends.
    ///
    /// - Parameter handler: Receives the progress, on this thread.
    /// - Returns: The end of the call.
    func wait(progress handler: ((CallProgress) -> Void)?) -> CallOutcome {
        while true {
            let event = monitor.wait { state -> Event? in
                if let progress = state.progress, handler != nil {
                    state.progress = nil
                    return .progress(progress)
                }
                return state.outcome.map(Event.end)
            }
            switch event {
            case .progress(let progress): handler?(progress)
            case .end(let outcome): return outcome
            case nil: break
            }
        }
    }
}
