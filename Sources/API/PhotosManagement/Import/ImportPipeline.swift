internal import LibraryService
internal import PhotoModel

/// Reads and commits batches concurrently with the search for files, and reports outcomes in order.
///
///     walk ─▶ known? ─▶ [ batch | batch | batch | batch ] ─▶ handler
///                          └ two run at once ┘
struct ImportPipeline {
    private var source: ImportBatchSource
    private let limits: ImportLimits
    private let service: any LibraryService
    private let session: Int64
    private let verifiesDuplicates: Bool
    private let removesSources: Bool
    private let control: OperationControl
    private let counter: ImportCounter?
    private let vanished: VanishedFolders
    /// The control that stops all jobs that have not begun, once one job has failed.
    private let failure = OperationControl()

    /// The jobs that are running or waiting, in the order in which their results are reported.
    private var jobs: [ImportJob] = []
    private var summary = ImportSummary()
    private var progress = ImportProgress()

    init(
        source: ImportBatchSource,
        limits: ImportLimits,
        service: any LibraryService,
        session: Int64,
        verifiesDuplicates: Bool,
        removesSources: Bool,
        control: OperationControl,
        counter: ImportCounter?,
        vanished: VanishedFolders
    ) {
        self.source = source
        self.limits = limits
        self.service = service
        self.session = session
        self.verifiesDuplicates = verifiesDuplicates
        self.removesSources = removesSources
        self.control = control
        self.counter = counter
        self.vanished = vanished
    }

    mutating func run(
        progress report: (ImportProgress) throws -> Void,
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        defer { source.end() }
        let queue = WorkQueue(label: "photos.import", width: limits.runningBatches)
        var firstError: (any Error)?
        var isOver = false
        func record(_ error: any Error) {
            if firstError == nil { firstError = error }
            failure.stop()
        }
        while true {
            while !isOver, firstError == nil, !control.isStopped, jobs.count < limits.batches {
                do {
                    guard let job = try nextJob() else {
                        isOver = true
                        continue
                    }
                    jobs.append(job)
                    let (control, failure) = (control, failure)
                    queue.add { job.run { control.isStopped || failure.isStopped } }
                } catch {
                    // Running batches close their descriptors when they end.
                    if error.code == .tooManyOpenFiles, !jobs.isEmpty { break }
                    record(error)
                }
            }
            guard !jobs.isEmpty else { break }
            switch jobs.removeFirst().wait() {
            case .done(let events):
                do {
                    try deliver(events, report, handler)
                } catch {
                    record(error)
                }
            case .failed(let error, let settled):
                record(error)
                // Later batches may already be committed and are reported even if this one failed.
                try? deliver(settled, report, handler)
            case .skipped: summary.wasStopped = control.isStopped
            }
        }
        if let firstError {
            guard let error = firstError as? LibraryError else { throw firstError }
            return try edge { () throws(LibraryError) in throw error }
        }
        if !isOver { summary.wasStopped = true }
        summary.vanishedFolders = vanished.all()
        return summary
    }

    private mutating func nextJob() throws(LibraryError) -> ImportJob? {
        guard let batch = try source.next() else { return nil }
        summary.foundFiles += batch.fileCount
        return ImportJob(
            batch,
            service: service,
            session: session,
            verifiesDuplicates: verifiesDuplicates,
            removesSources: removesSources,
            vanished: vanished
        )
    }

    private mutating func deliver(
        _ events: [(ImportEvent, bytes: Int64)],
        _ report: (ImportProgress) throws -> Void,
        _ handler: (ImportEvent) throws -> Void
    ) throws {
        for (event, bytes) in events {
            if case .outcome(let outcome) = event {
                summary.counts[outcome.kind, default: 0] += 1
                summary.bytes = summary.bytes.addingSaturated(bytes)
                progress.files += 1
                progress.bytes = progress.bytes.addingSaturated(bytes)
            }
            try handler(event)
        }
        counter?.complete(&progress)
        try report(progress)
    }
}
