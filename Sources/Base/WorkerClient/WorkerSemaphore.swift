internal import Dispatch
internal import Synchronization

/// A counting semaphore that serves the waiter with the highest priority first.
///
/// Among waiters of equal priority, the longest-waiting one is first. A waiter's priority is
/// evaluated when a slot becomes free, not when the wait begins.
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

    /// The number of waiters.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for a slot, which `signal()` releases.
    ///
    /// - Parameters:
    ///   - cancellation: Ends the wait when canceled, and has the current priority.
    ///   - priority: The priority without a `cancellation`.
    /// - Returns: True for a slot; false after a cancellation.
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

    /// Releases a slot, which the next waiter gets.
    package func signal() {
        let next = state.withLock { state -> Waiter? in
            // The first of the most urgent waiters: a later one must be more urgent to precede it.
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
