internal import Foundation
internal import GRDB
package import LibraryService
internal import PhotoModel

/// Copies a library to a folder, which becomes a library itself.
///
/// Other processes can use the original during the copy.
///
///     snapshot of the database ──▶ files that it names ──▶ the database's rename ──▶ removals
///
/// 1. Until the rename, the former backup in the folder is whole; after it, the new one is.
/// 2. The snapshot comes first, so every file that it names existed when it was made. If files were
///    permanently deleted before they were copied, a newer snapshot is taken; the last attempt
///    holds the writer lock, so that nothing is deleted meanwhile. The backup's own writer lock is
///    held from the comparison of its history to the end.
/// 3. The bytes of each file have the SHA-256 of its row. A file that the library itself lacks or
///    has damaged is reported; the copy of an earlier backup stays. A file that the backup has is
///    not read in the library, but must exist there with its size.
/// 4. A folder that is not an earlier state of the same library is refused.
/// 5. An interrupted run leaves complete files, which the next run keeps if their SHA-256 is right.
///    A run that leaves a damaged file in the backup, since the library has no good one either,
///    counts as incomplete for that.
/// 6. A complete run records the folder's path. If the folder is missing or empty later, its volume
///    is probably not mounted, and a new backup is made there only on request.
package struct BackupSession {
    /// The maximum number of attempts to copy a snapshot of the library; only the last attempt is
    /// made under the writer lock.
    private static let attempts = 4

    private let store: LibraryStore
    private let target: LibraryBundle
    private let readsEverything: Bool
    private let replacesMissing: Bool
    private let files: FileOperations

    /// Creates a backup of an open library.
    ///
    /// - Parameters:
    ///   - store: The library.
    ///   - path: The absolute path of the backup's folder.
    ///   - readsEverything: Whether to read also the files that the backup already has, and to
    ///     replace damaged ones.
    ///   - replacesMissing: Whether to make a new backup where an earlier one is missing.
    ///   - files: The file system calls.
    package init(
        of store: LibraryStore,
        to path: String,
        readsEverything: Bool = false,
        replacesMissing: Bool = false,
        files: FileOperations = FileOperations()
    ) {
        self.store = store
        target = LibraryBundle(root: path)
        self.readsEverything = readsEverything
        self.replacesMissing = replacesMissing
        self.files = files
    }

    /// Makes the backup.
    ///
    /// - Parameters:
    ///   - isStopped: Whether to stop; the former backup then stays.
    ///   - handler: Receives the progress and the problems, on the calling thread. An error that it
    ///     throws ends the backup and is rethrown.
    /// - Returns: The result in numbers. The backup is durable unless it was stopped.
    /// - Throws: `invalidRequest`, `volumeMissing`, `changeNotSupported`, `busy`, `noSpace` and
    ///   errors of the volume; the former backup is then unchanged.
    package func run(
        isStopped: () -> Bool,
        handler: (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        do {
            return try checked(isStopped: isStopped, handler: handler)
        } catch {
            throw LibraryError.converting(error, library: target.root)
        }
    }

    private func checked(
        isStopped: () -> Bool,
        handler: (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        let uuid = try store.libraryUUID()
        if let missing = store.missingChanges { throw missing }
        let destination = try BackupDestination(target, library: store.bundle, uuid: uuid)
        if !replacesMissing { try destination.checkIsUnknown() }
        let summary = try withoutActuallyEscaping(isStopped) { isStopped in
            try withoutActuallyEscaping(handler) { handler in
                try run(destination, uuid: uuid, isStopped: isStopped, handler: handler)
            }
        }
        if !summary.wasStopped { KnownLibraries.remember(target.root) }
        return summary
    }

    private func run(
        _ destination: BackupDestination,
        uuid: String,
        isStopped: @escaping () -> Bool,
        handler: @escaping (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        let commit = BundleCommit(target: target, files: files)
        if case .nothing = destination.content {
            let parent = (target.root as NSString).deletingLastPathComponent
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
            try makeFolder()
        }
        let record = try BackupRecord(of: target, library: uuid)
        try commit.makeFolders()
        func replace() throws -> CopySummary {
            let former = try openFormer(destination, uuid: uuid)
            return try copy(
                former,
                record,
                commit,
                uuid: uuid,
                isStopped: isStopped,
                handler: handler
            )
        }
        guard case .library = destination.content else { return try replace() }
        // No program may change the former backup after its history was compared.
        let lock = try WriterLock(path: target.lock)
        return try lock.withLock(patience: LibraryStore.writerPatience, replace)
    }

    /// Copies snapshots until one copy is complete, and replaces the former backup with that copy.
    private func copy(
        _ former: SnapshotDatabase?,
        _ record: BackupRecord,
        _ commit: BundleCommit,
        uuid: String,
        isStopped: @escaping () -> Bool,
        handler: @escaping (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        defer { try? former?.queue.close() }
        let hasRecord = try isChecked(former, by: record)
        let filler = BundleFiller(
            target: target,
            sources: [BundleFiller.Source(root: store.bundle.root)],
            files: files,
            trusts: { file in
                guard hasRecord, !readsEverything, let former else { return false }
                return try former.queue.read { try file.isNamed(in: $0) }
            },
            checksSource: true,
            isStopped: isStopped,
            handler: handler
        )
        for attempt in 1...Self.attempts {
            let isLast = attempt == Self.attempts
            let pass = Pass(
                filler: filler,
                commit: commit,
                former: former,
                record: record,
                uuid: uuid
            )
            let summary =
                isLast
                ? try store.withoutWriters { try self.run(pass, isLast: true) }
                : try self.run(pass, isLast: false)
            if let summary { return summary }
        }
        throw LibraryError(.internalError, "The backup of \(store.bundle.root) did not end.")
    }

    private func makeFolder() throws(LibraryError) {
        do throws(SystemError) {
            _ = try files.createFolder(target.root, mode: BundleModes.newFolder)
        } catch {
            throw error.libraryError(doing: "create the folder")
        }
    }

    /// Opens the database of the former backup exclusively; nil if there is no former backup.
    private func openFormer(
        _ destination: BackupDestination,
        uuid: String
    ) throws -> SnapshotDatabase? {
        guard case .library = destination.content else { return nil }
        let former: SnapshotDatabase
        do {
            former = try SnapshotDatabase(path: target.database)
            try destination.checkHistory(former, of: store, uuid: uuid)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
            throw LibraryError(
                .busy,
                "The backup \(target.root) is open in another program.",
                recovery: "Quit that program and try again.",
                path: target.root
            )
        } catch {
            throw LibraryError(error, library: target.root)
        }
        return former
    }

    /// Returns whether the last completed run wrote the former backup, and thus checked the
    /// backup's files.
    private func isChecked(
        _ former: SnapshotDatabase?,
        by record: BackupRecord
    ) throws -> Bool {
        guard let former, let recorded = CommittedVersion(at: record.path), recorded.version > 0
        else { return false }
        return try former.queue.read { try CommittedVersion(in: $0) } == recorded
    }

    // MARK: - One pass

    private struct Pass {
        let filler: BundleFiller
        let commit: BundleCommit
        let former: SnapshotDatabase?
        let record: BackupRecord
        let uuid: String
    }

    /// Copies one snapshot; returns nil if a newer snapshot is needed, since files were permanently
    /// deleted during the copy.
    private func run(_ pass: Pass, isLast: Bool) throws -> CopySummary? {
        var summary = CopySummary()
        summary.path = target.root
        summary.libraryUUID = pass.uuid
        let draft = BundleCommit.draft(of: target)
        defer { SnapshotDatabase.remove(draft) }
        try pass.filler.checkRoom(for: FileSystem.length(of: store.bundle.database))
        let snapshot: SnapshotDatabase
        do {
            snapshot = try SnapshotDatabase.make(at: draft) { try store.copyDatabase(into: $0) }
        } catch {
            throw LibraryError(error, library: target.root)
        }
        let isClosed = Flag()
        defer { if !isClosed.isSet { try? snapshot.queue.close() } }
        let version = try snapshot.queue.read { try CommittedVersion(in: $0) }
        summary.version = version.version
        let (total, missing) = try pass.filler.measure(snapshot)
        try pass.filler.checkRoom(for: missing)
        let outcome = try pass.filler.fill(snapshot, total: total, counting: &summary)
        if outcome.wasStopped || pass.filler.isStopped() {
            summary.wasStopped = true
            return summary
        }
        if !isLast, try hasDeletions(outcome.losses) { return nil }
        try report(outcome.losses, pass, counting: &summary)
        let unnamed = try pass.commit.unnamed(in: snapshot)
        isClosed.isSet = true
        try snapshot.close()
        try pass.former?.close()
        try pass.commit.install(draft, version)
        // After a complete run, the next one compares only the sizes of the backup's files.
        let isChecked = !outcome.losses.contains { $0.hasBadCopy }
        try pass.record.write(
            isChecked ? version : CommittedVersion(libraryUUID: pass.uuid, version: 0)
        )
        summary.removedFiles = pass.commit.remove(unnamed)
        return summary
    }

    /// A flag that a `defer` block reads.
    private final class Flag {
        var isSet = false
    }

    /// Returns whether files are missing because the library deleted them after the snapshot.
    private func hasDeletions(_ losses: [BundleFiller.Loss]) throws -> Bool {
        let paths = losses.filter { $0.kind == .missing && !$0.isKept }.map(\.file.path)
        guard !paths.isEmpty else { return false }
        return try store.read { database in
            try paths.contains { try !NamedFile.isNamed($0, in: database) }
        }
    }

    private func isDeleted(_ file: NamedFile) throws -> Bool {
        try store.read { database in try !NamedFile.isNamed(file.path, in: database) }
    }

    private func report(
        _ losses: [BundleFiller.Loss],
        _ pass: Pass,
        counting summary: inout CopySummary
    ) throws {
        for loss in losses {
            // The backup has the file, and the library deleted it after the snapshot.
            if loss.isKept, try isDeleted(loss.file) { continue }
            summary.problems += 1
            let problem = loss.file.problem(
                loss.kind,
                at: store.bundle.root,
                reason: loss.reason
            )
            try pass.filler.handler(.problem(problem))
        }
    }
}
