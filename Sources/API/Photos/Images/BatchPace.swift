/// Decides when collected image requests are sent together as one batch.
///
///     resting ──add──▶ gathering ──time came──▶ sending ──end──▶ resting or gathering
///
/// 1. At most one batch is in progress.
/// 2. If no batch is in progress, a request is sent at once. A request made on the main queue is
///    sent at the end of the block that makes it, since its result cannot be delivered earlier.
/// 3. If a batch is in progress, requests are sent after its end, once no others have been added
///    for the time `lull`.
/// 4. While no batch is in progress, no request waits for longer than `patience`.
package struct BatchPace {
    package typealias Instant = SuspendingClock.Instant

    /// The action that the caller must take next.
    package enum Step: Equatable {
        case rest
        /// Send the waiting requests, and call `end` afterward.
        case send
        /// Call `step` at the given time.
        case wait(until: Instant)
    }

    /// The length of the pause that ends a series of requests, which are then sent as one batch.
    package static let lull = Duration.microseconds(500)
    /// The longest time that a request waits while no batch is in progress: a quarter of a frame.
    package static let patience = Duration.milliseconds(4)

    private var isSending = false
    /// The time since which requests have been waiting; nil if no requests are waiting.
    private var first: Instant?
    private var last: Instant?
    /// Indicates whether a block on the main queue has made requests and has not ended yet.
    private var isInTurn = false
    /// Indicates whether the first waiting request was added while a batch was in progress.
    private var isSeries = false

    package init() {}

    /// Adds a request, and returns the next step.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - inTurn: Whether the request is made on the main queue, so that `endTurn` follows.
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

    /// Records the end of the current block on the main queue, and returns the next step.
    package mutating func endTurn(at now: Instant) -> Step {
        isInTurn = false
        return step(at: now)
    }

    /// Records the end of a batch, and returns the next step.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isPartial: Whether requests that were waiting have not been sent.
    /// - Returns: The step to take.
    package mutating func end(at now: Instant, isPartial: Bool = false) -> Step {
        isSending = false
        if isPartial, first == nil {
            first = now
            isSeries = false
        }
        return step(at: now)
    }

    /// Returns the action to take at the given time, and marks a batch as in progress if one is
    /// due.
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
