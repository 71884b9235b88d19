internal import RemoteLibrary

/// The tasks of a session's requests that are under way, which are canceled together.
///
/// Thread-safe.
final class RequestTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var count = 0
        var isCancelled = false
    }

    private let monitor = Monitor(State())

    /// Runs a request in a task of its own.
    func run(_ request: @escaping @Sendable () async -> Void) {
        monitor.withLock { state in
            state.count += 1
            let number = state.count
            let task = Task { [monitor] in
                await request()
                monitor.withLock { $0.tasks[number] = nil }
            }
            state.tasks[number] = task
            if state.isCancelled { task.cancel() }
        }
    }

    /// Cancels the requests that are under way and those that are still to come.
    func cancel() {
        let tasks = monitor.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
