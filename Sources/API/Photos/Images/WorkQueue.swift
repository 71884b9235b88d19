internal import Dispatch
internal import Synchronization

/// Runs work on a few threads of its own: what came first goes first, what is cancelled never runs.
///
/// A queue that yields to another begins nothing while that one has work: what it does costs nobody who
/// waits there a turn at a processor.
package final class WorkQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Int: Work] = [:]
        var first = 0
        var next = 0
        /// Threads at work; none only when nothing waits, or when the queue has yielded.
        var running = 0
        var hasYielded = false
        /// Queues that go on when this one has nothing to do.
        var yielded: [WorkQueue] = []
    }

    private let width: Int
    private let urgent: WorkQueue?
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// A queue without work.
    ///
    /// - Parameters:
    ///   - label: Of its threads.
    ///   - width: How many there are at most.
    ///   - urgent: The queue that it yields to; yields in a circle would never end.
    package init(label: String, width: Int, yieldingTo urgent: WorkQueue? = nil) {
        self.width = width
        self.urgent = urgent
        queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    }

    /// Queues work.
    ///
    /// - Returns: What takes it back before it runs.
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
        if starts { queue.async { [self] in run() } }
        return ticket
    }

    /// Takes back work that does not run yet.
    package func remove(_ ticket: Int) {
        state.withLock { $0.waiting[ticket] = nil }
    }

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

    /// Whether there is something more urgent; this thread then ends, and another goes on later.
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
        for _ in 0..<starts { queue.async { [self] in run() } }
    }
}
