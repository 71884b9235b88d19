import Dispatch
import Photos
import Synchronization
import Testing

private let key = DispatchSpecificKey<Bool>()

/// Results are delivered on the main queue, and a program that does not serve it does not wait
/// forever (behavior 173).
@Suite(.timeLimit(.minutes(1)))
struct ImageDeliveryTests {
    /// A stand-in for the main queue, which is served only on demand.
    private final class Main: Sendable {
        let queue = DispatchQueue(label: "test.main")
        let thread = Mutex(MainThread(isAsleep: true, time: 1))
        let isBusy: Bool
        private let ticks = Atomic<UInt64>(1)

        init(isBusy: Bool = false) {
            self.isBusy = isBusy
            queue.setSpecific(key: key, value: true)
        }

        /// The state of the main thread; a busy thread uses processor time.
        var state: MainThread {
            guard isBusy else { return thread.withLock { $0 } }
            let time = ticks.add(1, ordering: .relaxed).newValue
            return MainThread(isAsleep: false, time: time)
        }
    }

    private func delivery(_ main: Main, patience: Duration = .milliseconds(200)) -> ImageDelivery {
        ImageDelivery(main: main.queue, patience: patience) { main.state }
    }

    /// The queues on which results were delivered, in order.
    private final class Results: Sendable {
        let list = Mutex<[(number: Int, isOnMain: Bool)]>([])
        let came = DispatchSemaphore(value: 0)

        func add(_ number: Int) {
            let isOnMain = DispatchQueue.getSpecific(key: key) ?? false
            list.withLock { $0.append((number, isOnMain)) }
            came.signal()
        }

        func wait(for count: Int) -> Bool {
            (0..<count).allSatisfy { _ in came.wait(timeout: .now() + 20) == .success }
        }

        var numbers: [Int] { list.withLock { $0.map(\.number) } }
        var places: [Bool] { list.withLock { $0.map(\.isOnMain) } }
    }

    @Test func aServedQueueGetsAllInOrder() {
        let delivery = delivery(Main())
        let results = Results()
        for number in 0..<200 { delivery.deliver { results.add(number) } }
        #expect(results.wait(for: 200))
        #expect(results.numbers == Array(0..<200))
        #expect(results.places.allSatisfy { $0 })
    }

    @Test func whoeverSleepsIsServedElsewhere() {
        let main = Main()
        main.queue.suspend()
        let delivery = delivery(main, patience: .seconds(1))
        let results = Results()
        for number in 0..<5 { delivery.deliver { results.add(number) } }
        #expect(results.wait(for: 5))
        #expect(results.numbers == [0, 1, 2, 3, 4])
        #expect(results.places.allSatisfy { !$0 })
        // From then on no delivery waits for a second again.
        let start = SuspendingClock.now
        delivery.deliver { results.add(5) }
        #expect(results.wait(for: 1))
        #expect(SuspendingClock.now - start < .milliseconds(900))
        // Once the queue is served, results are delivered on it again.
        main.queue.resume()
        main.queue.sync {}
        delivery.deliver { results.add(6) }
        #expect(results.wait(for: 1))
        #expect(results.places.last == true)
    }

    /// Results return to the main queue even while the other queue still has an earlier one.
    @Test func resultsReturnToAQueueThatIsServedAgain() {
        let main = Main()
        main.queue.suspend()
        let delivery = delivery(main)
        let results = Results()
        let mayEnd = DispatchSemaphore(value: 0)
        delivery.deliver {
            results.add(0)
            mayEnd.wait()
        }
        #expect(results.wait(for: 1))
        main.queue.resume()
        main.queue.sync {}
        delivery.deliver { results.add(1) }
        main.queue.sync {}
        mayEnd.signal()
        #expect(results.wait(for: 1))
        #expect(results.numbers == [0, 1])
        #expect(results.places == [false, true])
    }

    @Test func whoeverIsBusyIsWaitedFor() {
        let main = Main(isBusy: true)
        main.queue.suspend()
        let delivery = delivery(main)
        let results = Results()
        delivery.deliver { results.add(0) }
        #expect(results.came.wait(timeout: .now() + 1) == .timedOut)
        main.queue.resume()
        #expect(results.wait(for: 1))
        #expect(results.places == [true])
    }
}
