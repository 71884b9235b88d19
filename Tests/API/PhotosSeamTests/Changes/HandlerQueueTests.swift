import Dispatch
@testable import Photos
import Synchronization
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
}
