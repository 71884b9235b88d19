internal import Dispatch
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Reads and commits one batch on a thread of its own; the caller waits for it in its turn.
final class ImportJob: Sendable {
    enum Result: Sendable {
        /// An event for each entry of the batch, with the size of the file.
        case done([(ImportEvent, bytes: Int64)])
        /// Nothing was committed. What was settled beforehand is told all the same.
        case failed(LibraryError, settled: [(ImportEvent, bytes: Int64)])
        /// Stopped before it began.
        case skipped
    }

    private let batch: ImportBatch
    private let service: any LibraryService
    private let session: Int64
    private let removesSources: Bool
    private let result = Mutex<Result?>(nil)
    private let finished = DispatchSemaphore(value: 0)

    init(
        _ batch: ImportBatch,
        service: any LibraryService,
        session: Int64,
        removesSources: Bool
    ) {
        self.batch = batch
        self.service = service
        self.session = session
        self.removesSources = removesSources
    }

    /// Does the work, unless it is not wanted any more.
    func run(unless isStopped: () -> Bool) {
        let outcome: Result = isStopped() ? .skipped : importBatch()
        result.withLock { $0 = outcome }
        finished.signal()
    }

    /// Waits until it ran.
    ///
    /// To be called once.
    func wait() -> Result {
        finished.wait()
        return result.withLock { $0 } ?? .skipped
    }

    // MARK: - Work

    private func importBatch() -> Result {
        var files: [SourceFile] = []
        var descriptors: [Descriptor] = []
        /// Per entry: its place in the request, or why it could not be opened.
        var openings: [Int: Swift.Result<Int, OpeningFailure>] = [:]
        for (index, entry) in batch.entries.enumerated() {
            guard case .pending(let candidate) = entry else { continue }
            do {
                let (source, descriptor) = try candidate.open()
                openings[index] = .success(files.count)
                files.append(source)
                descriptors.append(descriptor)
            } catch {
                openings[index] = .failure(error)
            }
        }
        do {
            let outcomes = try acknowledge(files, descriptors)
            return .done(events(openings, files, outcomes))
        } catch {
            return .failed(error, settled: events([:], [], []))
        }
    }

    private func acknowledge(
        _ files: [SourceFile],
        _ descriptors: [Descriptor]
    ) throws(LibraryError) -> [ImportOutcome] {
        guard !files.isEmpty else { return [] }
        let request = ImportFilesRequest(
            session: session,
            files: files,
            verifiesTwins: removesSources
        )
        let outcomes = try commit(request, descriptors)
        guard outcomes.count == files.count else {
            throw LibraryError(
                .internalError,
                "The library answered \(outcomes.count) outcomes for \(files.count) files.",
                recovery: "Start again; what was acknowledged before is safe."
            )
        }
        return outcomes
    }

    /// Commits, and tries again while other processes import into the same library: each try waits
    /// for its turn as long as the library thinks fit.
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

    private func events(
        _ openings: [Int: Swift.Result<Int, OpeningFailure>],
        _ files: [SourceFile],
        _ outcomes: [ImportOutcome]
    ) -> [(ImportEvent, bytes: Int64)] {
        batch.entries.enumerated().compactMap { index, entry in
            switch (entry, openings[index]) {
            case (.settled(let outcome, let bytes), _): return (.outcome(outcome), bytes)
            case (.notEntered(let path, let reason), _):
                return (.notEntered(path, reason: reason), 0)
            case (.pending(let candidate), .success(let place)):
                var outcome = FileOutcome(path: candidate.path, outcomes[place])
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
