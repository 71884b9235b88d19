internal import Synchronization

/// Stops a running import, check or export from another thread, such as a signal's.
///
/// Stopping is orderly: the step at hand is finished, what it acknowledged stays, and the call
/// returns what was done so far. It is not an error.
public final class OperationControl: Sendable {
    private let stopped = Atomic(false)

    /// A control that nothing has stopped yet.
    public init() {}

    /// Asks the operation to stop; safe to call repeatedly.
    public func stop() { stopped.store(true, ordering: .relaxed) }

    /// Whether somebody asked to stop.
    public var isStopped: Bool { stopped.load(ordering: .relaxed) }
}
