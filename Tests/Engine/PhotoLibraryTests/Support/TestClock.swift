import Foundation
import Synchronization

/// A clock that a test controls.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSinceReferenceDate: 800_000_000))

    var now: Date { time.withLock(\.self) }
    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}
