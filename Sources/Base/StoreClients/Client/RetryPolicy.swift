internal import ObjectStorage
internal import Synchronization

/// The rules for retrying failed requests.
package struct RetryPolicy: Sendable {
    /// The maximum number of attempts of one request.
    package var attempts = 6
    /// The maximum pause before the first retry; the maximum doubles with each further retry.
    package var firstPause: Duration = .milliseconds(200)
    /// The value at which the maximum pause stops doubling.
    package var longestPause: Duration = .seconds(20)
    /// The maximum number of retries that a store's retry budget can hold.
    ///
    /// Each retry takes one from the budget, and ten successful requests add one. A store that is
    /// down therefore gets few retries.
    package var budget = 50
    /// Returns a random number from 0 up to, but not including, 1.
    package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    package init() {}

    /// Returns a random pause before retry number `repetition`, counted from 1, up to the maximum
    /// pause.
    package func pause(before repetition: Int) -> Duration {
        let doublings = min(repetition - 1, 20)
        let longest = min(firstPause * (1 << doublings), longestPause)
        return longest * min(max(random(), 0), 1)
    }
}

/// The number of retries that are left for the requests of a store.
final class RetryBudget: Sendable {
    private let capacity: Int
    private let tenths: Mutex<Int>

    init(_ capacity: Int) {
        self.capacity = capacity * 10
        tenths = Mutex(capacity * 10)
    }

    /// Takes one retry from the budget; returns false if none is left.
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

/// A loop that retries a request until it succeeds, fails with a permanent error, or reaches a
/// limit.
struct Retrier: Sendable {
    let policy: RetryPolicy
    let budget: RetryBudget

    init(_ policy: RetryPolicy) {
        self.policy = policy
        budget = RetryBudget(policy.budget)
    }

    /// Runs the attempts, and throws the error of the last attempt if all fail.
    ///
    /// If any attempt of a change has an unknown outcome, so does the thrown error, since an
    /// earlier attempt may still take effect.
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
    /// Indicates whether the same request may succeed later, so that a retry makes sense.
    var isWorthRepeating: Bool {
        switch code {
        case .unreachable, .timedOut, .throttled, .serverFault, .damaged: true
        default: false
        }
    }
}
