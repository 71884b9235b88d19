internal import Synchronization

/// Runs one piece of asynchronous work at a time, in the order in which they were asked for.
///
/// Work whose task is cancelled while it waits is left out.
final class SerialQueue: Sendable {
    private struct State {
        var isBusy = false
        var next = 0
        var waiting: [(number: Int, start: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Mutex(State())

    /// Runs `body` once what was asked for before has ended.
    ///
    /// - Throws: What `body` throws; `CancellationError` where the task was cancelled before.
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
                    // A cancellation from now on finds it among those that wait.
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
