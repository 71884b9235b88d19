package import FoundationEssentials
package import ObjectStorage
internal import Synchronization

/// A clock whose short pauses end at once and are recorded, and whose long ones never end.
///
/// Pauses between attempts are short; the time limits of the tests' calls are long.
package final class PatientClock: Clock, Sendable {
    package struct Instant: InstantProtocol {
        package var offset: Duration = .zero
        package func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    package init() {}

    private let state = Mutex<(now: Instant, pauses: [Duration])>((Instant(), []))
    private static let longest: Duration = .seconds(500)

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// The pauses so far.
    package var pauses: [Duration] { state.withLock { $0.pauses } }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
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
    package func clocks(date: Date = Date()) -> StoreClock { StoreClock(self, date: { date }) }
}
