import Foundation
import Synchronization
import Testing
import WorkerClient

/// Who looks comes before who may look, and both before nobody (DESIGN §7).
@Suite(.timeLimit(.minutes(1)))
struct WorkerSlotsTests {
    /// Who got a place, in order; each holds it until the next may go on.
    private final class Line: Sendable {
        let slots = WorkerSlots(count: 1)
        let order = Mutex<[String]>([])
        let ended = DispatchSemaphore(value: 0)

        /// Waits on a thread of its own, and returns once it does.
        func wait(_ name: String, _ cancellation: WorkCancellation) {
            let before = slots.waitingCount
            Thread.detachNewThread { [self] in
                if slots.enter(cancellation) {
                    order.withLock { $0.append(name) }
                    slots.leave()
                } else {
                    order.withLock { $0.append(name + " refused") }
                }
                ended.signal()
            }
            while slots.waitingCount == before { sched_yield() }
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
        #expect(line.slots.enter(nil))
        line.wait("background", .background)
        line.wait("prefetch 1", .prefetch)
        line.wait("visible 1", .visible)
        line.wait("prefetch 2", .prefetch)
        line.wait("reading", .reading)
        line.wait("visible 2", .visible)
        line.slots.leave()
        #expect(
            line.names(6) == [
                "visible 1", "visible 2", "reading", "prefetch 1", "prefetch 2", "background",
            ]
        )
    }

    @Test func whatBecomesUrgentWhileItWaitsIsNext() {
        let line = Line()
        #expect(line.slots.enter(nil))
        let second = WorkCancellation(priority: .prefetch)
        line.wait("first", .prefetch)
        line.wait("second", second)
        second.raise(to: .visible)
        second.raise(to: .background)
        #expect(second.priority == .visible)
        line.slots.leave()
        #expect(line.names(2) == ["second", "first"])
    }

    @Test func whoCancelsWaitsNoMore() {
        let line = Line()
        #expect(line.slots.enter(nil))
        let cancellation = WorkCancellation(priority: .visible)
        line.wait("cancelled", cancellation)
        cancellation.cancel()
        #expect(line.names(1) == ["cancelled refused"])
        #expect(line.slots.waitingCount == 0)
        // One that was cancelled before does not wait either.
        #expect(!line.slots.enter(cancellation))
        line.slots.leave()
        #expect(line.slots.enter(nil))
    }
}
