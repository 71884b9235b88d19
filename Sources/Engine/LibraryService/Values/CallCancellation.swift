internal import Synchronization

/// Cancels calls from another thread.
///
/// A cancellation is never withdrawn. A call that is canceled fails with `cancelled`, unless it
/// has already done its work.
package final class CallCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var nextHandler = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Indicates whether the calls are canceled, at the cost of one lock.
    package var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Cancels the calls, and runs the handlers on this thread.
    package func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [:] }
            return state.handlers.values.map(\.self)
        }
        for handler in handlers { handler() }
    }

    /// Performs work, and runs a handler if the calls are canceled before or during the work.
    ///
    /// - Parameters:
    ///   - handler: Runs at most once: on the thread that cancels, or on this one if the
    ///     cancellation came first. It may still be running when the work has ended.
    ///   - work: The work.
    /// - Returns: The result of the work.
    package func withHandler<Result>(
        _ handler: @escaping @Sendable () -> Void,
        while work: () -> Result
    ) -> Result {
        let number = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.nextHandler += 1
            state.handlers[state.nextHandler] = handler
            return state.nextHandler
        }
        guard let number else {
            handler()
            return work()
        }
        defer { state.withLock { state in state.handlers[number] = nil } }
        return work()
    }
}
