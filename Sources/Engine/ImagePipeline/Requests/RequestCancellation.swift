package import PhotoModel
internal import Synchronization

/// The cancellation of one request, with the handlers that it calls.
package final class RequestCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the request; has no effect if it was already cancelled.
    package func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Throws `cancelled` if the request was cancelled.
    package func check() throws(LibraryError) {
        if isCancelled { throw RequestCoalescer<Int, Int>.cancelled }
    }

    /// Registers a handler that runs once: on cancellation, or immediately if the request was
    /// already cancelled.
    ///
    /// - Returns: The number by which `forget(_:)` removes the handler.
    package func onCancel(_ handler: @escaping @Sendable () -> Void) -> Int {
        let (number, isLate) = state.withLock { state in
            state.last += 1
            if !state.isCancelled { state.handlers[state.last] = handler }
            return (state.last, state.isCancelled)
        }
        if isLate { handler() }
        return number
    }

    /// Removes a handler.
    package func forget(_ number: Int) {
        state.withLock { $0.handlers[number] = nil }
    }
}
