internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Stages one file: checks it, copies and hashes it, and probes the copy.
///
/// The probed, hashed and stored bytes are the same, namely those of the copy.
struct SourceStager: Sendable {
    /// The result of staging a file.
    enum Result: Sendable {
        case staged(StagedMedium)
        case outcome(ImportOutcome)
    }

    var session: StagingSession
    var prober: any MediaProber
    var draft: AssetDraft
    var renditionSide: Int
    var files: FileOperations
    /// Returns whether the library already has a file with this SHA-256.
    var isKnown: @Sendable (SHA256Digest) throws(LibraryError) -> Bool
    /// Indicates whether the `SourceFile` passed to `stage` keeps its size, times and inode;
    /// otherwise those of the file descriptor replace them.
    var keepsMetadata = false

    /// Stages a file.
    ///
    /// - Throws: An error that concerns the whole import, from the library's volume or the worker.
    func stage(_ source: SourceFile, from descriptor: Int32) throws(LibraryError) -> Result {
        let name = SourceName(path: source.path)
        let copy: StagedFile
        let before: FileStatus
        do {
            (copy, before) = try FileStager(session: session, files: files).stage(descriptor)
        } catch { return .outcome(try Self.outcome(of: error)) }
        let read = keepsMetadata ? source : Self.source(source, asRead: before)
        return try stage(copy, of: read, name: name)
    }

    /// Stages a source file that has already been copied, by probing the copy.
    ///
    /// - Throws: An error that concerns the whole import, from the library's volume or the worker.
    func stage(_ copy: StagedFile, of source: SourceFile, name: SourceName) throws(LibraryError)
        -> Result
    {
        let content: StagedMedium.Content
        switch try self.content(of: copy, name: name, modificationTime: source.modificationTime) {
        case .success(let found): content = found
        case .failure(let outcome):
            copy.discard()
            return .outcome(outcome.outcome)
        }
        return .staged(
            StagedMedium(
                source: source,
                name: name,
                file: copy,
                content: content,
                embeddedMovie: try embeddedMovie(in: copy, content: content, name: name),
                isWhole: try isWhole(copy, content: content, name: name)
            )
        )
    }

    /// Stages the movie embedded in a still; returns nil if the still has no embedded movie.
    private func embeddedMovie(
        in still: StagedFile,
        content: StagedMedium.Content,
        name: SourceName
    ) throws(LibraryError) -> EmbeddedMovie? {
        guard case .medium(let facts, let record, _) = content, !facts.format.isMovie,
            let length = facts.embeddedMovieLength
        else { return nil }
        let stager = EmbeddedMovieStager(
            session: session,
            files: files,
            probe: { name, file throws(LibraryError) in try probe(name, file) },
            draft: draft
        )
        do throws(LibraryError) {
            return try stager.stage(
                length: length,
                before: facts.embeddedMovieTail,
                of: still,
                record: record,
                stem: String(decoding: name.stem, as: UTF8.self)
            )
        } catch {
            still.discard()
            throw error
        }
    }

    /// Returns whether a photo or movie that is named like a rendered edit is complete.
    ///
    /// An incomplete file cannot become the rendered edit of the original beside it. Only photos
    /// and movies with the name of a rendered edit are checked; all others return true.
    private func isWhole(
        _ copy: StagedFile,
        content: StagedMedium.Content,
        name: SourceName
    ) throws(LibraryError) -> Bool {
        guard name.originalStemKey != nil, case .medium(let facts, _, _) = content else {
            return true
        }
        if facts.format.isMovie { return facts.movie?.isCutShort != true }
        do throws(WorkerError) {
            let answer = try prober.decodePreview(
                side: max(renditionSide, 1),
                descriptor: copy.descriptor.number
            )
            guard case .pixels(let picture, _) = answer else { return false }
            return picture.damage == nil
        } catch {
            copy.discard()
            throw Self.unavailable(error)
        }
    }

    static func unavailable(_ error: WorkerError) -> LibraryError {
        LibraryError(
            error.isShortOfDescriptors ? .tooManyOpenFiles : .workerUnavailable,
            "Files cannot be imported: \(error.message)",
            recovery: error.recovery
        )
    }

    private func probe(_ name: String, _ file: StagedFile) throws(LibraryError) -> ProbeAnswer {
        do {
            return try prober.probe(
                ProbeRequest(filename: name, renditionSide: renditionSide),
                descriptor: file.descriptor.number
            )
        } catch {
            throw Self.unavailable(error)
        }
    }

    /// An error that carries the outcome of a file that could not be staged.
    private struct Stopped: Error {
        var outcome: ImportOutcome
    }

    /// Returns the outcome for a file that could not be staged.
    ///
    /// - Throws: An error that concerns the whole import.
    private static func outcome(of failure: FileStager.Failure) throws(LibraryError)
        -> ImportOutcome
    {
        switch failure {
        case .volume(let error): throw error
        case .notRegular(let kind):
            ImportOutcome(.unsupported, reason: "It is \(kind), not a regular file.")
        case .empty: ImportOutcome(.failed, reason: "The file is empty (0 bytes).")
        case .changed:
            ImportOutcome(
                .failed,
                reason:
                    "It changed while it was being read. Import it again when no program writes to"
                    + " it.",
                obstacle: .passing
            )
        case .unreadable(let reason): ImportOutcome(.failed, reason: reason)
        }
    }

    // MARK: - Probing

    private func content(of copy: StagedFile, name: SourceName, modificationTime: Int64)
        throws(LibraryError) -> Swift.Result<StagedMedium.Content, Stopped>
    {
        if try isKnown(copy.digest) { return .success(.known) }
        switch try probe(name.text, copy) {
        case .unsupported(let reason):
            return .failure(Stopped(outcome: ImportOutcome(.unsupported, reason: reason)))
        case .failed(let reason, let isPassing):
            let obstacle: ImportOutcome.Obstacle? = isPassing ? .passing : nil
            return .failure(
                Stopped(outcome: ImportOutcome(.failed, reason: reason, obstacle: obstacle))
            )
        case .facts(let facts, let rendition):
            let record = draft.record(
                of: facts,
                filename: name.text,
                // Mounts of devices report 0 for a time that they do not know.
                fileTime: modificationTime == 0
                    ? Date() : Date(timeIntervalSince1970: Double(modificationTime) / 1e9)
            )
            return .success(
                facts.format.isSidecar
                    ? .sidecar(facts, record)
                    : .medium(facts, record, firstRendition: rendition)
            )
        }
    }

    /// Returns a source file with the path of `source`, and with the size, times and inode that the
    /// file had when it was read.
    private static func source(_ source: SourceFile, asRead status: FileStatus) -> SourceFile {
        SourceFile(
            path: source.path,
            size: status.size,
            modificationTime: status.modificationTime,
            statusChangeTime: status.statusChangeTime,
            inode: status.inode,
            device: status.device
        )
    }
}
