internal import Foundation
internal import Synchronization

/// A control that stops a running import, check or export from another thread, such as one that
/// handles signals.
///
/// The operation finishes its current step, keeps acknowledged results, and returns a partial
/// result. Stopping is not an error.
public final class OperationControl: Sendable {
    private struct State {
        var isStopped = false
        var handlers: [UUID: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Creates a control that is not stopped.
    public init() {}

    /// Requests that the operation stop; may be called repeatedly.
    public func stop() {
        let handlers = state.withLock { state in
            state.isStopped = true
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Indicates whether a stop was requested.
    public var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Registers `handler` to run when a stop is requested; runs it immediately if one already was.
    ///
    /// - Returns: The token that ``forget(_:)`` takes to unregister the handler.
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
