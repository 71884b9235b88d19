internal import Glibc

/// A lock-protected value whose changes threads can wait for.
///
/// Unlike `Mutex`, it has a condition variable. The value must only be accessed through the
/// monitor.
package final class Monitor<State>: @unchecked Sendable {
    // `lock` guards `state`. Both pointers are valid until deinit, and no thread can wait then.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    /// Creates a monitor that protects a value; no other references to the value may exist.
    package init(_ state: sending State) {
        self.state = state
        lock = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A change of the wall clock must not end or extend a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    /// Reads or changes the value without waking waiting threads.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&state)
    }

    /// Changes the value and wakes all waiting threads.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        defer { pthread_cond_broadcast(condition) }
        return body(&state)
    }

    /// Waits until a closure returns a non-nil value, and returns that value.
    ///
    /// The closure is called immediately and after each `update`.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the wait ends; nil waits indefinitely.
    ///   - body: Reads or changes the state and returns nil to wait.
    /// - Returns: The value; nil if the deadline passed.
    package func wait<Result>(
        before deadline: SuspendingClock.Instant? = nil,
        _ body: (inout State) -> Result?
    ) -> Result? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                pthread_cond_wait(condition, lock)
                continue
            }
            let left = deadline - SuspendingClock.now
            guard left > .zero else { return nil }
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let (seconds, attoseconds) = min(left, .seconds(86_400)).components
            let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
            time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            pthread_cond_timedwait(condition, lock, &time)
        }
    }
}
