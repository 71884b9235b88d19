internal import GRDB
package import LibraryService
package import PhotoModel

extension LibraryStore {
    /// Undoes the most recent change that has not been undone, or redoes the most recent undo, as a
    /// new change.
    ///
    /// All versions of an import count as one change. Changes by the library's maintenance are
    /// skipped. Redo is possible as long as nothing else has changed since the undo.
    ///
    /// A trial performs everything in a transaction that is rolled back.
    ///
    /// - Parameters:
    ///   - request: The kind of undo.
    ///   - author: The author in the journal.
    ///   - requester: The identifier of the client's program, under which the answer is stored if
    ///     the call has an identifier.
    ///   - refusal: Thrown if the change concerns a hidden asset; nil for a client that may see
    ///     hidden assets.
    /// - Returns: The undone versions and the version of the undo.
    /// - Throws: `changeNotSupported` if there is nothing to undo, if the change cannot be undone,
    ///   if its objects have changed since, if the library is not at the expected version, or if
    ///   another change than the expected one is the next; the errors of `write`.
    package func undo(
        _ request: UndoRequest,
        author: String,
        requester: String = "",
        refusingHidden refusal: LibraryError? = nil
    ) throws -> UndoReply {
        let answer = AnsweredChange(of: requester)
        do {
            return try write(author: author) { transaction in
                try answer?.check(transaction)
                let reply = try undo(request, in: transaction, refusingHidden: refusal)
                if request.isTrial { throw TrialEnded(reply: reply) }
                answer?.store(in: transaction) { _ in reply }
                return reply
            }
        } catch let trial as TrialEnded {
            return trial.reply
        } catch let found as AnswerFound {
            return try found.decoded()
        }
    }

    private func undo(
        _ request: UndoRequest,
        in transaction: LibraryTransaction,
        refusingHidden refusal: LibraryError?
    ) throws -> UndoReply {
        let database = transaction.database
        let present = try transaction.currentVersion()
        if let expected = request.expectedVersion, expected != present {
            throw LibraryError(
                .changeNotSupported,
                "The library has changed since then.",
                recovery: "Check the library, and undo or redo step by step."
            )
        }
        let found =
            try request.redoes
            ? UndoTarget.redo(in: database) : UndoTarget.undo(in: database)
        guard let target = found else {
            let days = try historyDays(database)
            throw LibraryError(
                .changeNotSupported,
                request.redoes
                    ? "There is nothing to redo: nothing was undone, or the library has changed since."
                    : "There is nothing to undo.",
                reason: try HistorySummary.start(database) == 0
                    ? nil : "The library keeps the changes of the last \(days) days."
            )
        }
        if let expected = request.expectedTarget, expected != target.last {
            throw LibraryError(
                .changeNotSupported,
                "Another change is the next one to \(request.redoes ? "redo" : "undo").",
                recovery: "Check the library, and undo or redo step by step."
            )
        }
        let undone = try target.subject.reversed().flatMap { version in
            try HistorySummary.versions(
                database,
                since: version - 1,
                through: version,
                limit: 1
            )
        }
        let undo = try Undo(target, in: transaction, of: bundle)
        // Before any error that could name an object.
        if let refusal, try undo.concernsHidden() { throw refusal }
        try undo.run()
        let version = request.isTrial ? present : transaction.version ?? target.last
        return UndoReply(version: version, undone: undone)
    }
}

/// An error that rolls back the transaction of a trial undo or redo (a dry run) and carries the
/// reply to the request.
private struct TrialEnded: Error {
    let reply: UndoReply
}
