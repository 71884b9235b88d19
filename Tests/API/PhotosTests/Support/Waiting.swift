import Foundation
import Testing

/// Wakes the tests that wait for a condition.
///
/// Whatever changes the state of a condition calls `send()` afterwards, without holding a lock.
enum Signals {
    private final class Counter: @unchecked Sendable {
        // Guards the number.
        let condition = NSCondition()
        var sent = 0
    }

    private static let counter = Counter()

    /// The number of signals so far.
    static var sent: Int { counter.condition.withLock { counter.sent } }

    /// Wakes all waiting tests.
    static func send() {
        counter.condition.withLock {
            counter.sent += 1
            counter.condition.broadcast()
        }
    }

    /// Waits until more signals were sent than a number, or until a time.
    static func wait(after number: Int, until date: Date) {
        counter.condition.withLock {
            while counter.sent == number, counter.condition.wait(until: date) {}
        }
    }
}

/// Waits until a condition holds, and reports the condition if it takes too long.
///
/// The condition is evaluated at the start and after each signal.
func wait(
    for what: Comment,
    seconds: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation,
    until condition: () -> Bool
) {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
        let sent = Signals.sent
        if condition() { return }
        guard Date() < deadline else {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        Signals.wait(after: sent, until: deadline)
    }
}
