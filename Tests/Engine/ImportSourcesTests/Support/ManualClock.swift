import Synchronization

/// A clock that a test sets.
final class ManualClock: Sendable {
    private let start = SuspendingClock.now
    private let offset = Mutex(Duration.zero)

    var now: SuspendingClock.Instant { start + offset.withLock(\.self) }

    func set(_ seconds: Double) { offset.withLock { $0 = .seconds(seconds) } }
}
