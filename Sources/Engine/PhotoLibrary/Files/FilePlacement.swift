internal import Foundation
internal import Glibc
internal import PhotoModel

/// Moves staged files to their places in the library, together, and takes that back.
///
/// Used inside one write transaction by the holder of the writer lock. After `place` returns, the
/// files and their names are durable; the rows that name them may be committed.
struct FilePlacement {
    /// A staged file and where it goes, below the library's folder.
    struct Move {
        var file: StagedFile
        var target: String
        /// Whether a row named the target before: then the file stays, whatever becomes of the
        /// transaction.
        var isRestoration = false
    }

    let root: String
    let session: StagingSession
    private(set) var placed: [String] = []

    init(root: String, session: StagingSession) {
        self.root = root
        self.session = session
    }

    /// The place of a new file: `originals/<2 hex>/<uuid>.<ext>`, or `edits/…` for what was made from
    /// originals.
    static func target(uuid: String, pathExtension: String, isEdit: Bool = false) -> String {
        let area = isEdit ? "edits" : "originals"
        return "\(area)/\(uuid.prefix(2).lowercased())/\(uuid).\(pathExtension)"
    }

    /// Places files as the last step of a transaction whose rows name them, and takes that back
    /// should it fail.
    ///
    /// - Parameters:
    ///   - moves: Staged files of the session and their places.
    ///   - root: The library's folder.
    ///   - session: Where the files were staged.
    ///   - transaction: The transaction that names them.
    /// - Returns: Why restorations were refused, by target; all else is in place.
    /// - Throws: What the volume says; then none of the files is in place.
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
            // The rows may have begun the transaction's own version already.
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
            throw error.libraryError("Files could not be moved to \(error.path ?? root).")
        }
        let database = transaction.database
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

    /// Records the intentions, syncs what is not synced yet, renames, and syncs the folders.
    ///
    /// When it throws, some files may be in place: `putAway` removes them. `version` is the library's
    /// before the commit.
    ///
    /// - Returns: Why restorations were refused, by target.
    mutating func place(_ moves: [Move], after version: Int64) throws(SystemError)
        -> [String: SystemError]
    {
        guard !moves.isEmpty else { return [:] }
        let files = session.files
        try session.recordIntentions(moves.map(\.target), after: version)
        var folders: Set<String> = []
        var refused: [String: SystemError] = [:]
        for move in moves {
            try move.file.sync()
            let target = root + "/" + move.target
            let folder = (target as NSString).deletingLastPathComponent
            if folders.insert(folder).inserted {
                let mode = session.modes.folder
                _ = try files.createFolder(folder, inBundle: root, mode: mode)
                // Also when the folder was there: its maker may have died before syncing its name.
                folders.insert((folder as NSString).deletingLastPathComponent)
            }
            do throws(SystemError) {
                try files.rename(move.file.path, to: target)
            } catch {
                // One damaged file that may not be replaced, being immutable, stops nothing else.
                let isRefused = [EPERM, EACCES, EBUSY].contains(error.number)
                guard move.isRestoration, isRefused else { throw error }
                refused[move.target] = error
                continue
            }
            if !move.isRestoration { placed.append(move.target) }
        }
        for folder in folders.sorted() { try files.syncFolder(folder) }
        return refused
    }

    /// Removes what was placed, after the transaction was rolled back.
    ///
    /// What cannot be removed durably stays in the session's intentions, and so does that of which
    /// `hasRow` cannot say whether a row names it.
    ///
    /// - Parameter hasRow: Whether a row names that path after all.
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
        // The next intentions replace these, so the names have to be gone for good by then.
        for (folder, targets) in removed {
            do { try session.files.syncFolder(root + "/" + folder) } catch {
                targets.forEach(session.keepIntention)
            }
        }
        placed = []
    }

    /// Leaves all that was placed to the recovery of this session, which settles first whether there
    /// are rows.
    mutating func leaveToRecovery() {
        placed.forEach(session.keepIntention)
        placed = []
    }
}
