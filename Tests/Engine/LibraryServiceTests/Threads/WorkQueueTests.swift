import Dispatch
import Foundation
import LibraryService
import Synchronization
import TestSupport
import Testing

/// Caching ahead yields to requests that a client waits for (pains 13).
@Suite(.timeLimit(.minutes(1)))
struct WorkQueueTests {
    /// The work that ran, in order.
    private final class Record: Sendable {
        private let names = Mutex<[String]>([])
        private let came = DispatchSemaphore(value: 0)

        func add(_ name: String) {
            names.withLock { $0.append(name) }
            came.signal()
        }

        func wait(for count: Int) -> [String] {
            for _ in 0..<count where came.wait(timeout: .now() + 20) != .success { break }
            return names.withLock { $0 }
        }
    }

    @Test("What came first goes first, and what was taken back never goes")
    func order() {
        let workQueue = WorkQueue(label: "test", width: 1)
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        workQueue.add { gate.wait() }
        let tickets = (0..<6).map { number in workQueue.add { record.add("\(number)") } }
        workQueue.remove(tickets[1])
        workQueue.remove(tickets[4])
        gate.signal()
        #expect(record.wait(for: 4) == ["0", "2", "3", "5"])
    }

    @Test("A queue that yields begins nothing while the other has work, and goes on afterwards")
    func yielding() {
        let urgent = WorkQueue(label: "test.urgent", width: 2)
        let workQueue = WorkQueue(label: "test.patient", width: 1, yieldingTo: urgent)
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        urgent.add { gate.wait() }
        for number in 0..<3 { workQueue.add { record.add("patient \(number)") } }
        for number in 0..<3 { urgent.add { record.add("urgent \(number)") } }
        // The second thread of the urgent queue runs these while the first is blocked.
        #expect(record.wait(for: 3) == (0..<3).map { "urgent \($0)" })
        let taken = workQueue.add { record.add("taken back") }
        workQueue.remove(taken)
        gate.signal()
        let all = record.wait(for: 3)
        #expect(all.dropFirst(3) == ["patient 0", "patient 1", "patient 2"])
        workQueue.add { record.add("later") }
        #expect(record.wait(for: 1).last == "later")
    }

    @Test("Nothing is lost between two queues that many use")
    func manyUsers() {
        let urgent = WorkQueue(label: "test.urgent", width: 2)
        let workQueue = WorkQueue(label: "test.patient", width: 2, yieldingTo: urgent)
        let record = Record()
        DispatchQueue.concurrentPerform(iterations: 2_000) { number in
            (number.isMultiple(of: 3) ? urgent : workQueue).add { record.add("\(number)") }
        }
        #expect(Set(record.wait(for: 2_000)).count == 2_000)
    }

    @Test("Work is done while blocks of the program occupy the pool")
    func occupiedPool() async {
        await #expect(processExitsWith: .success) {
            let workQueue = WorkQueue(label: "test", width: 2)
            let isDone = OccupiedPool.endsInEachBlock { done in workQueue.add(done) }
            exit(isDone ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
