internal import ObjectStorage
internal import Synchronization

/// The rules by which failed requests are repeated.
package struct RetryPolicy: Sendable {
    /// The maximum number of attempts of one request.
    package var attempts = 6
    /// The longest pause before the first repetition; each later one is up to twice as long.
    package var firstPause: Duration = .milliseconds(200)
    /// The longest pause.
    package var longestPause: Duration = .seconds(20)
    /// The number of repetitions that all requests of a store may have in stock.
    ///
    /// Ten successful requests earn one. A store that is down therefore gets few repetitions.
    package var budget = 50
    /// Returns a random number from 0 up to 1.
    package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    package init() {}

    /// Returns the pause before a repetition, numbered from 1: a random part of the longest one.
    package func pause(before repetition: Int) -> Duration {
        let doublings = min(repetition - 1, 20)
        let longest = min(firstPause * (1 << doublings), longestPause)
        return longest * min(max(random(), 0), 1)
    }
}

/// The stock of repetitions of a store.
final class RetryBudget: Sendable {
    private let capacity: Int
    private let tenths: Mutex<Int>

    init(_ capacity: Int) {
        self.capacity = capacity * 10
        tenths = Mutex(capacity * 10)
    }

    /// Takes one repetition; false if none is left.
    func take() -> Bool {
        tenths.withLock { tenths in
            guard tenths >= 10 else { return false }
            tenths -= 10
            return true
        }
    }

    func recordSuccess() {
        tenths.withLock { $0 = min($0 + 1, capacity) }
    }
}

/// Repeats a request until it succeeds, fails for good, or its time ends.
struct Retrier: Sendable {
    let policy: RetryPolicy
    let budget: RetryBudget

    init(_ policy: RetryPolicy) {
        self.policy = policy
        budget = RetryBudget(policy.budget)
    }

    /// Runs the attempts.
    ///
    /// The error of the last one is thrown.
    ///
    /// If any attempt of a change has an unknown outcome, the error has it too: a later refusal
    /// does not undo what an earlier attempt may do.
    func run<Value: Sendable>(
        _ deadline: CallDeadline,
        _ attempt: (_ number: Int) async throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        var hasUnknownOutcome = false
        var number = 1
        while true {
            do {
                let value = try await attempt(number)
                budget.recordSuccess()
                return value
            } catch {
                hasUnknownOutcome = hasUnknownOutcome || error.hasUnknownOutcome
                let final = error.withUnknownOutcome(hasUnknownOutcome)
                guard error.isWorthRepeating, number < policy.attempts else { throw final }
                let pause = max(policy.pause(before: number), error.retryAfter ?? .zero)
                guard pause < deadline.remaining, budget.take() else { throw final }
                do {
                    try await deadline.clock.sleep(pause)
                } catch {
                    throw .cancelled("repeat a request").withUnknownOutcome(hasUnknownOutcome)
                }
                number += 1
            }
        }
    }
}

extension ObjectStoreError {
    /// Indicates whether the same request may succeed later without a change of anything else.
    var isWorthRepeating: Bool {
        switch code {
        case .unreachable, .timedOut, .throttled, .serverFault, .damaged: true
        default: false
        }
    }
}
