internal import ObjectStorage
internal import RemoteLibrary

/// Blocking work on a thread of its own, for which a task waits.
///
/// A disk that fails can block a system call for minutes. If the task is canceled, it continues at
/// once; the thread ends when the call does, and its result is discarded. Only the work itself can
/// prevent that it changes anything after that.
enum ThreadedWork<Value: Sendable> {
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
        let promise = Promise<Value>()
        let isStarted = NamedThread.start(name) { promise.end(Result { try body() }) }
        guard isStarted else { throw ObjectStoreError.threadShortage }
        return try await promise.value()
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
