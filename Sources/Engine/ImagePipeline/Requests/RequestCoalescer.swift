internal import Foundation
package import PhotoModel
package import WorkerClient

/// Coalesces equal requests: further requests for a key join the work in progress.
///
/// 1. The work runs on the thread of the first request; the other threads wait.
/// 2. It is cancelled only when all its requests are cancelled. Later requests then do not join it.
/// 3. It has the highest priority of its requests.
/// 4. A waiting thread returns immediately when its own request is cancelled.
///
/// `@unchecked Sendable` because `condition` guards all mutable state.
package final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable
{
    private final class Job: @unchecked Sendable {
        let cancellation: WorkCancellation
        var wanted = 1
        var result: Result<Value, LibraryError>?

        init(_ priority: WorkPriority) {
            cancellation = WorkCancellation(priority: priority)
        }
    }

    private let condition = NSCondition()
    private var jobs: [Key: Job] = [:]

    package init() {}

    /// The number of operations in progress.
    package var count: Int { condition.withLock { jobs.count } }

    /// The number of requests that wait for operations in progress.
    package var requestCount: Int {
        condition.withLock { jobs.values.reduce(0) { $0 + $1.wanted } }
    }

    /// Returns the value for a key, by joining the work in progress for that key or, if there is
    /// none, by starting `work`.
    ///
    /// - Throws: `cancelled`, or the error of the work.
    package func value(
        for key: Key,
        priority: WorkPriority = .visible,
        cancellation: RequestCancellation,
        work: (WorkCancellation) throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        condition.lock()
        if let job = jobs[key], !job.cancellation.isCancelled {
            job.wanted += 1
            condition.unlock()
            job.cancellation.raise(to: priority)
            return try wait(for: job, cancellation)
        }
        let job = Job(priority)
        jobs[key] = job
        condition.unlock()

        let handler = cancellation.onCancel { [self] in leave(job) }
        let result: Result<Value, LibraryError>
        do {
            result = .success(try work(job.cancellation))
        } catch {
            result = .failure(error)
        }
        cancellation.forget(handler)
        condition.withLock {
            job.result = result
            if jobs[key] === job { jobs[key] = nil }
            condition.broadcast()
        }
        guard !cancellation.isCancelled else { throw Self.cancelled }
        return try result.get()
    }

    private func wait(
        for job: Job,
        _ cancellation: RequestCancellation
    ) throws(LibraryError) -> Value {
        let handler = cancellation.onCancel { [self] in
            leave(job)
            condition.withLock { condition.broadcast() }
        }
        defer { cancellation.forget(handler) }
        condition.lock()
        while job.result == nil, !cancellation.isCancelled { condition.wait() }
        let result = job.result
        condition.unlock()
        guard !cancellation.isCancelled, let result else { throw Self.cancelled }
        return try result.get()
    }

    private func leave(_ job: Job) {
        condition.withLock {
            job.wanted -= 1
            if job.wanted == 0, job.result == nil { job.cancellation.cancel() }
        }
    }

    static var cancelled: LibraryError {
        LibraryError(
            .cancelled,
            "The image request was canceled.",
            reason: "The program canceled it."
        )
    }
}
