internal import Synchronization

/// Tells a call that is under way on another thread that its answer is not wanted any more.
package final class WorkCancellation: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Harmless when the call has ended, or was cancelled before.
    package func cancel() { flag.store(true, ordering: .releasing) }
}
