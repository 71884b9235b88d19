import Foundation
import Synchronization
import Testing
import WorkerClient

/// A visible request has priority over a background request, and both over idle work.
@Suite(.timeLimit(.minutes(1)))
struct WorkerSemaphoreTests {
    /// The waiters that got a place, in order; each holds it until the next may continue.
    private final class Line: Sendable {
        let semaphore = WorkerSemaphore(count: 1)
        let order = Mutex<[String]>([])
        let ended = DispatchSemaphore(value: 0)

        /// Waits on a thread of its own, and returns after the wait has begun.
        func wait(_ name: String, _ cancellation: WorkCancellation) {
            let before = semaphore.waitingCount
            Thread.detachNewThread { [self] in
                if semaphore.wait(cancellation) {
                    order.withLock { $0.append(name) }
                    semaphore.signal()
                } else {
                    order.withLock { $0.append(name + " refused") }
                }
                ended.signal()
            }
            while semaphore.waitingCount == before { sched_yield() }
        }

        func wait(_ name: String, _ priority: WorkPriority) {
            wait(name, WorkCancellation(priority: priority))
        }

        func names(_ count: Int) -> [String] {
            for _ in 0..<count { ended.wait() }
            return order.withLock { $0 }
        }
    }

    @Test func theMostUrgentIsNextAndTheFirstAmongEquals() {
        let line = Line()
        #expect(line.semaphore.wait(nil))
        line.wait("background", .background)
        line.wait("prefetch 1", .prefetch)
        line.wait("visible 1", .visible)
        line.wait("prefetch 2", .prefetch)
        line.wait("reading", .reading)
        line.wait("visible 2", .visible)
        line.semaphore.signal()
        #expect(
            line.names(6) == [
                "visible 1", "visible 2", "reading", "prefetch 1", "prefetch 2", "background",
            ]
        )
    }

    @Test func whatBecomesUrgentWhileItWaitsIsNext() {
        let line = Line()
        #expect(line.semaphore.wait(nil))
        let second = WorkCancellation(priority: .prefetch)
        line.wait("first", .prefetch)
        line.wait("second", second)
        second.raise(to: .visible)
        second.raise(to: .background)
        #expect(second.priority == .visible)
        line.semaphore.signal()
        #expect(line.names(2) == ["second", "first"])
    }

    @Test func whoCancelsWaitsNoMore() {
        let line = Line()
        #expect(line.semaphore.wait(nil))
        let cancellation = WorkCancellation(priority: .visible)
        line.wait("cancelled", cancellation)
        cancellation.cancel()
        #expect(line.names(1) == ["cancelled refused"])
        #expect(line.semaphore.waitingCount == 0)
        // A request that was canceled before does not wait either.
        #expect(!line.semaphore.wait(cancellation))
        line.semaphore.signal()
        #expect(line.semaphore.wait(nil))
    }
}
