internal import ObjectStorage
internal import RemoteLibrary
internal import Synchronization

/// Blocking work on a thread of its own, for which a task waits.
///
/// A disk that fails can block a system call for minutes. If the task is canceled, it continues at
/// once; the thread ends when the call does, and its result is discarded. Only the work itself can
/// prevent that it changes anything after that.
final class ThreadedWork<Value: Sendable>: Sendable {
    private enum State {
        case waiting(CheckedContinuation<Value, any Error>?)
        case ended(Result<Value, any Error>)
    }

    // Each transition away from `waiting` takes the continuation, so it is resumed once.
    private let state = Mutex<State>(.waiting(nil))

    private init() {}

    /// Runs `body` on a new thread and waits for its result.
    ///
    /// - Parameters:
    ///   - name: The name of the thread, at most 15 bytes.
    ///   - body: The work, which may block its thread.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work; `CancellationError` if the task is canceled;
    ///   ``ObjectStoreError`` if the system has reached its limit of threads.
    static func run(
        _ name: String,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let work = ThreadedWork()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard work.start(continuation) else { return }
                let isStarted = NamedThread.start(name) { work.end(Result { try body() }) }
                if !isStarted { work.end(.failure(ObjectStoreError.threadShortage)) }
            }
        } onCancel: {
            work.end(.failure(CancellationError()))
        }
    }

    /// Returns false, and resumes the task, if it was canceled already.
    private func start(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let result = state.withLock { state -> Result<Value, any Error>? in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        guard let result else { return true }
        continuation.resume(with: result)
        return false
    }

    private func end(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .ended(result)
            return continuation
        }
        continuation?.resume(with: result)
    }
}

extension ObjectStoreError {
    fileprivate static let threadShortage = ObjectStoreError(
        .inputOutput,
        "A file in the store could not be read.",
        reason: "The system has reached its limit of threads.",
        recovery: "Quit other programs, and try again."
    )
}
