internal import NIOPosix
internal import Synchronization

/// A blocking call that runs on a thread of its own and can be abandoned.
///
/// A system call on a lost network share can block for minutes. If the task is canceled, the caller
/// continues at once; the thread discards the result when the system call ends.
///
/// Dispatch's threads are not used, since Swift's tasks run on them too, and each blocked thread
/// would delay all tasks by up to a second. If all threads are blocked, further calls wait for one
/// until their time limit.
final class BlockingCall<Value: Sendable>: Sendable {
    private enum State {
        case waiting(CheckedContinuation<Value, any Error>?)
        case ended(Result<Value, any Error>)
    }

    // Each transition away from `waiting` takes the continuation, so it is resumed once.
    private let state = Mutex<State>(.waiting(nil))

    private init() {}

    /// Runs `body` on a thread and waits for its result.
    ///
    /// The argument of `body` returns whether the call was abandoned.
    static func run(
        _ body: @escaping @Sendable (_ isAbandoned: () -> Bool) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let call = BlockingCall()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                call.start(continuation)
                blockingThreads.submit { state in
                    // Never canceled, since the threads are never shut down.
                    guard state == .active, !call.isAbandoned else { return }
                    call.end(Result { try body { call.isAbandoned } })
                }
            }
        } onCancel: {
            call.end(.failure(CancellationError()))
        }
    }

    private var isAbandoned: Bool {
        state.withLock { state in
            if case .ended = state { true } else { false }
        }
    }

    private func start(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
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

/// The threads of all blocking calls of the process.
private let blockingThreads: NIOThreadPool = {
    let threads = NIOThreadPool(numberOfThreads: 16)
    threads.start()
    return threads
}()
