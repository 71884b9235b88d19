internal import Foundation
internal import Glibc
package import LibraryService
package import Logging
package import PhotoModel
internal import Synchronization

/// Imports files into a library in the steps copy, hash, probe and commit.
///
/// A batch is staged by several threads, synced, and committed as one transaction. While one batch
/// waits for the writer lock, others are read. Imports that a reply acknowledges are durable. See
/// `StagingSession` for the invariants of each step, and `Docs/adr/0006-import-durability.md` for
/// the rules of syncing.
///
/// Thread-safe; calls block their thread.
package final class Importer: Sendable {
    let store: LibraryStore
    private let prober: any MediaProber
    private let renditions: (any FirstRenditionSink)?
    private let logger: Logger
    let configuration: ImportConfiguration
    private let sessions = Mutex(Sessions())

    private struct Sessions {
        var next: Int64 = 1
        var open: [Int64: ImportSession] = [:]
    }

    package init(
        store: LibraryStore,
        prober: any MediaProber,
        renditions: (any FirstRenditionSink)?,
        logger: Logger,
        configuration: ImportConfiguration = ImportConfiguration()
    ) {
        self.store = store
        self.prober = prober
        self.renditions = renditions
        self.logger = logger
        self.configuration = configuration
    }

    // MARK: - Sessions

    /// Opens a session with a separate staging folder.
    ///
    /// It is safe to leave it open: the next writer clears the folder of a session whose process or
    /// importer is gone.
    ///
    /// - Parameters:
    ///   - request: The session's properties.
    ///   - author: The author of the import in the journal.
    /// - Returns: The session's number.
    /// - Throws: `readOnly`, or the error of creating the folder.
    package func beginImport(
        _ request: ImportSessionRequest,
        author: String
    ) throws(LibraryError) -> ImportSessionReply {
        if let missing = store.missingChanges { throw missing }
        if let reason = store.readOnlyReason {
            throw LibraryError(
                .readOnly,
                "Files cannot be imported into the library at \(store.bundle.root).",
                reason: reason,
                recovery: "Open it from a writable volume, or copy it to another volume.",
                path: store.bundle.root
            )
        }
        let staging: StagingSession
        do {
            staging = try StagingSession(
                staging: store.bundle.staging,
                files: configuration.files
            )
        } catch { throw error.libraryError("The import's staging folder cannot be created.") }
        let number = sessions.withLock { sessions in
            defer { sessions.next += 1 }
            sessions.open[sessions.next] = ImportSession(author: author, staging: staging)
            return sessions.next
        }
        return ImportSessionReply(session: number)
    }

    /// Ends a session and removes its staging folder.
    ///
    /// Batches in progress fail.
    package func endImport(_ request: ImportEndRequest) throws(LibraryError) {
        guard let session = sessions.withLock({ $0.open.removeValue(forKey: request.session) })
        else { throw Self.noSession(request.session) }
        session.staging.end()
    }

    /// Ends all sessions, as `endImport` does.
    package func endAll() {
        let ended = sessions.withLock { sessions in
            defer { sessions.open = [:] }
            return Array(sessions.open.values)
        }
        for session in ended { session.staging.end() }
    }

    // MARK: - Files

    /// The number of files that one thread looks up.
    private static let knownFilesPerRead = 2 * ImportedFiles.chunkSize

    /// Finds which of the given files were imported before, by path, size, times, inode and device,
    /// without reading them.
    ///
    /// A file is known only if its path, size, both times, inode and device are the same as when it
    /// was read, and if the library's file is present. Known files are not read.
    package func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply {
        _ = try session(request.session)
        let (files, size) = (request.files, Self.knownFilesPerRead)
        let parts = try Parallel.map(
            count: (files.count + size - 1) / size,
            width: configuration.workerCount
        ) { [store] part throws(LibraryError) in
            let range = part * size..<min((part + 1) * size, files.count)
            do {
                return try store.read { database in
                    try ImportedFiles(database: database, bundle: store.bundle)
                        .outcomes(of: Array(files[range]))
                }
            } catch { throw LibraryError(error, library: store.bundle.root) }
        } discarding: { _ in
        }
        return KnownFilesReply(outcomes: parts.flatMap(\.self))
    }

    /// Imports a batch of files.
    ///
    /// The descriptors are open for reading and in the request's order. Of each file in the
    /// request, only the path is used; the other values are read again from the descriptor, unless
    /// the descriptors are copies.
    ///
    /// Throws if nothing of the batch was committed (`noSpace`, `busy`, `workerUnavailable` and the
    /// like). Neither rows nor files of the batch then remain.
    package func importFiles(_ request: ImportFilesRequest, files: [Descriptor])
        throws(LibraryError) -> ImportFilesReply
    {
        let session = try session(request.session)
        guard request.files.count == files.count else {
            throw LibraryError(
                .invalidRequest,
                "An import request has \(request.files.count) files, but \(files.count) descriptors.",
                reason: "Each file needs a descriptor.",
                recovery: "Pass as many descriptors as files, in their order."
            )
        }
        let results = try stage(request, from: files, in: session.staging)
        var outcomes: [Int: ImportOutcome] = [:]
        var media: [Int: StagedMedium] = [:]
        for (position, result) in results.enumerated() {
            switch result {
            case .staged(let medium): media[position] = medium
            case .outcome(let outcome): outcomes[position] = outcome
            }
        }
        // Placed files have left the staging folder; this removes the others, duplicates and failed
        // files.
        defer { for medium in media.values { medium.discard() } }
        if !media.isEmpty {
            try sync(media.values)
            let duplicates = try readDuplicates(
                of: media.values,
                verifies: request.verifiesDuplicates
            )
            let histories = try SidecarHistoryReader(store: store, prober: prober, draft: draft)
                .histories(for: media.values)
            let commit = try commit(
                media,
                duplicates: duplicates,
                histories: histories,
                in: session
            )
            outcomes.merge(commit.outcomes) { _, new in new }
            store(commit.renditions)
        }
        return ImportFilesReply(
            outcomes: results.indices.map { position in
                outcomes[position]
                    ?? ImportOutcome(
                        .failed,
                        reason: "The import did not report it. This is a bug; please report it."
                    )
            }
        )
    }

    // MARK: - Steps

    private var draft: AssetDraft {
        AssetDraft(capturePolicy: CaptureTimePolicy(machineTimeZone: configuration.timeZone))
    }

    private func stage(
        _ request: ImportFilesRequest,
        from descriptors: [Descriptor],
        in staging: StagingSession
    ) throws(LibraryError) -> [SourceStager.Result] {
        let sources = request.files
        var stager = stager(in: staging)
        stager.keepsMetadata = request.areCopies
        return try Parallel.map(count: sources.count, width: configuration.workerCount) {
            [stager] position
                throws(LibraryError) in
            try stager.stage(sources[position], from: descriptors[position].number)
        } discarding: { result in
            if case .staged(let medium) = result { medium.discard() }
        }
    }

    /// Returns the stager for the files of a session.
    func stager(in staging: StagingSession) -> SourceStager {
        SourceStager(
            session: staging,
            prober: prober,
            draft: draft,
            renditionSide: configuration.renditionSide,
            files: configuration.files,
            isKnown: { [store] digest throws(LibraryError) in
                do {
                    return try store.read { database in
                        try PartnerQueries(database: database).duplicate(of: digest) != nil
                    }
                } catch { throw LibraryError(error, library: store.bundle.root) }
            }
        )
    }

    /// Stores the pixels of first renditions.
    func store(_ made: [BatchCommit.Rendition]) { renditions?.store(made) }

    /// Syncs and commits staged files together with rows that the caller writes.
    ///
    /// - Parameters:
    ///   - media: The staged files by position.
    ///   - externalRenders: The positions of edited copies.
    ///   - session: The import session.
    ///   - record: Writes further rows in the same transaction; it may add files to the commit.
    /// - Returns: The result of `record`, and the first renditions.
    /// - Throws: The reason why nothing was committed.
    func commit<Result>(
        _ media: [Int: StagedMedium],
        externalRenders: [Int: ExternalRender],
        in session: ImportSession,
        record: (LibraryTransaction, inout BatchCommit) throws -> Result
    ) throws(LibraryError) -> (Result, [BatchCommit.Rendition]) {
        try sync(media.values)
        let duplicates = try readDuplicates(of: media.values, verifies: false)
        let histories = try SidecarHistoryReader(store: store, prober: prober, draft: draft)
            .histories(for: media.values)
        let root = store.bundle.root
        do {
            return try store.write(author: session.author, batch: session.batch) {
                transaction in
                var commit = BatchCommit(
                    transaction: transaction,
                    media: media,
                    duplicates: duplicates,
                    histories: histories,
                    restage: { [self] resource throws(LibraryError) in
                        try restage(resource, in: session.staging)
                    }
                )
                commit.externalRenders = externalRenders
                try commit.run()
                let result = try record(transaction, &commit)
                let refused = try FilePlacement.place(
                    commit.moves,
                    root: root,
                    session: session.staging,
                    in: transaction
                )
                commit.recordRefused(refused)
                return (result, commit.renditions)
            }
        } catch { throw LibraryError(error, library: root) }
    }

    /// Makes durable the files that will probably be placed in the library.
    ///
    /// Duplicates of existing resources are omitted.
    private func sync(_ media: some Sequence<StagedMedium>) throws(LibraryError) {
        let files = media.filter { medium in
            if case .known = medium.content { false } else { true }
        }.flatMap { [$0.file] + [$0.embeddedMovie?.file].compactMap(\.self) }
        try configuration.files.makeDurable(files)
    }

    /// Verifies, if requested, the library's files that have the same content as imported ones.
    private func readDuplicates(of media: some Sequence<StagedMedium>, verifies: Bool)
        throws(LibraryError) -> DuplicateFiles
    {
        var duplicates = DuplicateFiles(
            bundle: store.bundle,
            verifies: verifies,
            files: configuration.files
        )
        guard verifies else { return duplicates }
        for medium in media {
            guard case .known = medium.content else { continue }
            let digest = medium.file.digest
            do {
                let duplicate = try store.read {
                    try PartnerQueries(database: $0).duplicate(of: digest)
                }
                if let duplicate {
                    duplicates.readAhead(path: duplicate.path, size: duplicate.size, digest: digest)
                }
            } catch { throw LibraryError(error, library: store.bundle.root) }
        }
        return duplicates
    }

    private func commit(
        _ media: [Int: StagedMedium],
        duplicates: DuplicateFiles,
        histories: [String: SidecarHistory],
        in session: ImportSession
    ) throws(LibraryError) -> (
        outcomes: [Int: ImportOutcome], renditions: [BatchCommit.Rendition]
    ) {
        let root = store.bundle.root
        do {
            return try store.write(author: session.author, batch: session.batch) {
                transaction in
                var commit = BatchCommit(
                    transaction: transaction,
                    media: media,
                    duplicates: duplicates,
                    histories: histories,
                    restage: { [self] resource throws(LibraryError) in
                        try restage(resource, in: session.staging)
                    }
                )
                try commit.run()
                let refused = try FilePlacement.place(
                    commit.moves,
                    root: root,
                    session: session.staging,
                    in: transaction
                )
                commit.recordRefused(refused)
                return (commit.outcomes, commit.renditions)
            }
        } catch {
            let failure = LibraryError(error, library: root)
            logger.debug(
                "A batch was not imported.",
                metadata: ["import.code": "\(failure.code.rawValue)"]
            )
            throw failure
        }
    }

    /// Stages a copy of a library file; nil if the file cannot be read or does not match its row.
    private func restage(_ resource: ResourceRecord, in staging: StagingSession)
        throws(LibraryError) -> StagedFile?
    {
        let files = configuration.files
        let copy: StagedFile
        if store.bundle.isHollow(resource.path) { return try replan(resource, in: staging) }
        do {
            let path = store.bundle.absolutePath(of: resource.path)
            let file = try files.open(path, O_RDONLY)
            defer { withExtendedLifetime(file) {} }
            copy = try FileStager(session: staging, files: files).stage(file.number).file
        } catch FileStager.Failure.volume(let error) {
            throw error
        } catch {
            return nil
        }
        guard copy.digest.hexadecimal == resource.sha256 else {
            copy.discard()
            return nil
        }
        return copy
    }

    /// Stages a library file for the plan of a dry run, where files have a size but no content.
    private func replan(_ resource: ResourceRecord, in staging: StagingSession)
        throws(LibraryError) -> StagedFile?
    {
        guard let digest = SHA256Digest(hexadecimal: resource.sha256) else { return nil }
        do throws(SystemError) {
            let target = try staging.createFile()
            try staging.files.hollow(target.descriptor, path: target.path, size: resource.size)
            return StagedFile(
                path: target.path,
                descriptor: target.descriptor,
                size: resource.size,
                digest: digest,
                isHollow: true,
                files: staging.files
            )
        } catch { throw error.libraryError("A file of the plan cannot be created.") }
    }

    // MARK: - Looking up

    func session(_ number: Int64) throws(LibraryError) -> ImportSession {
        guard let session = sessions.withLock({ $0.open[number] }) else {
            throw Self.noSession(number)
        }
        return session
    }

    private static func noSession(_ number: Int64) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "There is no import session \(number).",
            recovery: "Begin a session first, and end it once."
        )
    }
}
