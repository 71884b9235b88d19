package import FoundationEssentials

/// The clocks that a store uses: a monotonic one for pauses and time limits, and the time of day.
package struct StoreClock: Sendable {
    /// A closure that returns the time since an arbitrary instant.
    package let elapsed: @Sendable () -> Duration
    /// A closure that suspends the task for a duration; throws `CancellationError` if the task is
    /// canceled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A closure that returns the time of day, for signatures.
    package let date: @Sendable () -> Date

    /// Creates clocks from any clock and a source of the time of day.
    package init<Source: Clock>(
        _ clock: Source,
        date: @escaping @Sendable () -> Date
    ) where Source.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        self.date = date
    }

    /// The clocks of the system.
    package static let system = StoreClock(ContinuousClock(), date: { Date() })
}

/// The time at which a call times out.
package struct CallDeadline: Sendable {
    package let timeout: Duration
    package let clock: StoreClock
    private let end: Duration

    package init(_ timeout: Duration, clock: StoreClock) {
        self.timeout = timeout
        self.clock = clock
        end = clock.elapsed() + max(.zero, timeout)
    }

    package var remaining: Duration { max(.zero, end - clock.elapsed()) }

    /// Runs `work` and cancels it when the deadline passes.
    ///
    /// - Throws: The error of `work`; ``ObjectStoreError`` with `timedOut` at the end;
    ///   `CancellationError` if the task is canceled.
    package func run<Value: Sendable>(
        _ action: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let remaining = remaining
        let sleep = clock.sleep
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await sleep(remaining)
                return nil
            }
            if let first = try await group.next(), let value = first { return value }
            group.cancelAll()
            // Work that ended at the same moment counts.
            if let value = try? await group.next(), let value { return value }
            throw ObjectStoreError.timedOut(action, after: timeout)
        }
    }
}
