import Dispatch
import Foundation
import LibraryService
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HandlerQueueTests {
    @Test func handlersAreCalledOneAtATimeInOrder() async {
        let queue = HandlerQueue(label: "handlers", patience: .seconds(60))
        let running = Mutex(0)
        let calls = Mutex<[(number: Int, others: Int)]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<200 {
                queue.add {
                    let others = running.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    calls.withLock { $0.append((number, others)) }
                    running.withLock { $0 -= 1 }
                    if number == 199 { continuation.resume() }
                }
            }
        }
        #expect(calls.withLock { $0.map(\.number) } == Array(0..<200))
        #expect(calls.withLock { $0.allSatisfy { $0.others == 0 } })
    }

    @Test func aHandlerThatWaitsForTheNextOneHoldsItUpForALimitedTime() async {
        let queue = HandlerQueue(label: "handlers", patience: .milliseconds(10))
        let isDone: Bool = await withCheckedContinuation { continuation in
            queue.add {
                let next = DispatchSemaphore(value: 0)
                queue.add { next.signal() }
                let isDone = next.wait(timeout: .now() + 30) == .success
                continuation.resume(returning: isDone)
            }
        }
        #expect(isDone)
    }

    @Test(arguments: [1, 2, 3]) func noMoreHandlersRunThanAllowed(_ width: Int) async {
        let queue = HandlerQueue(label: "handlers", width: width, patience: .seconds(60))
        let running = Mutex((now: 0, most: 0, ended: 0))
        await withCheckedContinuation { continuation in
            for _ in 0..<200 {
                queue.add {
                    running.withLock { state in
                        state.now += 1
                        state.most = max(state.most, state.now)
                    }
                    sched_yield()
                    let isLast = running.withLock { state in
                        state.now -= 1
                        state.ended += 1
                        return state.ended == 200
                    }
                    if isLast { continuation.resume() }
                }
            }
        }
        #expect((1...width).contains(running.withLock(\.most)))
    }

    /// Handlers that are more than may run at the same time wait for one that was added last.
    @Test func handlersThatWaitDoNotHoldUpTheLastOne() async {
        let queue = HandlerQueue(label: "handlers", width: 2, patience: .milliseconds(10))
        let isOver = DispatchSemaphore(value: 0)
        let ends = Mutex<[Bool]>([])
        await withCheckedContinuation { continuation in
            for _ in 0..<20 {
                queue.add {
                    let isLate = isOver.wait(timeout: .now() + 30) != .success
                    let count = ends.withLock { ends in
                        ends.append(!isLate)
                        return ends.count
                    }
                    if count == 20 { continuation.resume() }
                }
            }
            queue.add { for _ in 0..<20 { isOver.signal() } }
        }
        #expect(ends.withLock { $0.allSatisfy(\.self) })
    }

    /// The pool of the process is occupied, so this is a process of its own.
    @Test func handlersAreCalledWhileThePoolIsOccupied() async {
        await #expect(processExitsWith: .success) {
            let queue = HandlerQueue(label: "handlers", patience: .milliseconds(10))
            OccupiedPool.occupy()
            let haveEnded = OccupiedPool.ends { done in
                // The second one is called after the patience with the first one has ended.
                queue.add { if OccupiedPool.ends({ end in queue.add(end) }) { done() } }
            }
            exit(haveEnded ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
