internal import Dispatch
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// A job that reads and commits one batch on a background thread.
///
/// The caller waits for the results of jobs in order.
final class ImportJob: Sendable {
    enum Result: Sendable {
        /// The events of the batch, one for each entry, each with the size of its file.
        ///
        /// All outcomes are committed.
        case done([(ImportEvent, bytes: Int64)])
        /// The error that left some entries without an outcome, and the events of the other
        /// entries.
        case failed(LibraryError, settled: [(ImportEvent, bytes: Int64)])
        /// The job was stopped before it began.
        case skipped
    }

    private let batch: ImportBatch
    private let service: any LibraryService
    private let session: Int64
    private let verifiesDuplicates: Bool
    private let removesSources: Bool
    private let vanished: VanishedFolders
    private let result = Mutex<Result?>(nil)
    private let finished = DispatchSemaphore(value: 0)

    init(
        _ batch: ImportBatch,
        service: any LibraryService,
        session: Int64,
        verifiesDuplicates: Bool,
        removesSources: Bool,
        vanished: VanishedFolders
    ) {
        self.batch = batch
        self.service = service
        self.session = session
        self.verifiesDuplicates = verifiesDuplicates
        self.removesSources = removesSources
        self.vanished = vanished
    }

    /// Runs the job, or skips it if it was stopped before it began.
    func run(unless isStopped: () -> Bool) {
        let outcome: Result = isStopped() ? .skipped : importBatch()
        result.withLock { $0 = outcome }
        finished.signal()
    }

    /// Waits until the job has run.
    ///
    /// Call it only once.
    func wait() -> Result {
        finished.wait()
        return result.withLock { $0 } ?? .skipped
    }

    // MARK: - Work

    /// The results so far for the entries whose files must be read.
    private struct Progress {
        /// The index in `files` of each opened file, or the opening failure, keyed by the entry's
        /// index in the batch.
        var openings: [Int: Swift.Result<Int, OpeningFailure>] = [:]
        var files: [SourceFile] = []
        var outcomes: [ImportOutcome] = []
    }

    private func importBatch() -> Result {
        var progress = Progress()
        do {
            try importEntries(&progress)
            return .done(events(progress))
        } catch {
            return .failed(error, settled: events(progress))
        }
    }

    /// Reads and commits the entries, in several parts when the limit of open files is reached.
    ///
    /// Reaching that limit never counts as the failure of a file.
    private func importEntries(_ progress: inout Progress) throws(LibraryError) {
        var rest = batch.entries.indices.filter { index in
            if case .pending = batch.entries[index] { true } else { false }
        }[...]
        var size = rest.count
        var patience = Self.patience
        while !rest.isEmpty {
            var part = Progress()
            var descriptors: [Descriptor] = []
            let count = open(rest.prefix(size), &part, &descriptors)
            do throws(LibraryError) {
                guard count > 0 else { throw Self.tooManyOpenFiles }
                part.outcomes = try acknowledge(part.files, descriptors)
            } catch {
                guard error.code == .tooManyOpenFiles, size > 1 || patience > 0 else { throw error }
                descriptors = []
                size = max(1, min(size, max(count, 1)) / 2)
                patience -= 1
                // Other batches and their files close descriptors when they finish.
                usleep(Self.pause)
                continue
            }
            let first = progress.files.count
            progress.openings.merge(part.openings.mapValues { $0.map { $0 + first } }) { $1 }
            progress.files += part.files
            progress.outcomes += part.outcomes
            rest = rest.dropFirst(count)
        }
    }

    /// The maximum number of retries while there is no free descriptor for even one file.
    private static let patience = 100
    /// The pause between two retries, in microseconds.
    private static let pause: UInt32 = 50_000

    private static let tooManyOpenFiles = LibraryError(
        .tooManyOpenFiles,
        "Files cannot be imported.",
        reason: "The process has reached its limit of open files.",
        recovery: LibraryError.moreOpenFiles
    )

    /// Opens files in order until the limit of open files is reached.
    ///
    /// - Returns: The number of entries that were opened, or failed to open for another reason.
    private func open(
        _ indices: ArraySlice<Int>,
        _ part: inout Progress,
        _ descriptors: inout [Descriptor]
    ) -> Int {
        for (count, index) in indices.enumerated() {
            guard case .pending(let candidate) = batch.entries[index] else { continue }
            if let folder = vanished.folder(around: candidate.path) {
                part.openings[index] = .failure(OpeningFailure(vanished: folder))
                continue
            }
            do {
                let (source, descriptor) = try candidate.open()
                part.openings[index] = .success(part.files.count)
                part.files.append(source)
                descriptors.append(descriptor)
            } catch {
                if error.isTooManyOpenFiles { return count }
                let folder = vanished.check(candidate.path)
                part.openings[index] = .failure(folder.map(OpeningFailure.init(vanished:)) ?? error)
            }
        }
        return indices.count
    }

    private func acknowledge(
        _ files: [SourceFile],
        _ descriptors: [Descriptor]
    ) throws(LibraryError) -> [ImportOutcome] {
        guard !files.isEmpty else { return [] }
        let request = ImportFilesRequest(
            session: session,
            files: files,
            verifiesDuplicates: verifiesDuplicates,
            areCopies: batch.isOfDevice
        )
        let outcomes = try commit(request, descriptors)
        guard outcomes.count == files.count else {
            throw LibraryError(
                .internalError,
                "The library returned \(outcomes.count) outcomes for \(files.count) files.",
                recovery: "Import again. Files that were reported before are safe."
            )
        }
        return outcomes
    }

    /// Commits the files, and retries while other processes import into the same library.
    ///
    /// Each attempt waits as long as the library's own timeout.
    private func commit(
        _ request: ImportFilesRequest,
        _ descriptors: [Descriptor]
    ) throws(LibraryError) -> [ImportOutcome] {
        var triesLeft = 4
        while true {
            do {
                return try service.importFiles(request, files: descriptors).outcomes
            } catch {
                triesLeft -= 1
                guard error.code == .busy, triesLeft > 0 else { throw error }
                for descriptor in descriptors { lseek(descriptor.number, 0, SEEK_SET) }
            }
        }
    }

    private func events(_ progress: Progress) -> [(ImportEvent, bytes: Int64)] {
        let (openings, files, outcomes) = (progress.openings, progress.files, progress.outcomes)
        return batch.entries.enumerated().compactMap { index, entry in
            switch (entry, openings[index]) {
            case (.settled(let outcome, let bytes), _):
                if outcome.kind == .failed { _ = vanished.check(outcome.path) }
                return (.outcome(outcome), bytes)
            case (.notEntered(let path, let reason), _):
                return (.notEntered(path, reason: reason), 0)
            case (.pending(let candidate), .success(let place)):
                var outcome = FileOutcome(path: candidate.path, outcomes[place])
                if outcome.kind == .failed { _ = vanished.check(candidate.path) }
                if removesSources, outcomes[place].isSafeToRemove {
                    SourceRemoval.remove(candidate, files[place], &outcome)
                }
                return (.outcome(outcome), files[place].size)
            case (.pending(let candidate), .failure(let failure)):
                let kind: FileOutcome.Kind = failure.isUnsupported ? .unsupported : .failed
                let outcome = FileOutcome(path: candidate.path, kind: kind, reason: failure.reason)
                return (.outcome(outcome), 0)
            case (.pending, nil): return nil
            }
        }
    }
}
