internal import Dispatch
internal import Synchronization

/// A counting semaphore whose next waiter is the one that waits longest among the most urgent.
///
/// How urgent somebody is counts when a place becomes free, not when they began to wait.
package final class WorkerSemaphore: Sendable {
    private final class Waiter: Sendable {
        let wakeUp = DispatchSemaphore(value: 0)
        let cancellation: WorkCancellation?
        let priority: WorkPriority
        let isRefused = Atomic(false)

        init(_ cancellation: WorkCancellation?, _ priority: WorkPriority) {
            self.cancellation = cancellation
            self.priority = priority
        }

        var urgency: WorkPriority { cancellation?.priority ?? priority }
    }

    private struct State {
        var free: Int
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>

    package init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// How many wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for a place, which is given back with `signal()`.
    ///
    /// - Parameters:
    ///   - cancellation: Ends the waiting; says how urgent it is.
    ///   - priority: How urgent it is where there is no `cancellation`.
    /// - Returns: Whether there is a place; not when it was cancelled.
    package func wait(
        _ cancellation: WorkCancellation?,
        priority: WorkPriority = .visible
    ) -> Bool {
        let waiter = state.withLock { state -> Waiter? in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let waiter = Waiter(cancellation, priority)
            state.waiting.append(waiter)
            return waiter
        }
        guard let waiter else { return true }
        let refuse: @Sendable () -> Void = { [self] in
            let isWaiting = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else {
                    return false
                }
                state.waiting.remove(at: index)
                return true
            }
            guard isWaiting else { return }
            waiter.isRefused.store(true, ordering: .releasing)
            waiter.wakeUp.signal()
        }
        if cancellation?.onCancel(refuse) == false { refuse() }
        waiter.wakeUp.wait()
        _ = cancellation?.onCancel(nil)
        return !waiter.isRefused.load(ordering: .acquiring)
    }

    /// Gives a place to who is next.
    package func signal() {
        let next = state.withLock { state -> Waiter? in
            // The first of the most urgent: later ones have to be more urgent to come before it.
            var best: Int?
            for (index, waiter) in state.waiting.enumerated() {
                if best.map({ waiter.urgency > state.waiting[$0].urgency }) ?? true { best = index }
            }
            guard let best else {
                state.free += 1
                return nil
            }
            return state.waiting.remove(at: best)
        }
        next?.wakeUp.signal()
    }
}
