/// The decision when requests for images depart together.
///
///     resting ──add──▶ gathering ──time came──▶ sending ──end──▶ resting or gathering
///
/// 1. At most one batch is under way.
/// 2. A request that finds none departs at once. One that is made on the main queue departs at the
///    end of the block that makes it, since its result cannot be delivered earlier.
/// 3. Requests that find one depart after its end, as soon as no others have arrived for a moment.
/// 4. Without a batch under way, no request waits for longer than `patience`.
package struct BatchPace {
    package typealias Instant = SuspendingClock.Instant

    /// The step to take.
    package enum Step: Equatable {
        case rest
        /// The requests that wait depart; `end` follows.
        case send
        /// `step` has to be called at a time.
        case wait(until: Instant)
    }

    /// The time after which a request is regarded as the last of several.
    package static let lull = Duration.microseconds(500)
    /// The longest time that a request waits without a reason of its own, a quarter of a frame.
    package static let patience = Duration.milliseconds(4)

    private var isSending = false
    /// The time of the first request that waits; nil if none does.
    private var first: Instant?
    private var last: Instant?
    /// Indicates whether a block on the main queue that made requests has not ended.
    private var isInTurn = false
    /// Indicates whether the first request found a batch under way.
    private var isSeries = false

    package init() {}

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - inTurn: Whether it is made on the main queue, so that `endTurn` follows.
    /// - Returns: The step to take.
    package mutating func add(at now: Instant, inTurn: Bool) -> Step {
        if first == nil {
            first = now
            isSeries = isSending
        }
        last = now
        if inTurn { isInTurn = true }
        return step(at: now)
    }

    /// Notes the end of the block that made requests.
    package mutating func endTurn(at now: Instant) -> Step {
        isInTurn = false
        return step(at: now)
    }

    /// Notes the end of a batch.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isPartial: Whether it left requests that had waited.
    /// - Returns: The step to take.
    package mutating func end(at now: Instant, isPartial: Bool = false) -> Step {
        isSending = false
        if isPartial, first == nil {
            first = now
            isSeries = false
        }
        return step(at: now)
    }

    /// Returns the step to take at a time.
    package mutating func step(at now: Instant) -> Step {
        guard let first, !isSending else { return .rest }
        let limit = first + Self.patience
        var due = now
        if isInTurn {
            due = limit
        } else if isSeries, let last {
            due = min(last + Self.lull, limit)
        }
        guard now >= due else { return .wait(until: due) }
        isSending = true
        self.first = nil
        // The main queue may not run; further requests of the block set it again.
        isInTurn = false
        return .send
    }
}
