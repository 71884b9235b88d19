internal import Dispatch
internal import Foundation
package import LibraryService
package import PhotoModel
internal import Synchronization

/// The questions to the user that are in progress.
///
/// Several requests can wait for the answer to the same question.
///
///     first request ──▶ asking ──answer──▶ every request has it
///                         │  └──────────── last request leaves ──▶ withdrawn
///                         └─◀ requests of the same program
///
/// 1. A question runs on a thread of its own. So a request that is canceled returns at once, and
///    the other requests keep waiting.
/// 2. A withdrawn question stores nothing. A later request asks the user again.
/// 3. A program has few unfinished questions, those included that it withdrew and whose threads
///    have not ended.
package final class QuestionDesk: Sendable {
    /// The identity of a question; at most one question with the same key is in progress.
    package enum Key: Hashable, Sendable {
        case permission(program: String, AccessLevel)
        case selection(program: String, library: String)

        fileprivate var program: String {
            switch self {
            case .permission(let program, _), .selection(let program, _): program
            }
        }
    }

    /// The answer to a question.
    package enum Answer: Sendable {
        case permission(AuthorizationReply)
        /// The UUIDs of the assets that were added to a selection, newest first.
        case selection([String])
    }

    private final class Waiter: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Answer, LibraryError>?>(nil)

        func finish(_ result: Result<Answer, LibraryError>) {
            let isFirst = self.result.withLock { known in
                defer { known = known ?? result }
                return known == nil
            }
            if isFirst { semaphore.signal() }
        }
    }

    private final class Question: Sendable {
        let cancellation = CallCancellation()
        let waiters = Mutex<[Waiter]>([])
    }

    private struct State {
        var questions: [Key: Question] = [:]
        /// The number of threads with questions of each program.
        var unfinished: [String: Int] = [:]
    }

    /// The maximum number of a program's unfinished questions.
    private static let questionsPerProgram = 16

    /// Returns a means of asking the user; nil if none is available.
    package let findAsker: @Sendable () -> (any PersonAsker)?
    private let state = Mutex(State())

    package init(_ findAsker: @escaping @Sendable () -> (any PersonAsker)?) {
        self.findAsker = findAsker
    }

    /// The questions of a program that asks its own user, on its terminal or in a dialog.
    package static let own = QuestionDesk { PersonAskers.present }

    /// The questions of a daemon, which asks in desktop dialogs only.
    package static let desktop = QuestionDesk { DialogAsker.present }

    /// The number of requests that wait for answers.
    package var waitingCount: Int {
        state.withLock { state in
            state.questions.values.reduce(0) { $0 + $1.waiters.withLock(\.count) }
        }
    }

    /// Waits for the answer to a question, and asks the user unless the question is already in
    /// progress.
    ///
    /// - Parameters:
    ///   - key: The identity of the question.
    ///   - ask: Asks the user, on another thread and in the context of the question's cancellation.
    /// - Returns: The answer.
    /// - Throws: The error of `ask`; `cancelled` if the call of this request is canceled; `busy` if
    ///   the program has too many unfinished questions.
    package func answer(
        to key: Key,
        asking ask: @escaping @Sendable () throws(LibraryError) -> Answer
    ) throws(LibraryError) -> Answer {
        let waiter = Waiter()
        let found = state.withLock { state -> (question: Question, isNew: Bool)? in
            let known = state.questions[key]
            let count = state.unfinished[key.program] ?? 0
            guard known != nil || count < Self.questionsPerProgram else { return nil }
            if known == nil { state.unfinished[key.program] = count + 1 }
            let question = known ?? Question()
            question.waiters.withLock { $0.append(waiter) }
            state.questions[key] = question
            return (question, known == nil)
        }
        guard let (question, isNew) = found else { throw Self.tooManyQuestions }
        if isNew { start(question, key, ask) }
        if let cancellation = CallContext.current?.cancellation {
            cancellation.withHandler(
                { self.leave(waiter, question, key) },
                while: { waiter.semaphore.wait() }
            )
        } else {
            waiter.semaphore.wait()
        }
        guard let result = waiter.result.withLock(\.self) else { throw .cancelled }
        return try result.get()
    }

    private func start(
        _ question: Question,
        _ key: Key,
        _ ask: @escaping @Sendable () throws(LibraryError) -> Answer
    ) {
        Thread.detachNewThread {
            let context = CallContext(cancellation: question.cancellation)
            let result = context.perform { () -> Result<Answer, LibraryError> in
                Result { () throws(LibraryError) in try ask() }
            }
            self.end(question, key)
            for waiter in question.waiters.withLock(\.self) { waiter.finish(result) }
        }
    }

    /// Removes a question whose thread ends, so that the next request asks the user again.
    private func end(_ question: Question, _ key: Key) {
        state.withLock { state in
            if state.questions[key] === question { state.questions[key] = nil }
            let count = (state.unfinished[key.program] ?? 1) - 1
            state.unfinished[key.program] = count > 0 ? count : nil
        }
    }

    private static let tooManyQuestions = LibraryError(
        .busy,
        "The program has too many questions to the user.",
        reason: "It withdrew \(questionsPerProgram) questions, which have not ended yet.",
        recovery: "Try again in a moment."
    )

    /// Ends the wait of a canceled request, and withdraws the question if no other request waits
    /// for the answer.
    private func leave(_ waiter: Waiter, _ question: Question, _ key: Key) {
        let isWithdrawn = state.withLock { state in
            let isLast = question.waiters.withLock { waiters in
                waiters.removeAll { $0 === waiter }
                return waiters.isEmpty
            }
            if isLast, state.questions[key] === question { state.questions[key] = nil }
            return isLast
        }
        waiter.finish(.failure(.cancelled))
        if isWithdrawn { question.cancellation.cancel() }
    }
}
