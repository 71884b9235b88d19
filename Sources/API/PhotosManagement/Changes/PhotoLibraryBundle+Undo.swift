internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Undo and redo.
extension PhotoLibraryBundle {
    /// Undoes the most recent change that has not been undone, regardless of which program made it.
    ///
    /// The undo is a change of its own. Changes that one import committed together are undone
    /// together. Each further call undoes an earlier change.
    ///
    /// In a view without hidden assets (``withoutHidden()``), a change that concerns a hidden asset
    /// is not undone, and the call throws.
    ///
    /// - Parameter version: The library's ``version`` last seen by the caller. When the current
    ///   version differs, the call throws and changes nothing. Nil skips the check.
    /// - Returns: The undone transactions, the latest first.
    /// - Throws: `PHPhotosError` when nothing is left to undo, when the change cannot be undone
    ///   (assets were permanently deleted), when the version is no longer `version`, or when the
    ///   library cannot be written.
    @discardableResult
    public func undo(ifVersionIs version: Int64? = nil) throws -> [HistoryEntry] {
        try commitUndo(ifVersionIs: version).entries
    }

    /// Undoes a change, as ``undo(ifVersionIs:)`` does, and returns the library version that the
    /// undo created.
    ///
    /// Unlike ``version`` read afterwards, the result is never the version of another program's
    /// change. Given to ``redo(ifVersionIs:)``, it redoes the change only if nothing else changed.
    ///
    /// A version alone does not identify what is undone: after an undo, the next change to undo is
    /// an earlier one, which another program may have made. `change` names the change.
    ///
    /// - Parameters:
    ///   - change: The version of the change that has to be the next one to undo, or of its redo;
    ///     of an import, the last version. When the next one is another, the call throws and
    ///     changes nothing. Nil skips the check.
    ///   - version: The expected version, as in ``undo(ifVersionIs:)``.
    /// - Returns: The version, and the undone transactions, the latest first.
    /// - Throws: `PHPhotosError` as ``undo(ifVersionIs:)`` does.
    public func commitUndo(
        of change: Int64? = nil,
        ifVersionIs version: Int64? = nil
    ) throws -> (version: Int64, entries: [HistoryEntry]) {
        try undoOrRedo(redoes: false, expectedVersion: version, expectedTarget: change)
    }

    /// Returns the transactions that ``undo(ifVersionIs:)`` would undo, without undoing them.
    ///
    /// The undo runs in a transaction that is rolled back, so an undo that would fail also fails
    /// here.
    ///
    /// - Returns: The transactions, the latest first.
    /// - Throws: `PHPhotosError` as ``undo(ifVersionIs:)`` does.
    public func undoPreview() throws -> [HistoryEntry] {
        try undoOrRedo(redoes: false, isTrial: true).entries
    }

    /// Redoes the most recently undone change, regardless of which program undid it.
    ///
    /// The redo is a change of its own, which ``undo(ifVersionIs:)`` undoes. Each further call
    /// redoes a later change, up to the one that was undone first.
    ///
    /// - Parameter version: The library's ``version`` last seen by the caller. When the current
    ///   version differs, the call throws and changes nothing. Nil skips the check.
    /// - Returns: The redone transactions, the latest first.
    /// - Throws: `PHPhotosError` when nothing is left to redo, when something was changed since the
    ///   undo, when the change cannot be redone, or when the library cannot be written.
    @discardableResult
    public func redo(ifVersionIs version: Int64? = nil) throws -> [HistoryEntry] {
        try commitRedo(ifVersionIs: version).entries
    }

    /// Redoes a change, as ``redo(ifVersionIs:)`` does, and returns the library version that the
    /// redo created.
    ///
    /// Unlike ``version`` read afterwards, the result is never the version of another program's
    /// change. Given to ``undo(ifVersionIs:)``, it undoes the redo only if nothing else changed.
    ///
    /// - Parameters:
    ///   - undo: The version of the undo that has to be the next one to redo. When the next one is
    ///     another, the call throws and changes nothing. Nil skips the check.
    ///   - version: The expected version, as in ``redo(ifVersionIs:)``.
    /// - Returns: The version, and the redone transactions, the latest first.
    /// - Throws: `PHPhotosError` as ``redo(ifVersionIs:)`` does.
    public func commitRedo(
        of undo: Int64? = nil,
        ifVersionIs version: Int64? = nil
    ) throws -> (version: Int64, entries: [HistoryEntry]) {
        try undoOrRedo(redoes: true, expectedVersion: version, expectedTarget: undo)
    }

    /// Returns the transactions that ``redo(ifVersionIs:)`` would redo, without redoing them.
    ///
    /// - Returns: The transactions, the latest first.
    /// - Throws: `PHPhotosError` as ``redo(ifVersionIs:)`` does.
    public func redoPreview() throws -> [HistoryEntry] {
        try undoOrRedo(redoes: true, isTrial: true).entries
    }

    private func undoOrRedo(
        redoes: Bool,
        isTrial: Bool = false,
        expectedVersion: Int64? = nil,
        expectedTarget: Int64? = nil
    ) throws -> (version: Int64, entries: [HistoryEntry]) {
        let library = try historyToken.libraryIdentifier
        let request = UndoRequest(
            redoes: redoes,
            isTrial: isTrial,
            expectedVersion: expectedVersion,
            expectedTarget: expectedTarget
        )
        let reply = try edge { () throws(LibraryError) in try service.undo(request) }
        return (
            reply.version, reply.undone.map { HistoryEntry($0, libraryIdentifier: library) }
        )
    }
}
