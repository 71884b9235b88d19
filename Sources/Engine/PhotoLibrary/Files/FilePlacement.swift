internal import Foundation
internal import Glibc
internal import PhotoModel

/// Moves a batch of staged files to their places in the library, and removes the added files if the
/// transaction fails.
///
/// Used inside one write transaction by the holder of the writer lock. After `place` returns, the
/// files and their names are durable, so the rows that reference them may be committed.
struct FilePlacement {
    /// A staged file and its target path below the library's folder.
    struct Move {
        var file: StagedFile
        var target: String
        /// Indicates whether a row already referenced the target.
        ///
        /// If so, the file is kept even if the transaction fails.
        var isRestoration = false
    }

    let root: String
    let session: StagingSession
    private(set) var placed: [String] = []

    init(root: String, session: StagingSession) {
        self.root = root
        self.session = session
    }

    /// Returns the path of a new file: `originals/<2 hex>/<uuid>.<ext>`, or `edits/…` for a file
    /// derived from originals.
    static func target(uuid: String, pathExtension: String, isEdit: Bool = false) -> String {
        let area = isEdit ? "edits" : "originals"
        return "\(area)/\(uuid.prefix(2).lowercased())/\(uuid).\(pathExtension)"
    }

    /// Places files as the last step of the transaction whose rows reference them, and reverts the
    /// placement if the transaction fails.
    ///
    /// - Parameters:
    ///   - moves: Staged files of the session and their targets.
    ///   - root: The library's folder.
    ///   - session: The session that staged the files.
    ///   - transaction: The transaction with the rows.
    /// - Returns: The errors of restorations that were not permitted, by target; all other files
    ///   are in place.
    /// - Throws: The volume's error; none of the new files is then in place.
    @discardableResult
    static func place(
        _ moves: [Move],
        root: String,
        session: StagingSession,
        in transaction: LibraryTransaction
    ) throws(LibraryError) -> [String: SystemError] {
        var placement = FilePlacement(root: root, session: session)
        let version: Int64
        do {
            // The rows may already have started the transaction's own version.
            version = try transaction.version.map { $0 - 1 } ?? transaction.currentVersion()
        } catch {
            throw LibraryError(error, library: root)
        }
        let refused: [String: SystemError]
        do throws(SystemError) {
            refused = try placement.place(moves, after: version)
        } catch {
            // The rows are about to be rolled back.
            placement.putAway(unless: { _ in false })
            throw error.libraryError("Files cannot be moved to \(error.path ?? root).")
        }
        let database = transaction.database
        do {
            // A row whose file was only in the cloud has one now.
            for move in moves where move.isRestoration && refused[move.target] == nil {
                try transaction.noteArrival(ofFileAt: move.target)
            }
        } catch {
            placement.putAway(unless: { _ in false })
            throw LibraryError(error, library: root)
        }
        transaction.onCommit { session.forgetIntentions() }
        transaction.onFailure { [unowned transaction] in
            if transaction.isCommitUncertain {
                placement.leaveToRecovery()
            } else {
                placement.putAway { try StagingRecovery.hasRow($0, in: database) }
            }
        }
        return refused
    }

    /// Records the target paths, syncs unsynced files, renames the files and syncs their folders.
    ///
    /// If it throws, some files may be in place; `putAway` removes them. `version` is the library's
    /// version before the commit.
    ///
    /// - Returns: The errors of restorations that were not permitted, by target.
    mutating func place(_ moves: [Move], after version: Int64) throws(SystemError)
        -> [String: SystemError]
    {
        guard !moves.isEmpty else { return [:] }
        let files = session.files
        try session.recordIntentions(moves.map(\.target), after: version)
        var folders: Set<String> = []
        var refused: [String: SystemError] = [:]
        try files.sync(moves.map(\.file))
        for move in moves {
            let target = root + "/" + move.target
            let folder = (target as NSString).deletingLastPathComponent
            if folders.insert(folder).inserted {
                let mode = session.modes.folder
                _ = try files.createFolder(folder, inBundle: root, mode: mode)
                // Also for an existing folder: its creator may have died before syncing its name.
                folders.insert((folder as NSString).deletingLastPathComponent)
            }
            do throws(SystemError) {
                try files.rename(move.file.path, to: target)
            } catch {
                // A damaged file that cannot be replaced, such as an immutable one, does not stop
                // the others.
                let isRefused = [EPERM, EACCES, EBUSY].contains(error.number)
                guard move.isRestoration, isRefused else { throw error }
                refused[move.target] = error
                continue
            }
            if !move.isRestoration { placed.append(move.target) }
            if files.isPlan, !move.file.isHollow {
                try files.hollow(move.file.descriptor, path: target, size: move.file.size)
            }
        }
        try files.syncFolders(folders.sorted())
        return refused
    }

    /// Removes the placed files after the transaction was rolled back.
    ///
    /// Files that cannot be removed durably stay in the session's intentions, as do files for which
    /// `hasRow` throws.
    ///
    /// - Parameter hasRow: Returns whether a row references the path after all.
    mutating func putAway(unless hasRow: (String) throws -> Bool) {
        var removed: [String: [String]] = [:]
        for target in placed {
            do {
                guard try !hasRow(target) else { continue }
                try session.files.remove(root + "/" + target)
                removed[(target as NSString).deletingLastPathComponent, default: []].append(target)
            } catch {
                session.keepIntention(target)
            }
        }
        // The next intentions overwrite these, so the removals must be durable by then.
        for (folder, targets) in removed {
            do { try session.files.syncFolder(root + "/" + folder) } catch {
                targets.forEach(session.keepIntention)
            }
        }
        placed = []
    }

    /// Leaves all placed files to the session's recovery, which first determines whether rows
    /// reference them.
    mutating func leaveToRecovery() {
        placed.forEach(session.keepIntention)
        placed = []
    }
}
