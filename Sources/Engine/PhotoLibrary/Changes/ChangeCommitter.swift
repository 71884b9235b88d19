internal import Foundation
package import LibraryService
package import Logging
package import PhotoModel
internal import Synchronization

/// Stages the files of change sets without blocking other writers, then commits each set in one
/// transaction.
///
///     file ──copy, hash──▶ staged ──probe, sync──▶ ready ──rows, rename (writer lock)──▶ committed
///      │                     │                       │                │
///      └────── error ────────┴──────── error ────────┴───── error ────┘  nothing stays
///
/// `StagingSession` documents the state of the files at each step and the recovery after a crash.
/// Thread-safe; calls block their thread.
package final class ChangeCommitter: Sendable {
    private let store: LibraryStore
    private let prober: any MediaProber
    private let renditions: (any FirstRenditionSink)?
    private let logger: Logger
    private let configuration: ImportConfiguration
    private let patience: Double
    /// The staging session, created for the first file and reused, since creating one costs several
    /// syncs.
    private let session = Mutex<StagingSession?>(nil)

    /// Creates a committer that waits up to `patience` seconds for other writers.
    package init(
        store: LibraryStore,
        prober: any MediaProber,
        renditions: (any FirstRenditionSink)?,
        logger: Logger,
        configuration: ImportConfiguration = ImportConfiguration(),
        patience: Double = LibraryStore.writerPatience
    ) {
        self.store = store
        self.prober = prober
        self.renditions = renditions
        self.logger = logger
        self.configuration = configuration
        self.patience = patience
    }

    /// Copies and hashes a file for a later commit.
    ///
    /// - Parameters:
    ///   - request: The names of the file, for errors.
    ///   - file: The file, open for reading.
    /// - Returns: The copy, which belongs to the caller.
    /// - Throws: The problem with the file or with the library's volume.
    package func stage(
        _ request: StageRequest,
        file: Descriptor
    ) throws(LibraryError) -> StagedSource {
        if store.readOnlyReason != nil { throw store.refusalOfWriting }
        let stager = FileStager(session: try stagingSession(), files: configuration.files)
        do throws(FileStager.Failure) {
            let (copy, status) = try stager.stage(file.number)
            return StagedSource(file: copy, modificationTime: status.modificationTime)
        } catch {
            throw error.libraryError(of: request)
        }
    }

    /// Commits changes durably.
    ///
    /// Waits for other writers for a limited time.
    ///
    /// - Parameters:
    ///   - request: The changes.
    ///   - files: The files that the changes name, all of which leave the staging folder.
    ///   - author: The author in the journal.
    ///   - requester: The identifier of the client's program, under which the answer is stored if
    ///     the call has an identifier.
    ///   - origin: The origin of changes made elsewhere; nil for local changes.
    /// - Returns: The version that contains the changes.
    /// - Throws: The reason why nothing was changed: the failed request of the set and its problem,
    ///   or an error of the whole commit such as `readOnly`, `busy` or `noSpace`. Neither rows nor
    ///   files remain.
    package func commit(
        _ request: CommitRequest,
        files: [FileToken: StagedSource],
        author: String,
        requester: String = "",
        origin: RemoteOrigin? = nil
    ) throws(LibraryError) -> CommitReply {
        let root = store.bundle.root
        // Placed files have left the staging folder; this removes those of a failed commit.
        defer { for source in files.values { source.file.discard() } }
        do {
            if store.readOnlyReason != nil { throw store.refusalOfWriting }
            guard !request.changes.operations.isEmpty else {
                return CommitReply(version: try store.currentVersion(), isChange: false)
            }
            let progress = CommitProgress(request.changes)
            let (staged, session) = try stage(request, files, author, origin, progress)
            // The adjustments of a failed commit, too.
            defer { for edit in staged.edits.values { edit.discard() } }
            return try commit(request, staged, session, author, requester, origin, progress)
        } catch {
            let failure = LibraryError(error, library: root)
            // Logged at debug level only, since the caller also receives the error.
            logger.debug(
                "A change was not made.",
                metadata: ["change.code": "\(failure.code.rawValue)"]
            )
            throw failure
        }
    }

    // MARK: - Steps

    private func stage(
        _ request: CommitRequest,
        _ files: [FileToken: StagedSource],
        _ author: String,
        _ origin: RemoteOrigin?,
        _ progress: CommitProgress
    ) throws(LibraryError) -> (StagedChanges, StagingSession?) {
        let stager = ChangeStager(
            store: store,
            prober: prober,
            configuration: configuration,
            editor: author,
            time: origin?.time ?? store.now,
            progress: progress
        )
        guard ChangeStager.needsFiles(request.changes) else {
            return (StagedChanges(originals: try stager.originals(request.changes)), nil)
        }
        let session = try stagingSession()
        return (try stager.stage(request.changes, files: files, in: session), session)
    }

    private func stagingSession() throws(LibraryError) -> StagingSession {
        let made: Result<StagingSession, SystemError> = session.withLock { session in
            if let session { return .success(session) }
            do throws(SystemError) {
                let new = try StagingSession(
                    staging: store.bundle.staging,
                    files: configuration.files
                )
                session = new
                return .success(new)
            } catch { return .failure(error) }
        }
        do throws(SystemError) { return try made.get() } catch {
            throw error.libraryError("The staging folder for new files cannot be created.")
        }
    }

    private func commit(
        _ request: CommitRequest,
        _ staged: StagedChanges,
        _ session: StagingSession?,
        _ author: String,
        _ requester: String,
        _ origin: RemoteOrigin?,
        _ progress: CommitProgress
    ) throws -> CommitReply {
        do {
            return try commit(
                request,
                staged,
                session,
                author,
                origin,
                progress,
                answer: AnsweredChange(of: requester)
            )
        } catch let found as AnswerFound {
            return try found.decoded()
        }
    }

    private func commit(
        _ request: CommitRequest,
        _ staged: StagedChanges,
        _ session: StagingSession?,
        _ author: String,
        _ origin: RemoteOrigin?,
        _ progress: CommitProgress,
        answer: AnsweredChange?
    ) throws -> CommitReply {
        let root = store.bundle.root
        let editing = AssetEditing(timeZone: configuration.timeZone)
        var version: Int64 = 0
        var isChange = false
        let (reused, made) = try store.write(
            author: author,
            origin: origin,
            patience: patience
        ) { transaction in
            try answer?.check(transaction)
            var commit = ChangeSetCommit(
                transaction: transaction,
                editing: editing,
                staged: staged
            )
            try commit.run(request.changes, progress)
            if let session {
                try FilePlacement.place(
                    commit.moves,
                    root: root,
                    session: session,
                    in: transaction
                )
            }
            // Albums are settled later, which may be the only change that creates the version.
            let before = try transaction.currentVersion()
            transaction.onCommit { [unowned transaction] in
                version = transaction.version ?? before
                isChange = transaction.version != nil
            }
            let reused = commit.reused
            answer?.store(in: transaction) { version in
                CommitReply(version: version, isChange: true, reused: reused)
            }
            return (reused, commit.renditions)
        }
        renditions?.store(made)
        return CommitReply(version: version, isChange: isChange, reused: reused)
    }
}
