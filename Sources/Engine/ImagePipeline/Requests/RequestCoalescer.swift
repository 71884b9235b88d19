internal import Foundation
package import PhotoModel
package import WorkerClient

/// Coalesces equal requests: while work for a key is under way, further requests join it.
///
/// 1. Work runs on the thread of whoever asked first; the others wait.
/// 2. It is cancelled only when everyone who asked has cancelled; then nobody joins it any more.
/// 3. It is as urgent as the most urgent who asked.
/// 4. A waiting thread returns at once when its own request is cancelled.
///
/// Unchecked because everything that changes is guarded by `condition`.
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

    /// How many pieces of work are under way.
    package var count: Int { condition.withLock { jobs.count } }

    /// The work's value: joined when it is under way, else begun.
    ///
    /// - Throws: `cancelled`, or what the work threw.
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
            "The request for a picture was cancelled.",
            reason: "The program cancelled it."
        )
    }
}
