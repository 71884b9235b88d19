/// A retry schedule with exponential backoff: the first attempt is immediate, then intervals
/// double.
package struct RetryPace: Sendable {
    private let first: Duration
    private let longest: Duration
    private var wait: Duration
    private var due: ContinuousClock.Instant?

    /// Creates a schedule in which the interval `first` separates the first two attempts.
    ///
    /// Each later interval is twice the previous one, up to `longest`.
    package init(first: Duration = .seconds(2), longest: Duration = .seconds(600)) {
        self.first = first
        self.longest = longest
        wait = first
    }

    /// Indicates whether no attempt has been made since the schedule was created or reset.
    package var isFresh: Bool { due == nil }

    /// Returns whether an attempt is due now, and if so, records it.
    package mutating func attempt(at now: ContinuousClock.Instant = .now) -> Bool {
        if let due, now < due { return false }
        due = now + wait
        wait = min(wait * 2, longest)
        return true
    }

    /// Resets the schedule after a success.
    package mutating func reset() {
        due = nil
        wait = first
    }
}
