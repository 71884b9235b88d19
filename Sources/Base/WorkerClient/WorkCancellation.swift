internal import Synchronization

/// The urgency of work.
package enum WorkPriority: Int, Comparable, Hashable, Sendable, CaseIterable {
    /// The result is not awaited by anyone.
    case background = 0
    /// The result may be displayed soon.
    case prefetch = 1
    /// The result is awaited but not displayed, as when an import reads files.
    case reading = 2
    /// The result is on display.
    case visible = 3

    package static func < (one: WorkPriority, other: WorkPriority) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// A handle with which another thread cancels a call in progress or raises its priority.
package final class WorkCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var priority: WorkPriority
        var handler: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    package init(priority: WorkPriority = .visible) {
        state = Mutex(State(priority: priority))
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The highest priority that was set so far.
    package var priority: WorkPriority { state.withLock { $0.priority } }

    /// Raises the priority; has no effect if the current priority is at least as high.
    package func raise(to priority: WorkPriority) {
        state.withLock { $0.priority = max($0.priority, priority) }
    }

    /// Cancels the call; has no effect if it has ended or was canceled before.
    package func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            defer { state.handler = nil }
            return state.handler
        }
        handler?()
    }

    /// Sets the handler that runs on cancellation, replacing any earlier one.
    ///
    /// Returns false if the call is already canceled.
    func onCancel(_ handler: (@Sendable () -> Void)?) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.handler = handler
            return true
        }
    }
}
