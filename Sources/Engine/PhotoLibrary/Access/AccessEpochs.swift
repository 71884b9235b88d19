internal import Glibc
internal import Synchronization

/// The source of the epochs of all clients of a process whose access is decided by their user.
///
/// A client compares the epoch of its earlier replies with that of the present one, also after it
/// connected to another process. Epochs therefore follow the wall time in milliseconds, and none is
/// given out twice. A clock that is set back can make the epochs of a new process lower than those
/// of an earlier one, so that only equal epochs mean equal access.
///
/// Thread-safe.
package final class AccessEpochs: Sendable {
    /// The epochs of this process.
    package static let shared = AccessEpochs()

    private let now: @Sendable () -> Int64
    private let last = Mutex<Int64>(0)

    /// Creates a source of epochs.
    ///
    /// - Parameter now: Returns the wall time in milliseconds since 1970.
    package init(now: @escaping @Sendable () -> Int64 = AccessEpochs.wallTime) { self.now = now }

    /// Returns an epoch that is higher than all earlier ones.
    func next() -> Int64 {
        last.withLock { last in
            last = max(last + 1, now())
            return last
        }
    }

    /// Returns the wall time in milliseconds since 1970.
    @Sendable package static func wallTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
