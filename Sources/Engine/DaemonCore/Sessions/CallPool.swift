internal import RemoteLibrary

/// A pool of threads that perform the calls of one class.
///
/// Clients take turns, so one with many calls does not delay another with few. Threads start with
/// the first calls and stay until the pool stops.
final class CallPool: Sendable {
    private struct State {
        /// The queued work of each client, in order of arrival.
        var queues: [Int: [@Sendable () -> Void]] = [:]
        /// The clients with queued work, in the order of their turns.
        var turns: [Int] = []
        var queuedCount = 0
        var idleCount = 0
        var threadCount = 0
        var isStopped = false
    }

    private let name: String
    private let width: Int
    private let monitor = Monitor(State())

    init(name: String, width: Int) {
        self.name = name
        self.width = width
    }

    /// Indicates whether there are more queued calls than idle threads.
    var hasQueuedCalls: Bool { monitor.withLock { $0.queuedCount > $0.idleCount } }

    /// Queues a client's work, and starts a thread if necessary.
    ///
    /// - Returns: False if there is no thread and none can be started.
    func submit(for client: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        let needsThread = monitor.update { state in
            state.queues[client, default: []].append(work)
            if state.queues[client]?.count == 1 { state.turns.append(client) }
            state.queuedCount += 1
            guard state.idleCount < state.queuedCount, state.threadCount < width else {
                return false
            }
            state.threadCount += 1
            return true
        }
        guard needsThread else { return true }
        if NamedThread.start(name, { self.run() }) { return true }
        return monitor.update { state in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return true }
            state.queues[client]?.removeLast()
            state.queuedCount -= 1
            if state.queues[client]?.isEmpty == true {
                state.queues[client] = nil
                state.turns.removeAll { $0 == client }
            }
            return false
        }
    }

    /// Removes the queued work of a client.
    func removeAll(of client: Int) {
        monitor.update { state in
            state.queuedCount -= state.queues.removeValue(forKey: client)?.count ?? 0
            state.turns.removeAll { $0 == client }
        }
    }

    /// Ends each thread after its current work.
    func stop() { monitor.update { $0.isStopped = true } }

    private func run() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        monitor.withLock { $0.idleCount += 1 }
        return monitor.wait { state -> (@Sendable () -> Void)?? in
            if state.isStopped {
                state.idleCount -= 1
                state.threadCount -= 1
                return .some(nil)
            }
            guard !state.turns.isEmpty else { return nil }
            let client = state.turns.removeFirst()
            guard var queue = state.queues.removeValue(forKey: client), !queue.isEmpty else {
                return nil
            }
            let work = queue.removeFirst()
            if !queue.isEmpty {
                state.queues[client] = queue
                state.turns.append(client)
            }
            state.queuedCount -= 1
            state.idleCount -= 1
            return work
        } ?? nil
    }
}
