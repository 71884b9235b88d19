internal import Synchronization

/// Runs asynchronous operations one at a time, in the order of their requests.
///
/// An operation whose task is cancelled while it waits is skipped.
final class SerialQueue: Sendable {
    private struct State {
        var isBusy = false
        var next = 0
        var waiting: [(number: Int, start: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Mutex(State())

    /// Runs `body` once all earlier operations have ended.
    ///
    /// - Throws: The error of `body`; `CancellationError` if the task was cancelled before it
    ///   started.
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await wait()
        defer { advance() }
        return try await body()
    }

    private func wait() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (start: CheckedContinuation<Void, any Error>) in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    // A later cancellation finds the continuation in the queue.
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    guard state.isBusy else {
                        state.isBusy = true
                        return .success(())
                    }
                    state.waiting.append((number, start))
                    return nil
                }
                if let result { start.resume(with: result) }
            }
        } onCancel: {
            let start = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }
                    .map { state.waiting.remove(at: $0).start }
            }
            start?.resume(throwing: CancellationError())
        }
    }

    private func advance() {
        let start = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst().start
        }
        start?.resume()
    }
}
