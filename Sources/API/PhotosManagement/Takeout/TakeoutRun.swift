internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Imports all Google Takeout exports among the paths of an import, in one session.
struct TakeoutRun {
    private let service: any LibraryService
    private let session: Int64
    private let control: OperationControl
    private var sources: [TakeoutRecognizer.Source] = []
    /// The outcomes of sources that could not be opened.
    private var failures: [FileOutcome] = []

    private(set) var summary = ImportSummary()
    private(set) var progress = ImportProgress()

    init(
        service: any LibraryService,
        session: Int64,
        control: OperationControl,
        progress: ImportProgress
    ) {
        self.service = service
        self.session = session
        self.control = control
        self.progress = progress
    }

    /// Imports the sources until every file has an outcome or the import is stopped.
    ///
    /// - Returns: The folders that turned out to be no exports, which must be imported as folders.
    mutating func run(
        _ found: [TakeoutRecognizer.Source],
        progress report: (ImportProgress) throws -> Void,
        handler: (ImportEvent) throws -> Void
    ) throws -> [SourcePath] {
        var descriptors = open(found)
        summary.foundFiles += failures.count
        for failure in failures { try deliver(failure, bytes: 0, handler) }
        guard !sources.isEmpty else { return [] }
        var opened = try readDescriptions(descriptors)
        let isExport = zip(sources, opened.descriptions).map { $0.isCertain || $1 > 0 }
        let folders = zip(sources, isExport).filter { !$1 }.map(\.0.path)
        if !folders.isEmpty {
            sources = zip(sources, isExport).filter(\.1).map(\.0)
            descriptors = zip(descriptors, isExport).filter(\.1).map(\.0)
            guard !sources.isEmpty else { return folders }
            opened = try readDescriptions(descriptors)
        }
        progress.totalFiles += opened.items
        progress.totalBytes = progress.totalBytes.addingSaturated(opened.bytes)
        progress.isTotalKnown = true
        var isOver = false
        while !isOver {
            if control.isStopped {
                summary.wasStopped = true
                return []
            }
            let reply = try step()
            summary.foundFiles += reply.lines.count
            for line in reply.lines {
                try deliver(outcome(of: line), bytes: line.size, handler)
            }
            isOver = reply.isOver
            // This outcome is of no file, so that the summary does not add up either.
            if isOver, !reply.totals.addsUp {
                try deliver(sumFailure(reply.totals), bytes: 0, handler)
            }
            try report(progress)
        }
        return folders
    }

    private func readDescriptions(_ descriptors: [Descriptor]) throws -> TakeoutOpenReply {
        let request = TakeoutOpenRequest(
            session: session,
            sources: sources.map { TakeoutSource(path: $0.path.bytes, isArchive: $0.isArchive) }
        )
        let service = service
        return try edge { () throws(LibraryError) in
            try service.openTakeout(request, files: descriptors)
        }
    }

    /// Imports the next group of files, with retries while another process imports into the same
    /// library.
    private func step() throws -> TakeoutStepReply {
        let request = TakeoutStepRequest(session: session)
        var triesLeft = 4
        while true {
            do throws(LibraryError) { return try service.stepTakeout(request) } catch {
                triesLeft -= 1
                guard error.code == .busy, triesLeft > 0 else {
                    return try edge { () throws(LibraryError) in throw error }
                }
            }
        }
    }

    private mutating func open(_ found: [TakeoutRecognizer.Source]) -> [Descriptor] {
        var descriptors: [Descriptor] = []
        for source in found {
            let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
            let kind = source.isArchive ? 0 : O_DIRECTORY
            let number = source.path.withCString { Glibc.open($0, flags | kind) }
            guard number >= 0 else {
                let reason = OpeningFailure(errno).reason
                failures.append(FileOutcome(path: source.path, kind: .failed, reason: reason))
                continue
            }
            sources.append(source)
            descriptors.append(Descriptor(owning: number))
        }
        return descriptors
    }

    // MARK: - Outcomes

    private mutating func deliver(
        _ outcome: FileOutcome,
        bytes: Int64,
        _ handler: (ImportEvent) throws -> Void
    ) throws {
        summary.counts[outcome.kind, default: 0] += 1
        summary.bytes = summary.bytes.addingSaturated(bytes)
        progress.files += 1
        progress.bytes = progress.bytes.addingSaturated(bytes)
        try handler(.outcome(outcome))
    }

    private func outcome(of line: TakeoutLine) -> FileOutcome {
        let source = sources[line.source]
        var path = source.path
        if !source.isArchive, let below = line.line.path, !below.isEmpty {
            path = path.appending(Array(below.utf8))
        }
        let kind: FileOutcome.Kind =
            switch line.line.outcome {
            case .imported: .imported
            case .paired: .paired
            case .duplicate: .duplicate
            case .missing: .missing
            case .skipped, .unsupported: .unsupported
            case .failed: .failed
            }
        return FileOutcome(
            path: path,
            kind: kind,
            localIdentifier: line.line.localIdentifier,
            reason: line.line.reason,
            source: FileOutcome.Source(
                kind: .takeout,
                item: source.isArchive ? line.line.path : line.line.item
            ),
            notes: line.line.notes.map(FileOutcome.Note.init)
        )
    }

    private func sumFailure(_ totals: MigrationTotals) -> FileOutcome {
        FileOutcome(
            path: sources[0].path,
            kind: .failed,
            reason: "Not every photo of the export is accounted for: of \(totals.assets),"
                + " \(totals.imported) were imported, \(totals.alreadyThere) were already there,"
                + " \(totals.missing) are missing, \(totals.unsupported) are not supported and"
                + " \(totals.failed) failed. This is a bug; please report it."
        )
    }
}
