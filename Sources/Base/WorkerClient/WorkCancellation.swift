internal import Synchronization

/// How urgent work is: who waits for it.
package enum WorkPriority: Int, Comparable, Hashable, Sendable, CaseIterable {
    /// Nobody waits.
    case background = 0
    /// Somebody may look at it soon.
    case prefetch = 1
    /// Files are read in.
    case reading = 2
    /// Somebody looks.
    case visible = 3

    package static func < (one: WorkPriority, other: WorkPriority) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// Tells a call that is under way on another thread that its answer is not wanted any more, or is
/// wanted sooner.
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

    /// The highest priority of all who want it.
    package var priority: WorkPriority { state.withLock { $0.priority } }

    /// Makes it more urgent; harmless where it is so already.
    package func raise(to priority: WorkPriority) {
        state.withLock { $0.priority = max($0.priority, priority) }
    }

    /// Harmless when the call has ended, or was cancelled before.
    package func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            defer { state.handler = nil }
            return state.handler
        }
        handler?()
    }

    /// Runs `handler` at the cancellation, in place of one that was set before; not where that has been
    /// already, which is said.
    func onCancel(_ handler: (@Sendable () -> Void)?) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.handler = handler
            return true
        }
    }
}
