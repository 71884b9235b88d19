internal import Dispatch
internal import Synchronization

/// Counts a session's calls in progress, so that closing the session can wait for their end.
///
/// A call must not be made from inside another one. Thread-safe.
final class CallGate: Sendable {
    /// The bit that is set once the gate is closed; the other bits count the calls.
    private static let closed = 1 << 62

    private let state = Atomic(0)
    private let isIdle = DispatchSemaphore(value: 0)

    /// Begins a call.
    ///
    /// - Returns: False if the gate is closed; then nothing has begun.
    func enter() -> Bool {
        if state.add(1, ordering: .acquiring).oldValue & Self.closed == 0 { return true }
        leave()
        return false
    }

    /// Ends a call.
    func leave() {
        let now = state.subtract(1, ordering: .acquiringAndReleasing).newValue
        if now == Self.closed { isIdle.signal() }
    }

    /// Refuses further calls, runs `body`, and waits for the calls in progress.
    ///
    /// - Parameter body: Ends calls in progress early; it runs once.
    /// - Returns: False if the gate was closed before; then nothing is done.
    func close(_ body: () -> Void) -> Bool {
        let before = state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
        guard before & Self.closed == 0 else { return false }
        body()
        if before != 0 { isIdle.wait() }
        return true
    }
}
