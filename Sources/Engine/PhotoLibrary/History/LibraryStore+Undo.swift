internal import GRDB
package import LibraryService
package import PhotoModel

extension LibraryStore {
    /// Takes the last change back that was not taken back yet, or the last undoing, as a change of its own.
    ///
    /// All versions of an import count as one change. What the library did by itself is passed over. An
    /// undoing is taken back as long as nothing else was changed since.
    ///
    /// A trial does all of it in a transaction that is rolled back.
    ///
    /// - Parameters:
    ///   - request: What to take back, and by whom.
    ///   - refusal: Thrown when what would be undone concerns a hidden asset; nil for who sees them.
    /// - Returns: What was undone, and the version that holds the undoing.
    /// - Throws: `changeNotSupported` when there is nothing to undo, when it cannot be undone, when what it
    ///   changed was changed since, and when the library is at another version than was expected; and what
    ///   `write` throws.
    package func undo(
        _ request: UndoRequest,
        refusingHidden refusal: LibraryError? = nil
    ) throws -> UndoReply {
        do {
            return try write(author: request.author) { transaction in
                let reply = try undo(request, in: transaction, refusingHidden: refusal)
                if request.isTrial { throw TrialEnded(reply: reply) }
                return reply
            }
        } catch let trial as TrialEnded {
            return trial.reply
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
                "Something else was changed since.",
                recovery: "Look at the library, and undo or redo step by step."
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
                    ? "There is nothing to redo: nothing was undone, or something was changed since."
                    : "There is nothing to undo.",
                reason: try HistorySummary.start(database) == 0
                    ? nil : "The library remembers the changes of the last \(days) days."
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
        let undo = try Undo(target, in: transaction)
        // Before anything that names an object can fail.
        if let refusal, try undo.concernsHidden() { throw refusal }
        try undo.run()
        let version = request.isTrial ? present : transaction.version ?? target.last
        return UndoReply(version: version, undone: undone)
    }
}

/// Rolls the transaction of a trial back, and carries its reply out.
private struct TrialEnded: Error {
    let reply: UndoReply
}
