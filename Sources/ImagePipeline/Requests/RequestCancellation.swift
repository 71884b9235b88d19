internal import Synchronization

/// One request's wish to be stopped, and who is to be told.
package final class RequestCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handler: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels; harmless when it was before.
    package func cancel() {
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isCancelled else { return nil }
            state.isCancelled = true
            defer { state.handler = nil }
            return state.handler
        }
        handler?()
    }

    /// Runs `handler` once, at the cancellation or now when that has been, in place of one that was
    /// set before.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.handler = handler }
            return state.isCancelled
        }
        if isLate { handler() }
    }

    /// Tells nobody any more.
    func forgetHandler() {
        state.withLock { $0.handler = nil }
    }
}
