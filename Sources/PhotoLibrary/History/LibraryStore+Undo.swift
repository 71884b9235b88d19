internal import GRDB
package import LibraryService
internal import PhotoModel

extension LibraryStore {
    /// Takes the last change back that was not taken back yet, or the last undoing, as a change of its own.
    ///
    /// All versions of an import count as one change. What the library did by itself is passed over. An
    /// undoing is taken back as long as nothing else was changed since.
    ///
    /// - Throws: `changeNotSupported` when there is nothing to undo, when it cannot be undone, and when
    ///   what it changed was changed since; and what `write` throws.
    package func undo(_ request: UndoRequest) throws -> UndoReply {
        try write(author: request.author) { transaction in
            let database = transaction.database
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
            try Undo(target, in: transaction).run()
            return UndoReply(version: transaction.version ?? target.last, undone: undone)
        }
    }
}
