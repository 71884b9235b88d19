internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Takes one file in: checks it, copies and hashes it, and has the copy probed.
///
/// What is probed, hashed and stored are the same bytes: those of the copy.
struct SourceStager: Sendable {
    /// What became of a file so far.
    enum Result: Sendable {
        case staged(StagedMedium)
        case outcome(ImportOutcome)
    }

    var session: StagingSession
    var prober: any Prober
    var draft: AssetDraft
    var renditionSide: Int
    var files: FileOperations
    /// Whether a medium with these bytes is in the library.
    var isKnown: @Sendable (SHA256Digest) throws(LibraryError) -> Bool

    /// Stages a file.
    ///
    /// - Throws: What concerns the whole import: the library's volume, the worker.
    func stage(_ source: SourceFile, from descriptor: Int32) throws(LibraryError) -> Result {
        let name = SourceName(path: source.path)
        var before: FileStatus
        do { before = try files.status(of: descriptor) } catch {
            return .outcome(Self.unreadable(error))
        }
        guard before.isRegularFile else {
            return .outcome(
                ImportOutcome(.unsupported, reason: "It is \(before.kind), not a regular file.")
            )
        }
        guard before.size > 0 else {
            return .outcome(ImportOutcome(.failed, reason: "The file is empty (0 bytes)."))
        }
        var copying = try self.copy(descriptor, status: before)
        // Another name of the file came or went, or its permissions changed: its bytes may well be
        // the same. Seen when a file has several names and they are moved in one go.
        if case .failure(let stopped) = copying, let after = stopped.retouched {
            before = after
            copying = try self.copy(descriptor, status: before)
        }
        let copy: StagedFile
        switch copying {
        case .success(let file): copy = file
        case .failure(let stopped): return .outcome(stopped.outcome)
        }
        let content: StagedMedium.Content
        switch try self.content(of: copy, name: name, status: before) {
        case .success(let found): content = found
        case .failure(let outcome):
            copy.discard()
            return .outcome(outcome.outcome)
        }
        return .staged(
            StagedMedium(
                source: Self.source(source, asRead: before),
                name: name,
                file: copy,
                content: content
            )
        )
    }

    /// An outcome on the failing side of a `Swift.Result`.
    private struct Stopped: Error {
        var outcome: ImportOutcome
        /// What the file system says of the source by now, when nothing changed that bytes show in.
        var retouched: FileStatus?
        static func failed(_ reason: String) -> Stopped {
            Stopped(outcome: ImportOutcome(.failed, reason: reason))
        }
    }

    // MARK: - Copying

    private func copy(_ descriptor: Int32, status before: FileStatus) throws(LibraryError)
        -> Swift.Result<StagedFile, Stopped>
    {
        let message = "The file could not be copied into the library's staging folder."
        let target: (path: String, descriptor: Descriptor)
        let sharesVolume: Bool
        do {
            target = try session.createFile()
            sharesVolume = try files.status(of: target.descriptor.number).device == before.device
        } catch { throw error.libraryError(message) }
        do {
            let digest = try FileCopier(files: files).copy(
                from: descriptor,
                to: target.descriptor.number,
                size: before.size,
                sharesVolume: sharesVolume
            )
            let after = try files.status(of: descriptor)
            guard after.isUnchanged(since: before) else {
                try? files.remove(target.path)
                var stopped = Self.changed
                if after.isRetouched(since: before) { stopped.retouched = after }
                return .failure(stopped)
            }
            return .success(
                StagedFile(
                    path: target.path,
                    descriptor: target.descriptor,
                    size: before.size,
                    digest: digest,
                    files: files
                )
            )
        } catch {
            try? files.remove(target.path)
            switch error {
            case FileCopier.Failure.write(let cause): throw cause.libraryError(message)
            case FileCopier.Failure.read(let cause):
                return .failure(.init(outcome: Self.unreadable(cause)))
            case let cause as SystemError:
                return .failure(Stopped(outcome: Self.unreadable(cause)))
            case FileCopier.Failure.sizeChanged:
                return .failure(Self.changed)
            default:
                return .failure(.failed("Its SHA-256 could not be computed: memory ran out."))
            }
        }
    }

    private static let changed = Stopped.failed(
        "It changed while it was being read. Import it again once nothing writes to it."
    )

    private static func unreadable(_ error: SystemError) -> ImportOutcome {
        ImportOutcome(.failed, reason: "It could not be read: \(error.reason).")
    }

    // MARK: - Probing

    private func content(of copy: StagedFile, name: SourceName, status: FileStatus)
        throws(LibraryError) -> Swift.Result<StagedMedium.Content, Stopped>
    {
        if try isKnown(copy.digest) { return .success(.known) }
        let answer: ProbeAnswer
        do {
            answer = try prober.probe(
                ProbeRequest(filename: name.text, renditionSide: renditionSide),
                descriptor: copy.descriptor.number
            )
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "Files cannot be imported: \(error.message)",
                recovery: error.recovery
            )
        }
        switch answer {
        case .unsupported(let reason):
            return .failure(Stopped(outcome: ImportOutcome(.unsupported, reason: reason)))
        case .failed(let reason): return .failure(.failed(reason))
        case .facts(let facts, let rendition):
            let record = draft.record(
                of: facts,
                filename: name.text,
                fileTime: Date(timeIntervalSince1970: Double(status.modificationTime) / 1e9)
            )
            return .success(
                facts.format.isSidecar
                    ? .sidecar(facts, record)
                    : .medium(facts, record, firstRendition: rendition)
            )
        }
    }

    /// The caller's path with the times, size and inode of what was read.
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
