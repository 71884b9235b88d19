import Dispatch
import Foundation
import LibraryService
import PhotoModel
import ProgramAccess
import Synchronization
import Testing

/// Questions that several requests wait for.
@Suite(.timeLimit(.minutes(1))) struct QuestionDeskTests {
    /// The questions that were asked, each of which waits for the test.
    private final class Person: Sendable {
        private let state = Mutex((asked: 0, withdrawn: 0))
        let answer = DispatchSemaphore(value: 0)

        var asked: Int { state.withLock(\.asked) }
        var withdrawn: Int { state.withLock(\.withdrawn) }

        func ask() -> QuestionDesk.Answer {
            let number = state.withLock { state in
                state.asked += 1
                return state.asked
            }
            let isWithdrawn = Mutex(false)
            CallContext.current?.cancellation?.withHandler(
                {
                    isWithdrawn.withLock { $0 = true }
                    self.answer.signal()
                },
                while: { self.answer.wait() }
            )
            if isWithdrawn.withLock(\.self) { state.withLock { $0.withdrawn += 1 } }
            return .selection(["answer \(number)"])
        }
    }

    /// A request on a thread of its own.
    private final class Request: Sendable {
        let cancellation = CallCancellation()
        private let result = Mutex<Result<QuestionDesk.Answer, LibraryError>?>(nil)
        private let ended = DispatchSemaphore(value: 0)

        init(_ desk: QuestionDesk, _ person: Person, of program: String = "A") {
            let key = QuestionDesk.Key.permission(program: program, .readWrite)
            Thread.detachNewThread { [self] in
                let result = CallContext(cancellation: cancellation).perform {
                    Result { () throws(LibraryError) in
                        try desk.answer(to: key) { person.ask() }
                    }
                }
                self.result.withLock { $0 = result }
                ended.signal()
            }
        }

        /// Waits for the answer; nil if the request was canceled.
        var answer: [String]? {
            ended.wait()
            defer { ended.signal() }
            guard case .success(.selection(let words)) = result.withLock(\.self) else { return nil }
            return words
        }
    }

    private let desk = QuestionDesk { nil }
    private let person = Person()

    /// Waits until a condition holds.
    private func wait(_ condition: () -> Bool) {
        let end = SuspendingClock.now + .seconds(20)
        while .now < end, !condition() { sched_yield() }
        #expect(condition())
    }

    @Test func requestsOfAProgramWaitForOneAnswer() {
        let requests = (0..<8).map { _ in Request(desk, person) }
        wait { desk.waitingCount == 8 && person.asked == 1 }
        person.answer.signal()
        #expect(requests.allSatisfy { $0.answer == ["answer 1"] })
        #expect(desk.waitingCount == 0 && person.asked == 1)
        // A later request asks anew.
        let later = Request(desk, person)
        wait { person.asked == 2 }
        person.answer.signal()
        #expect(later.answer == ["answer 2"])
    }

    @Test func programsAreAskedAboutApart() {
        let requests = ["A", "B", "C"].map { Request(desk, person, of: $0) }
        wait { person.asked == 3 }
        for _ in requests { person.answer.signal() }
        #expect(Set(requests.compactMap(\.answer)).count == 3)
    }

    @Test func theLastRequestThatLeavesWithdrawsTheQuestion() {
        let requests = (0..<3).map { _ in Request(desk, person) }
        wait { desk.waitingCount == 3 && person.asked == 1 }
        for (index, request) in requests.enumerated() {
            #expect(person.withdrawn == 0)
            request.cancellation.cancel()
            #expect(request.answer == nil)
            #expect(desk.waitingCount == 2 - index)
        }
        wait { person.withdrawn == 1 }
        // What arrives after the withdrawal is another question.
        let next = Request(desk, person)
        wait { person.asked == 2 }
        person.answer.signal()
        #expect(next.answer == ["answer 2"])
    }

    @Test func aRequestThatLeavesDisturbsNoOther() {
        let requests = (0..<2).map { _ in Request(desk, person) }
        wait { desk.waitingCount == 2 && person.asked == 1 }
        requests[0].cancellation.cancel()
        #expect(requests[0].answer == nil)
        person.answer.signal()
        #expect(requests[1].answer == ["answer 1"])
        #expect(person.withdrawn == 0)
    }

    @Test func aRequestThatWasCanceledBeforeAsksNobodyForLong() {
        let cancellation = CallCancellation()
        cancellation.cancel()
        let key = QuestionDesk.Key.permission(program: "A", .addOnly)
        let error = #expect(throws: LibraryError.self) {
            try CallContext(cancellation: cancellation).perform { () throws(LibraryError) in
                try desk.answer(to: key) { person.ask() }
            }
        }
        #expect(error?.code == .cancelled)
        #expect(desk.waitingCount == 0)
    }

    /// A program that withdraws its questions and asks anew does not take a thread each time.
    @Test func unfinishedQuestionsOfAProgramAreLimited() {
        let end = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        /// Asks a question and withdraws it; its thread ends later.
        func code(of program: String) -> LibraryError.Code? {
            let cancellation = CallCancellation()
            cancellation.cancel()
            let result = CallContext(cancellation: cancellation).perform {
                Result { () throws(LibraryError) in
                    try desk.answer(to: .selection(program: program, library: "L")) {
                        end.wait()
                        ended.signal()
                        return .selection([])
                    }
                }
            }
            guard case .failure(let error) = result else { return nil }
            return error.code
        }
        let codes = (0..<100).map { _ in code(of: "A") }
        let started = codes.count { $0 == .cancelled }
        #expect((4...50).contains(started))
        #expect(codes.dropFirst(started).allSatisfy { $0 == .busy })
        // Other programs are not concerned, nor is this one once its threads have ended.
        #expect(code(of: "B") == .cancelled)
        for _ in 0...started {
            end.signal()
            ended.wait()
        }
        wait { code(of: "A") == .cancelled }
        for _ in 0..<100 { end.signal() }
    }
}
