internal import Synchronization

/// A value or an error that becomes available later, and the tasks that wait for it.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var count = 0
    }

    // A continuation leaves the list under the lock, so it is resumed once.
    private let state = Mutex(State())

    package init() {}

    /// The value; nil before it is available and after an error.
    package var known: Value? { state.withLock { try? $0.result?.get() } }

    /// Indicates whether the result was set.
    package var hasEnded: Bool { state.withLock { $0.result != nil } }

    /// Sets the result and resumes all waiting tasks; has no effect after the first call.
    package func end(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    /// Waits for the value.
    ///
    /// - Throws: The promise's error; `CancellationError` if the waiting task is canceled.
    package func value() async throws -> Value {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if let result = state.result { return result }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
