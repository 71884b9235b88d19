/// When to try again what keeps failing: at once, then after ever longer waits.
package struct RetryPace: Sendable {
    private let first: Duration
    private let longest: Duration
    private var wait: Duration
    private var due: ContinuousClock.Instant?

    /// A pace whose second attempt comes `first` after the first one; each wait is twice the one before,
    /// up to `longest`.
    package init(first: Duration = .seconds(2), longest: Duration = .seconds(600)) {
        self.first = first
        self.longest = longest
        wait = first
    }

    /// Whether nothing was tried since the beginning, or since it was well.
    package var isFresh: Bool { due == nil }

    /// Whether to try now; if so, that counts as an attempt.
    package mutating func attempt(at now: ContinuousClock.Instant = .now) -> Bool {
        if let due, now < due { return false }
        due = now + wait
        wait = min(wait * 2, longest)
        return true
    }

    /// Begins anew: what failed is well again.
    package mutating func reset() {
        due = nil
        wait = first
    }
}
