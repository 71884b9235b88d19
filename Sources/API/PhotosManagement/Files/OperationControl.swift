internal import Foundation
internal import Synchronization

/// Stops a running import, check or export from another thread, such as a signal's.
///
/// Stopping is orderly: the step at hand is finished, what it acknowledged stays, and the call
/// returns what was done so far. It is not an error.
public final class OperationControl: Sendable {
    private struct State {
        var isStopped = false
        var handlers: [UUID: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// A control that nothing has stopped yet.
    public init() {}

    /// Asks the operation to stop; safe to call repeatedly.
    public func stop() {
        let handlers = state.withLock { state in
            state.isStopped = true
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Whether somebody asked to stop.
    public var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Runs `handler` when somebody asks to stop, or now when somebody has.
    ///
    /// - Returns: What ``forget(_:)`` takes it back by.
    func whenStopped(_ handler: @escaping @Sendable () -> Void) -> UUID {
        let token = UUID()
        let isLate = state.withLock { state in
            if !state.isStopped { state.handlers[token] = handler }
            return state.isStopped
        }
        if isLate { handler() }
        return token
    }

    func forget(_ token: UUID) {
        state.withLock { $0.handlers[token] = nil }
    }
}
