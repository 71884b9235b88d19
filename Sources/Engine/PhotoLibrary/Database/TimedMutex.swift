internal import Glibc

/// A mutex with a deadline for acquiring it.
///
/// Deadlines use the monotonic clock, so setting the system clock does not affect waits.
///
/// `@unchecked Sendable`: the mutex and the condition never move in memory and are accessed only by
/// the pthread functions. The mutex guards the rest.
final class TimedMutex: @unchecked Sendable {
    /// A point in time of the monotonic clock.
    struct Deadline {
        fileprivate var time: timespec

        /// Creates a deadline some seconds from now.
        init(after seconds: Double) {
            let nanoseconds = 1_000_000_000
            let seconds = max(0, min(seconds, 1e9))
            let whole = Int(seconds)
            let rest = Int((seconds - Double(whole)) * 1e9)
            time = Self.now
            let sum = time.tv_nsec + max(0, min(rest, nanoseconds - 1))
            time.tv_sec += whole + sum / nanoseconds
            time.tv_nsec = sum % nanoseconds
        }

        /// Indicates whether the deadline has passed.
        var isOver: Bool {
            let now = Self.now
            return (now.tv_sec, now.tv_nsec) >= (time.tv_sec, time.tv_nsec)
        }

        private static var now: timespec {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return now
        }
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    // Guarded by `mutex`.
    private var isTaken = false

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Acquires the mutex, waiting until a deadline at most.
    ///
    /// - Returns: False if the deadline passed first.
    func lock(until deadline: Deadline) -> Bool {
        var time = deadline.time
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while isTaken {
            let isInTime = pthread_cond_timedwait(condition, mutex, &time) == 0
            if !isInTime, isTaken { return false }
        }
        isTaken = true
        return true
    }

    /// Releases the mutex.
    func unlock() {
        pthread_mutex_lock(mutex)
        isTaken = false
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }
}
