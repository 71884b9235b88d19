package import Dispatch
internal import Foundation
internal import Synchronization

/// Calls completion handlers of a program in the order in which they were added, a few at a time.
///
/// 1. Handlers that do not wait for anything never overlap on a queue of width 1, so they may share
///    variables.
/// 2. A handler that runs for longer than `patience` while another one waits no longer holds it up,
///    because it may be waiting for that one.
/// 3. Handlers are called even if blocks of the program occupy the threads that Dispatch shares.
package final class HandlerQueue: Sendable {
    package typealias Handler = @Sendable () -> Void

    private struct State {
        /// The handlers that have not started, by their numbers from `first` on.
        var waiting: [Int: Handler] = [:]
        var first = 0
        var next = 0
        /// The numbers of the running handlers that hold up others.
        var holding: Set<Int> = []
        /// Indicates whether the time of running handlers is being taken.
        var isTimed = false

        /// Removes the next handler if none holds it up.
        mutating func start(width: Int) -> (number: Int, handler: Handler)? {
            guard holding.count < width, let handler = waiting.removeValue(forKey: first) else {
                return nil
            }
            defer { first += 1 }
            holding.insert(first)
            return (first, handler)
        }
    }

    private let label: String
    private let width: Int
    private let patience: DispatchTimeInterval
    private let timers: DispatchQueue
    // The lock is never held while a handler runs.
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - label: The label of the serial queues on which handlers run.
    ///   - width: The number of handlers that may run at the same time without holding up others.
    ///   - patience: The time after which a handler no longer holds up one that waits.
    package init(
        label: String,
        width: Int = 1,
        patience: DispatchTimeInterval = .seconds(1)
    ) {
        self.label = label
        self.width = width
        self.patience = patience
        timers = DispatchQueue(label: label + ".timers")
    }

    /// Returns an empty queue whose handlers may overlap, as on a concurrent queue of Dispatch.
    ///
    /// As many run at the same time as there are processors, at least two.
    package static func concurrent(_ label: String) -> HandlerQueue {
        HandlerQueue(
            label: label,
            width: max(2, ProcessInfo.processInfo.activeProcessorCount),
            patience: .milliseconds(100)
        )
    }

    /// Adds a handler, which is called once.
    package func add(_ handler: @escaping Handler) {
        state.withLock { state in
            state.waiting[state.next] = handler
            state.next += 1
        }
        proceed()
    }

    private func proceed() {
        while let next = state.withLock({ $0.start(width: width) }) {
            OwnQueue.run(label) { [self] in run(next) }
        }
        limitTime()
    }

    /// Calls a handler, and the next ones as long as none holds them up.
    private func run(_ first: (number: Int, handler: Handler)) {
        var current = first
        while true {
            current.handler()
            let ended = current.number
            let next = state.withLock { state in
                state.holding.remove(ended)
                return state.start(width: width)
            }
            guard let next else { return }
            current = next
        }
    }

    /// Lets other handlers start when those that run now still hold them up after `patience`.
    private func limitTime() {
        let running = state.withLock { state -> Set<Int>? in
            guard !state.isTimed, !state.waiting.isEmpty else { return nil }
            state.isTimed = true
            return state.holding
        }
        guard let running else { return }
        timers.asyncAfter(deadline: .now() + patience) { [self] in
            state.withLock { state in
                state.isTimed = false
                if !state.waiting.isEmpty { state.holding.subtract(running) }
            }
            proceed()
        }
    }
}
