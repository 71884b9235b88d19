import Dispatch
import Foundation
import ImagePipeline
import PhotoModel
import Synchronization
import Testing
import WorkerClient

/// Concurrent requests are coalesced, and canceled only when no client needs them.
@Suite(.timeLimit(.minutes(1)))
struct RequestCoalescerTests {
    /// Work that ends on demand, and records whether it was canceled.
    private final class Work: Sendable {
        let gate = DispatchSemaphore(value: 0)
        let started = DispatchSemaphore(value: 0)
        let runs = Mutex(0)
        let cancellation = Mutex<WorkCancellation?>(nil)

        func run(_ cancellation: WorkCancellation) throws(LibraryError) -> Int {
            runs.withLock { $0 += 1 }
            self.cancellation.withLock { $0 = cancellation }
            started.signal()
            gate.wait()
            guard !cancellation.isCancelled else {
                throw LibraryError(.cancelled, "The work was cancelled.")
            }
            return 42
        }

        var isCancelled: Bool { cancellation.withLock { $0?.isCancelled ?? false } }
    }

    private let coalescer = RequestCoalescer<String, Int>()
    private let work = Work()

    /// Requests on a separate thread; the result is available when the semaphore is signaled.
    private final class Request: Sendable {
        let cancellation = RequestCancellation()
        let result = Mutex<Result<Int, LibraryError>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
    }

    private func ask(_ key: String = "key") -> Request {
        let request = Request()
        Thread.detachNewThread { [coalescer, work] in
            request.begun.signal()
            let result: Result<Int, LibraryError>
            do throws(LibraryError) {
                let value = try coalescer.value(for: key, cancellation: request.cancellation) {
                    (stopping: WorkCancellation) throws(LibraryError) in
                    try work.run(stopping)
                }
                result = .success(value)
            } catch {
                result = .failure(error)
            }
            request.result.withLock { $0 = result }
            request.ended.signal()
        }
        request.begun.wait()
        return request
    }

    private func value(_ request: Request) -> Int? {
        request.ended.wait()
        return try? request.result.withLock { $0 }?.get()
    }

    private func isCancelled(_ request: Request) -> Bool {
        request.ended.wait()
        if case .failure(let error) = request.result.withLock({ $0 }) {
            return error.code == .cancelled
        }
        return false
    }

    @Test func equalRequestsAreOnePieceOfWork() {
        let first = ask()
        work.started.wait()
        let others = (0..<6).map { _ in ask() }
        #expect(coalescer.count == 1)
        // One signal per request, in case the others have not joined yet.
        for _ in 0..<7 { work.gate.signal() }
        #expect(value(first) == 42)
        for other in others { #expect(value(other) == 42) }
        #expect(coalescer.count == 0)
    }

    @Test func unequalRequestsAreNotJoined() {
        let first = ask("one")
        let second = ask("two")
        work.started.wait()
        work.started.wait()
        #expect(coalescer.count == 2)
        work.gate.signal()
        work.gate.signal()
        #expect(value(first) == 42 && value(second) == 42)
        #expect(work.runs.withLock { $0 } == 2)
    }

    @Test func aSingleCancellationStopsTheWork() {
        let request = ask()
        work.started.wait()
        request.cancellation.cancel()
        #expect(work.isCancelled)
        work.gate.signal()
        #expect(isCancelled(request))
    }

    @Test func cancellationBeforehandStopsTheWork() {
        let request = Request()
        request.cancellation.cancel()
        work.gate.signal()
        #expect(throws: LibraryError.self) {
            try coalescer.value(for: "key", cancellation: request.cancellation) {
                (stopping: WorkCancellation) throws(LibraryError) in
                try work.run(stopping)
            }
        }
        #expect(work.isCancelled)
    }
}
