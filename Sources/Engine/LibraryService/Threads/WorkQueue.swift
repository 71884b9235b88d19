package import Dispatch
internal import Synchronization

/// A queue that runs work in first-in, first-out order on a few threads, and never runs canceled
/// work.
///
/// A queue that yields to another starts no work while the other queue has work, so it does not
/// take processor time from clients that wait there. Work runs even if blocks of the program occupy
/// the threads that Dispatch shares.
package final class WorkQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Int: Work] = [:]
        var first = 0
        var next = 0
        /// The number of active threads.
        ///
        /// It is 0 only if no work waits or the queue has yielded.
        var running = 0
        var hasYielded = false
        /// The queues that yielded to this queue and resume when it has no work left.
        var yielded: [WorkQueue] = []
    }

    private let width: Int
    private let urgent: WorkQueue?
    private let label: String
    private let qos: DispatchQoS
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - label: The label of the queue's threads.
    ///   - width: The maximum number of threads.
    ///   - qos: The quality of service, which determines the priority of the threads.
    ///   - urgent: The queue that this queue yields to. A cycle of such queues would deadlock.
    package init(
        label: String,
        width: Int,
        qos: DispatchQoS = .userInitiated,
        yieldingTo urgent: WorkQueue? = nil
    ) {
        self.label = label
        self.width = width
        self.qos = qos
        self.urgent = urgent
    }

    /// Enqueues work, and returns a ticket to remove the work with.
    ///
    /// - Returns: A ticket to remove the work with before it runs.
    @discardableResult
    package func add(_ work: @escaping Work) -> Int {
        let (ticket, starts) = state.withLock { state in
            let ticket = state.next
            state.next += 1
            state.waiting[ticket] = work
            guard state.running < width, !state.hasYielded else { return (ticket, false) }
            state.running += 1
            return (ticket, true)
        }
        if starts { start() }
        return ticket
    }

    /// Removes work that has not started yet.
    package func remove(_ ticket: Int) {
        state.withLock { $0.waiting[ticket] = nil }
    }

    private func start() { OwnQueue.run(label, qos: qos) { [self] in run() } }

    private func run() {
        while !yields() {
            let (work, others) = state.withLock { state -> (Work?, [WorkQueue]) in
                while state.first < state.next {
                    defer { state.first += 1 }
                    if let work = state.waiting.removeValue(forKey: state.first) {
                        return (work, [])
                    }
                }
                state.running -= 1
                guard state.running == 0 else { return (nil, []) }
                defer { state.yielded = [] }
                return (nil, state.yielded)
            }
            guard let work else {
                for workQueue in others { workQueue.resume() }
                return
            }
            work()
        }
    }

    /// Returns whether the calling thread must stop because the urgent queue has work.
    ///
    /// The urgent queue resumes this queue when it has no work left.
    private func yields() -> Bool {
        guard let urgent else { return false }
        return urgent.state.withLock { others in
            guard others.running > 0 else { return false }
            state.withLock { state in
                state.running -= 1
                if !state.hasYielded { others.yielded.append(self) }
                state.hasYielded = true
            }
            return true
        }
    }

    private func resume() {
        let starts = state.withLock { state in
            state.hasYielded = false
            let starts = max(0, min(width - state.running, state.waiting.count))
            state.running += starts
            return starts
        }
        for _ in 0..<starts { start() }
    }
}
