package import Foundation
internal import GRDB
internal import Glibc
package import LibraryService
internal import PhotoModel

/// Restores a library from a backup: prepares the library beside its final path, and moves it to
/// that path once it is complete.
///
///     Name.restoring ──complete, synced──▶ Name.replaced-<time> ◀──exchanged──▶ Name
///
/// 1. The backup is only read.
/// 2. The former library is moved aside as a whole, under its writer lock, and never removed.
/// 3. A library with changes that the backup does not have is replaced only on request.
/// 4. The names are exchanged in one step, so that a library is at the path at any moment. File
///    systems without that step need two; a run that was interrupted between them leaves
///    `Name.replaced-<time>` and `Name.restoring`, and the next run does the second one.
/// 5. An interrupted run leaves `Name.restoring`, with which the next run continues.
package struct RestoreSession {
    private let source: LibraryBundle
    private let library: LibraryBundle
    private let discardsNewer: Bool
    private let files: FileOperations
    private let clock: @Sendable () -> Date

    /// Creates a restore.
    ///
    /// - Parameters:
    ///   - backup: The absolute path of a backup, or of another copy of a library.
    ///   - path: The absolute path of the library to make.
    ///   - discardsNewer: Whether to replace a library that has changes which the backup does not
    ///     have.
    ///   - files: The file system calls.
    ///   - clock: The current time.
    package init(
        from backup: String,
        to path: String,
        discardsNewer: Bool = false,
        files: FileOperations = FileOperations(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        source = LibraryBundle(root: backup)
        library = Self.resolved(LibraryBundle(root: path))
        self.discardsNewer = discardsNewer
        self.files = files
        self.clock = clock
    }

    /// Returns the target folder of a symbolic link at the library's path; otherwise the bundle
    /// itself.
    ///
    /// Restoring then replaces that folder, and not the link.
    private static func resolved(_ bundle: LibraryBundle) -> LibraryBundle {
        var status = stat()
        guard lstat(bundle.root, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            return bundle
        }
        return LibraryBundle(root: BackupDestination.realPath(bundle.root))
    }

    /// Restores the backup.
    ///
    /// - Parameters:
    ///   - isStopped: Whether to stop; the library is then unchanged.
    ///   - handler: Receives the progress and the problems, on the calling thread. An error that it
    ///     throws ends the run and is rethrown.
    /// - Returns: The result in numbers.
    /// - Throws: `libraryMissing`, `notALibrary`, `invalidRequest`, `changeNotSupported`, `busy`,
    ///   `noSpace` and errors of the volumes; the library is then unchanged.
    package func run(
        isStopped: () -> Bool,
        handler: (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        try LibraryStore.check(source)
        let lock = try BackupRecord.lockForReading(source)
        defer { withExtendedLifetime(lock) {} }
        try BackupDestination.checkPlace(of: library, library: source)
        return try withoutActuallyEscaping(isStopped) { isStopped in
            try withoutActuallyEscaping(handler) { handler in
                do {
                    return try restore(isStopped: isStopped, handler: handler)
                } catch {
                    throw LibraryError.converting(error, library: library.root)
                }
            }
        }
    }

    /// The folder in which the new library is prepared.
    private var draft: LibraryBundle { LibraryBundle(root: library.root + ".restoring") }

    /// The folder that contains the library, possibly through a symbolic link.
    private var parent: String { (library.root as NSString).deletingLastPathComponent }

    private func restore(
        isStopped: @escaping () -> Bool,
        handler: @escaping (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        let copy = try TemporaryCopy(of: source, mayBeOpen: true)
        let original = try DatabaseQueue(path: copy.database)
        defer {
            try? original.close()
            withExtendedLifetime(copy) {}
        }
        let version = try original.read { database in
            _ = try LibraryStore.isCurrent(database, source)
            return try CommittedVersion(in: database)
        }
        let former = try FormerLibrary(library)
        try former.check(version, replacedBy: source, discardsNewer) { point in
            try original.read { try point.isPast(in: $0) }
        }
        reclaimDraft(version)
        try checkDraft(version)
        try makeParent()
        let commit = BundleCommit(target: draft, files: files)
        try makeDraft()
        let record = try BackupRecord(of: draft, library: version.libraryUUID)
        try commit.makeFolders()
        var sources = [BundleFiller.Source(root: source.root)]
        if former.exists {
            sources.insert(BundleFiller.Source(root: library.root, links: true), at: 0)
        }
        let filler = BundleFiller(
            target: draft,
            sources: sources,
            files: files,
            trusts: { _ in false },
            isStopped: isStopped,
            handler: handler
        )
        var summary = CopySummary()
        summary.path = library.root
        summary.libraryUUID = version.libraryUUID
        summary.version = version.version
        try filler.checkRoom(for: FileSystem.length(of: source.database))
        let snapshot = try SnapshotDatabase.make(at: BundleCommit.draft(of: draft)) { queue in
            try original.backup(to: queue)
        }
        var isClosed = false
        defer { if !isClosed { try? snapshot.queue.close() } }
        let (total, missing) = try filler.measure(snapshot)
        // Files of the former library are linked where the file system supports that.
        if !former.exists { try filler.checkRoom(for: missing) }
        let outcome = try filler.fill(snapshot, total: total, counting: &summary)
        if outcome.wasStopped || isStopped() {
            summary.wasStopped = true
            return summary
        }
        for loss in outcome.losses {
            summary.problems += 1
            let problem = loss.file.problem(loss.kind, at: source.root, reason: loss.reason)
            try handler(.problem(problem))
        }
        isClosed = true
        try snapshot.close()
        try commit.install(BundleCommit.draft(of: draft), version)
        summary.replacedPath = try exchange(former, version)
        unlink(BackupRecord.path(in: library))
        withExtendedLifetime(record) {}
        KnownLibraries.remember(library.root)
        return summary
    }

    // MARK: - The folder of the new library

    /// Moves the draft back to its own path if an interrupted run has renamed it.
    ///
    /// Such a run had already given the draft the name that was meant for the former library.
    ///
    /// A draft has a record with the version 0, and a former library has none: that of an exchanged
    /// draft is removed from the new library.
    private func reclaimDraft(_ version: CommittedVersion) {
        let start = (library.root as NSString).lastPathComponent + ".replaced-"
        guard access(draft.root, F_OK) != 0,
            case .success(let names) = FileSystem.entries(of: parent)
        else { return }
        for name in names.sorted() where name.hasPrefix(start) {
            let folder = LibraryBundle(root: parent + "/" + name)
            guard let record = CommittedVersion(at: BackupRecord.path(in: folder)),
                record.libraryUUID == version.libraryUUID, record.version == 0,
                CommittedVersion(of: folder) == version
            else { continue }
            rename(folder.root, draft.root)
            return
        }
    }

    /// Throws an error if a folder at the draft's path is not an interrupted restore of the same
    /// library.
    private func checkDraft(_ version: CommittedVersion) throws(LibraryError) {
        guard case .success = FileSystem.status(of: draft.root),
            case .success(let names) = FileSystem.entries(of: draft.root), !names.isEmpty,
            !BackupRecord.isEmpty(in: draft, among: names)
        else { return }
        let record = CommittedVersion(at: BackupRecord.path(in: draft))
        guard record?.libraryUUID == version.libraryUUID else {
            throw LibraryError(
                .alreadyExists,
                "The library cannot be restored: \(draft.root) already exists.",
                reason: "It is not an interrupted restore of the same library.",
                recovery: "Move it away and try again. Nothing was changed.",
                path: draft.root
            )
        }
    }

    private func makeParent() throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(
                atPath: parent,
                withIntermediateDirectories: true
            )
        } catch {
            throw LibraryError(
                .noPermission,
                "The folder \(parent) cannot be created.",
                reason: error.localizedDescription,
                path: parent
            )
        }
        guard let network = FileSystem.networkFileSystem(at: parent) else { return }
        throw LibraryError(
            .unsupportedFileSystem,
            "A library cannot be restored to \(library.root).",
            reason: "It is on \(network), which does not support SQLite's write-ahead log.",
            recovery: "Restore it to a local volume.",
            path: library.root
        )
    }

    /// Creates the folder in which the new library is prepared, for the owner of the library that
    /// it replaces, or else of the parent folder.
    private func makeDraft() throws(LibraryError) {
        do throws(SystemError) {
            _ = try files.createFolder(draft.root, mode: BundleModes.newFolder)
        } catch {
            throw error.libraryError(doing: "create the folder")
        }
        // Everything that is added to the folder gets its owner.
        let place = access(library.root, F_OK) == 0 ? library.root : parent
        BundleModes(root: place).giveAway(bundle: draft.root)
    }

    // MARK: - Putting in place

    /// Moves the former library aside, if there is one, and moves the new library to the library's
    /// path.
    ///
    /// - Returns: The new path of the former library; nil if there was none.
    private func exchange(_ former: FormerLibrary, _ version: CommittedVersion) throws -> String? {
        guard former.exists else {
            try put()
            return nil
        }
        let aside = try freePath()
        try former.withoutWriters {
            guard try !swap(aside) else { return }
            do throws(SystemError) {
                try files.rename(library.root, to: aside)
            } catch {
                throw error.libraryError(doing: "move the former library to")
            }
            do {
                try put()
            } catch {
                rename(aside, library.root)
                throw error
            }
        }
        return aside
    }

    /// Exchanges the names of the new and the former library.
    ///
    /// The new library first gets the name that is meant for the former one.
    ///
    /// The former library needs no other rename afterward.
    ///
    /// - Returns: Whether the file system can exchange names; if not, nothing was changed.
    private func swap(_ aside: String) throws(LibraryError) -> Bool {
        do throws(SystemError) {
            // What an earlier run left would make the former library look like a draft.
            let record = BackupRecord.path(in: library)
            if CommittedVersion(at: record)?.version == 0 { unlink(record) }
            try files.rename(draft.root, to: aside)
            var isExchanged = false
            do throws(SystemError) {
                isExchanged = try files.exchange(aside, with: library.root)
                guard isExchanged else {
                    try files.rename(aside, to: draft.root)
                    return false
                }
                try files.syncFolder(parent, followsLink: true)
                return true
            } catch {
                // The library is as before.
                if isExchanged { _ = try? files.exchange(aside, with: library.root) }
                rename(aside, draft.root)
                throw error
            }
        } catch {
            throw error.libraryError("The library cannot be moved to \(library.root).")
        }
    }

    /// Moves the new library to the library's path, which is free.
    ///
    /// After an error, the path is free again, so that a former library can return to it.
    private func put() throws(LibraryError) {
        do throws(SystemError) {
            // An empty folder may be at the path.
            rmdir(library.root)
            try files.rename(draft.root, to: library.root)
            do throws(SystemError) {
                try files.syncFolder(parent, followsLink: true)
            } catch {
                rename(library.root, draft.root)
                throw error
            }
        } catch {
            throw error.libraryError("The library cannot be moved to \(library.root).")
        }
    }

    private func freePath() throws(LibraryError) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
            .time(includingFractionalSeconds: false).dateSeparator(.omitted)
            .timeSeparator(.omitted)
        let base = library.root + ".replaced-" + clock().formatted(style)
        for number in 1...1_000 {
            let path = number == 1 ? base : "\(base)-\(number)"
            var status = stat()
            if lstat(path, &status) != 0 { return path }
        }
        throw LibraryError(
            .alreadyExists,
            "The former library cannot be moved to \(base).",
            reason: "A thousand paths of this form exist.",
            recovery: "Remove libraries that were replaced earlier.",
            path: base
        )
    }
}
