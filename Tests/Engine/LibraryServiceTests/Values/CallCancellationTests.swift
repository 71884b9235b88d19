import LibraryService
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallCancellationTests {
    /// The number of times that a handler ran.
    private final class Count: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock(\.self) }
        func add() { number.withLock { $0 += 1 } }
    }

    private let cancellation = CallCancellation()
    private let runs = Count()

    @Test func aHandlerRunsOnceWhenItsWorkIsCanceled() {
        let result = cancellation.withHandler(runs.add) {
            #expect(runs.value == 0 && !cancellation.isCancelled)
            cancellation.cancel()
            #expect(runs.value == 1 && cancellation.isCancelled)
            cancellation.cancel()
            return "result"
        }
        #expect(result == "result" && runs.value == 1)
    }

    @Test func aHandlerDoesNotRunAfterItsWork() {
        #expect(cancellation.withHandler(runs.add) { 5 } == 5)
        cancellation.cancel()
        #expect(runs.value == 0)
    }

    /// The work is done all the same; it may look whether it was canceled.
    @Test func aHandlerRunsAtOnceAfterACancellation() {
        cancellation.cancel()
        let seen = cancellation.withHandler(runs.add) { (runs.value, cancellation.isCancelled) }
        #expect(seen == (1, true) && runs.value == 1)
    }

    @Test func onlyHandlersOfWorkInProgressRun() {
        let (outer, inner) = (Count(), Count())
        cancellation.withHandler(outer.add) {
            cancellation.withHandler(inner.add) {}
            cancellation.withHandler(runs.add) { cancellation.cancel() }
        }
        #expect((outer.value, inner.value, runs.value) == (1, 0, 1))
    }

    /// A handler may use the cancellation, since no lock is held.
    @Test func aHandlerMayAskForTheCancellation() {
        let seen = Mutex<Bool?>(nil)
        cancellation.withHandler {
            let isCancelled = cancellation.isCancelled
            seen.withLock { $0 = isCancelled }
        } while: {
            cancellation.cancel()
        }
        #expect(seen.withLock(\.self) == true)
    }
}
