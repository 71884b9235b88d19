internal import Glibc

/// A mutex that a thread waits for until a deadline.
///
/// Time is that of the monotonic clock: setting the computer's clock makes no wait shorter or longer.
///
/// `@unchecked Sendable`: the mutex and the condition never move, only the pthread functions touch them,
/// and the mutex guards the rest.
final class TimedMutex: @unchecked Sendable {
    /// A moment of the monotonic clock.
    struct Deadline {
        fileprivate var time: timespec

        /// Some seconds from now.
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

        /// Whether the moment is past.
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

    /// Waits for the mutex and takes it.
    ///
    /// - Returns: False when the deadline came first.
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
