import FoundationEssentials
import LibraryService
import PhotoModel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallContextTests {
    private struct Problem: Error, Hashable {}

    @Test func itIsCurrentDuringItsWorkOnly() {
        let (outer, inner) = (UUID(), UUID())
        #expect(CallContext.current == nil)
        let seen = CallContext(change: outer).perform {
            let first = CallContext.current?.change
            let second = CallContext(change: inner).perform { CallContext.current?.change }
            return [first, second, CallContext.current?.change]
        }
        #expect(seen == [outer, inner, outer])
        #expect(CallContext.current == nil)
    }

    @Test func theErrorOfTheWorkIsThrown() {
        #expect(throws: Problem()) {
            try CallContext().perform { () throws(Problem) in throw Problem() }
        }
        #expect(CallContext.current == nil)
    }

    @Test func onlyACanceledCallFails() throws {
        try CallContext().checkCancellation()
        let cancellation = CallCancellation()
        let context = CallContext(cancellation: cancellation)
        try context.checkCancellation()
        cancellation.cancel()
        let error = #expect(throws: LibraryError.self) { try context.checkCancellation() }
        #expect(error == .cancelled && error?.code == .cancelled)
    }

    @Test func progressArrivesInOrder() {
        let seen = Mutex<[CallProgress]>([])
        CallContext(progress: { step in seen.withLock { $0.append(step) } }).perform {
            for number in 1...3 as ClosedRange<Int64> {
                CallContext.current?.progress?(CallProgress(completed: number, total: 3))
            }
        }
        let steps = seen.withLock(\.self)
        #expect(steps.map(\.completed) == [1, 2, 3] && steps.allSatisfy { $0.total == 3 })
    }

    @Test func ticketsOfAProcessDiffer() {
        let numbers = Set((0..<1_000).map { _ in CallTicket().number })
        #expect(numbers.count == 1_000)
        #expect(CallTicket(number: 7) == CallTicket(number: 7))
    }
}
