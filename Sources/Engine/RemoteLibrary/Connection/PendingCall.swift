internal import LibraryService
internal import PhotoModel

/// The end of a call on one connection.
enum CallOutcome: Sendable {
    case reply(EncodedMessage)
    case failure(LibraryError)
    /// The connection ended first; `wasSent` is false if the daemon cannot have received the call.
    case lost(ConnectionFailure, wasSent: Bool)
}

/// A call whose caller waits for its end.
final class PendingCall: Sendable {
    private struct State {
        var outcome: CallOutcome?
        /// The latest progress that the caller has not received.
        var progress: CallProgress?
    }

    private enum Event {
        case progress(CallProgress)
        case end(CallOutcome)
    }

    private let monitor = Monitor(State())

    /// Ends the wait; later ends are ignored.
    func finish(_ outcome: CallOutcome) {
        monitor.update { state in
            if state.outcome == nil { state.outcome = outcome }
        }
    }

    /// Indicates whether the call has ended.
    var hasEnded: Bool { monitor.withLock { $0.outcome != nil } }

    /// Passes the progress to the caller, which may miss all but the latest.
    func report(_ progress: CallProgress) { monitor.update { $0.progress = progress } }

    /// Waits for the end.
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
