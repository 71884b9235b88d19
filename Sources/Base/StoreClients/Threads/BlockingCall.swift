internal import NIOPosix
internal import ObjectStorage

/// A blocking call that runs on a thread of its own and can be abandoned.
///
/// A system call on a lost network share can block for minutes. If the task is canceled, the caller
/// continues at once; the thread discards the result when the system call ends.
///
/// Dispatch's threads are not used, since Swift's tasks run on them too, and each blocked thread
/// would delay all tasks by up to a second. If all threads are blocked, further calls wait for one
/// until their time limit.
enum BlockingCall<Value: Sendable> {
    /// Runs `body` on a thread and waits for its result.
    ///
    /// The argument of `body` returns whether the call was abandoned.
    static func run(
        _ body: @escaping @Sendable (_ isAbandoned: () -> Bool) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let promise = Promise<Value>()
        return try await withTaskCancellationHandler {
            blockingThreads.submit { state in
                // Never canceled, since the threads are never shut down.
                guard state == .active, !promise.hasEnded else { return }
                promise.end(Result { try body { promise.hasEnded } })
            }
            return try await promise.value()
        } onCancel: {
            promise.end(.failure(CancellationError()))
        }
    }
}

/// The threads of all blocking calls of the process.
private let blockingThreads: NIOThreadPool = {
    let threads = NIOThreadPool(numberOfThreads: 16)
    threads.start()
    return threads
}()
