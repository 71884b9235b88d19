internal import Dispatch
internal import Synchronization

/// Calls completion handlers, each on a serial queue of its own.
///
/// 1. Handlers start in the order in which they were added.
/// 2. A handler may wait for another one, because no handler waits for another one to end.
final class HandlerQueue: Sendable {
    typealias Handler = @Sendable () -> Void

    private struct State {
        var waiting: [Handler] = []
        /// Indicates whether a queue was asked to start the first waiting handler.
        var isStarting = false
    }

    private let label: String
    // The lock is never held while a handler runs.
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameter label: The label of the queues on which handlers run.
    init(label: String) { self.label = label }

    /// Calls a handler after all handlers that were added before have started.
    func add(_ handler: @escaping Handler) {
        let starts = state.withLock { state in
            state.waiting.append(handler)
            defer { state.isStarting = true }
            return !state.isStarting
        }
        if starts { startNext() }
    }

    private func startNext() {
        DispatchQueue(label: label).async { [self] in
            let (handler, hasMore) = state.withLock { state in
                let handler = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                state.isStarting = !state.waiting.isEmpty
                return (handler, state.isStarting)
            }
            if hasMore { startNext() }
            handler?()
        }
    }
}
