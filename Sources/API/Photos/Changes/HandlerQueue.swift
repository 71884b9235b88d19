internal import Dispatch
internal import Synchronization

/// Calls completion handlers one at a time, in the order in which they were added.
///
/// 1. Handlers that do not wait for anything never overlap, so they may share variables.
/// 2. A handler that runs for longer than `patience` while another one waits no longer holds it up,
///    because it may be waiting for that one.
final class HandlerQueue: Sendable {
    typealias Handler = @Sendable () -> Void

    private struct State {
        var waiting: [Handler] = []
        /// The number of handlers that have started.
        var started = 0
        /// The number of the handler that holds up the others; nil if none does.
        var current: Int?
        /// The number of the handler whose time is limited.
        var limited: Int?

        /// Removes the next handler if none holds it up.
        mutating func next() -> (number: Int, handler: Handler)? {
            guard current == nil, !waiting.isEmpty else { return nil }
            started += 1
            current = started
            return (started, waiting.removeFirst())
        }

        /// Returns the handler whose time becomes limited because another one waits.
        mutating func newlyLimited() -> Int? {
            guard let current, limited != current, !waiting.isEmpty else { return nil }
            limited = current
            return current
        }
    }

    private let label: String
    private let patience: DispatchTimeInterval
    // The lock is never held while a handler runs.
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - label: The label of the serial queues on which handlers run, one for each handler.
    ///   - patience: The time after which a handler no longer holds up one that waits.
    init(label: String, patience: DispatchTimeInterval = .seconds(1)) {
        self.label = label
        self.patience = patience
    }

    /// Adds a handler, which is called once.
    func add(_ handler: @escaping Handler) {
        state.withLock { $0.waiting.append(handler) }
        proceed()
    }

    private func proceed() {
        let (next, limited) = state.withLock { ($0.next(), $0.newlyLimited()) }
        if let next {
            DispatchQueue(label: label).async { [self] in
                next.handler()
                release(next.number)
            }
        }
        if let limited {
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [self] in
                release(limited)
            }
        }
    }

    /// Lets the next handler start if this one still holds it up.
    private func release(_ number: Int) {
        state.withLock { if $0.current == number { $0.current = nil } }
        proceed()
    }
}
