package import FoundationEssentials
package import PhotoModel
internal import Synchronization

/// A store of the answers to change requests, keyed by request identifier.
///
/// 1. An answer is durable when its change is: the library stores both in one transaction.
///    That transaction looks for the answer once more, since another daemon that ends may be making
///    the same change.
/// 2. Failures are not stored, since a failed call changed nothing.
/// 3. An answer is kept for at least as long as a client repeats a request.
package protocol AnsweredRequests: Sendable {
    /// Returns the stored answer to a request; nil if there is none.
    ///
    /// - Parameters:
    ///   - request: The identifier of the request.
    ///   - program: The identifier of the client's program.
    /// - Returns: The JSON of the reply.
    /// - Throws: `invalidRequest` if the request is that of another program.
    func answer(to request: UUID, of program: String) throws(LibraryError) -> [UInt8]?

    /// Stores an answer, unless the transaction of the change has stored it already.
    ///
    /// - Parameters:
    ///   - reply: The JSON of the reply.
    ///   - request: The identifier of the request.
    ///   - program: The identifier of the client's program.
    /// - Throws: An error of the storage; the call then succeeds nevertheless.
    func store(_ reply: [UInt8], to request: UUID, of program: String) throws(LibraryError)
}

/// A store that keeps answers in memory until the process ends.
package final class InMemoryAnsweredRequests: AnsweredRequests {
    private struct Answer {
        var program: String
        var reply: [UInt8]
    }

    private let answers = Mutex<[UUID: Answer]>([:])

    package init() {}

    package func answer(to request: UUID, of program: String) throws(LibraryError) -> [UInt8]? {
        guard let answer = answers.withLock({ $0[request] }) else { return nil }
        guard answer.program == program else { throw .foreignRequest }
        return answer.reply
    }

    package func store(
        _ reply: [UInt8],
        to request: UUID,
        of program: String
    ) throws(LibraryError) {
        answers.withLock { answers in
            if answers[request] == nil { answers[request] = Answer(program: program, reply: reply) }
        }
    }
}

extension LibraryError {
    /// The error for a request whose identifier was already used by another program.
    package static let foreignRequest = LibraryError(
        .invalidRequest,
        "The identifier of the change belongs to another program.",
        recovery: "Make the change again, with a new identifier."
    )
}
