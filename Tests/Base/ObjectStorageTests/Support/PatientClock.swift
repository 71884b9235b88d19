import FoundationEssentials
import ObjectStorage
import Synchronization

/// A clock whose short pauses end at once and are recorded, and whose long ones never end.
///
/// Pauses between attempts are short; the time limits of the tests' calls are long.
final class PatientClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex<(now: Instant, pauses: [Duration])>((Instant(), []))
    private static let longest: Duration = .seconds(500)

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// The pauses so far.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        guard pause < Self.longest else {
            // Ends by cancellation only.
            return try await Task.sleep(for: .seconds(86_400))
        }
        try Task.checkCancellation()
        state.withLock { state in
            state.now = max(state.now, deadline)
            state.pauses.append(pause)
        }
    }

    /// The clocks of a store, with a time of day that stands still.
    func clocks(date: Date = Date()) -> StoreClock { StoreClock(self, date: { date }) }
}
