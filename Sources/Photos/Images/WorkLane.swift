internal import Dispatch
internal import Synchronization

/// Runs work on a few threads of its own: what came first goes first, what is cancelled never runs.
final class WorkLane: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Int: Work] = [:]
        var first = 0
        var next = 0
        var running = 0
    }

    private let width: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(label: String, width: Int) {
        self.width = width
        queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    }

    /// Queues work.
    ///
    /// - Returns: What takes it back before it runs.
    @discardableResult
    func add(_ work: @escaping Work) -> Int {
        let (ticket, starts) = state.withLock { state in
            let ticket = state.next
            state.next += 1
            state.waiting[ticket] = work
            guard state.running < width else { return (ticket, false) }
            state.running += 1
            return (ticket, true)
        }
        if starts { queue.async { [self] in run() } }
        return ticket
    }

    /// Takes back work that does not run yet.
    func remove(_ ticket: Int) {
        state.withLock { $0.waiting[ticket] = nil }
    }

    private func run() {
        while true {
            let work = state.withLock { state -> Work? in
                while state.first < state.next {
                    defer { state.first += 1 }
                    if let work = state.waiting.removeValue(forKey: state.first) { return work }
                }
                state.running -= 1
                return nil
            }
            guard let work else { return }
            work()
        }
    }
}
