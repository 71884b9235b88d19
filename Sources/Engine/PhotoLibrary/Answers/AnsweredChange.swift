package import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// The reply to a change, stored in the same transaction as the change.
///
/// A client that requests the change again receives this answer.
///
///     looked up ──none──▶ change ──▶ stored ──COMMIT──▶ durable with the change
///         └──found──▶ the stored reply; nothing is changed
///
/// 1. The answer is durable if and only if the change is.
/// 2. A second request finds the answer under the writer lock, even if another process made the
///    change in the meantime.
/// 3. A change without a new version stores no answer, since repeating it changes nothing.
struct AnsweredChange {
    /// The time in seconds for which replies are stored.
    ///
    /// Clients stop repeating a request much earlier.
    static let lifetime: Double = 86_400

    /// The identifier of the request.
    let request: UUID
    /// The identifier of the client's program.
    let program: String

    /// Creates an answer for the call in progress; nil if the call has no change identifier.
    init?(of program: String) {
        guard let request = CallContext.current?.change else { return nil }
        self.request = request
        self.program = program
    }

    /// Throws `AnswerFound` if a reply to the request is already stored.
    ///
    /// - Throws: `invalidRequest` if it is the request of another program.
    func check(_ transaction: LibraryTransaction) throws {
        let found = try Self.reply(to: request, of: program, in: transaction.database)
        if let found { throw AnswerFound(reply: found) }
    }

    /// Stores the reply at the end of the transaction if the transaction creates a version.
    ///
    /// - Parameters:
    ///   - transaction: The transaction of the change.
    ///   - reply: Returns the reply for the transaction's version.
    func store(
        in transaction: LibraryTransaction,
        _ reply: @escaping (Int64) -> some Encodable
    ) {
        transaction.beforeCommit { [unowned transaction] in
            guard let version = transaction.version else { return }
            let statement = try transaction.database.cachedStatement(
                sql: """
                    INSERT INTO answered (request, program, version, reply, time)
                    VALUES (?, ?, ?, ?, ?)
                    """
            )
            try statement.execute(arguments: [
                Self.bytes(of: request), program, version, try JSONEncoder().encode(reply(version)),
                transaction.now.timeIntervalSinceReferenceDate,
            ])
        }
    }

    /// Returns the stored reply to a request; nil if there is none.
    static func reply(
        to request: UUID,
        of program: String,
        in database: Database
    ) throws -> Data? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT program, reply FROM answered WHERE request = ?"),
            arguments: [bytes(of: request)]
        )
        guard let row else { return nil }
        guard row[0] == program else {
            throw LibraryError(
                .invalidRequest,
                "The identifier of the change belongs to another program.",
                recovery: "Make the change again, with a new identifier."
            )
        }
        return row[1]
    }

    /// Returns whether any reply is older than the lifetime or dated in the future.
    static func hasExpired(_ database: Database, at now: Date) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM answered WHERE abs(time - ?) > \(lifetime))",
            arguments: [now.timeIntervalSinceReferenceDate]
        ) ?? false
    }

    /// Removes at most `limit` expired replies, or all of them if `limit` is nil.
    static func prune(_ database: Database, at now: Date, limit: Int? = nil) throws {
        try database.execute(
            sql: """
                DELETE FROM answered WHERE request IN
                    (SELECT request FROM answered WHERE abs(time - ?) > \(lifetime) LIMIT ?)
                """,
            arguments: [now.timeIntervalSinceReferenceDate, limit ?? -1]
        )
    }

    private static func bytes(of request: UUID) -> Data {
        withUnsafeBytes(of: request.uuid) { Data($0) }
    }
}

/// An error that rolls back a repeated change and carries the reply stored by the original
/// transaction.
struct AnswerFound: Error {
    let reply: Data

    /// Decodes the reply.
    func decoded<Reply: Decodable>() throws -> Reply {
        try JSONDecoder().decode(Reply.self, from: reply)
    }
}

extension LibraryStore {
    /// Returns the stored reply to a change; nil if there is none.
    ///
    /// - Parameters:
    ///   - request: The identifier of the request.
    ///   - program: The identifier of the client's program.
    /// - Returns: The JSON of the reply.
    /// - Throws: `invalidRequest` if it is the request of another program, and errors of the
    ///   database.
    package func answer(to request: UUID, of program: String) throws -> [UInt8]? {
        try read { try AnsweredChange.reply(to: request, of: program, in: $0) }.map(Array.init)
    }

    /// Returns the stored reply to the change that is requested by the call in progress; nil if
    /// the change was not made before.
    ///
    /// - Parameter program: The identifier of the client's program.
    /// - Returns: The reply.
    /// - Throws: `invalidRequest` if it is the request of another program, and errors of the
    ///   database.
    package func storedReply<Reply: Decodable>(of program: String) throws -> Reply? {
        guard let change = AnsweredChange(of: program) else { return nil }
        let found = try read { database in
            try AnsweredChange.reply(to: change.request, of: change.program, in: database)
        }
        guard let found else { return nil }
        let reply: Reply = try AnswerFound(reply: found).decoded()
        return reply
    }
}
