internal import Foundation
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import WorkerProtocol

/// A migration in progress: it reads records, stages files and commits batches, one step per call.
///
///     counts ──▶ assets (a batch per step) ──▶ collections (a group per step)
///            ──▶ orphans, sum ──▶ over
///
/// 1. The source is only read.
/// 2. A batch's rows, its `migratedItem` rows among them, are one transaction, so a kill costs at
///    most two batches, one that is staged and one whose commit runs, and the next run continues
///    after the last committed one. Only committed items have lines.
/// 3. Every asset has exactly one leading line, and the totals add up, or the run fails.
///
/// Used by one thread at a time.
final class MigrationSession {
    /// The parts of a migration that depend on its source.
    struct Source {
        var kind: MigrationSourceKind
        var counts: ForeignCounts
        var files: any SourceFiles
        var volumes: [String: any SourceFiles]
        var plan: MigrationPlan
        /// The folders whose files are reported if no asset references them.
        var foldersOfOriginals: [String]
        /// The notes about the source as a whole.
        var notes: [MigrationNote]
        /// The source identifiers of all assets in an export; empty for other sources.
        var items: Set<String> = []
    }

    /// The maximum number of assets in a batch; `batchBytes` limits the size of their files.
    private static let batchSize = 200
    private static let batchBytes: Int64 = 512 << 20

    enum Phase {
        case assets, collections
        /// Albums and folders are written, and the next one has this index in `collections`.
        case albums(Int)
        case over
    }

    let store: LibraryStore
    let prober: any MediaProber
    let configuration: ImportConfiguration
    let renditions: (any FirstRenditionSink)?
    private let reader: any ForeignReader
    let staging: StagingSession?
    let source: Source
    let author: String
    let batchIdentifier = UUID().uuidString

    var phase = Phase.assets
    /// The records that were read but not yet processed, in reverse order of processing.
    var pending: [ForeignRecord] = []
    private var isLast = false
    var totals = MigrationTotals()
    /// The number of report lines about files that could not be imported, excluding each asset's
    /// leading line.
    private var incomplete = 0
    /// Indicates, for each position in the listing, whether an asset references the file.
    private var named: [Bool]
    private let joined = JoinedAssets()
    /// The items of this step that are hidden at the source.
    private var hiddenItems: Set<String> = []
    /// The staged batch, which is committed while the next one is staged.
    private var waiting: MigrationBatch?
    /// The error that ends the next step.
    private var failure: LibraryError?
    /// The collections to write; the source delivers their members in the same order.
    var collections: [ForeignCollection] = []
    /// The source identifiers of collections that are not written yet.
    var awaited: Set<String> = []
    /// The source identifiers of assets that a dry run would not import.
    ///
    /// Notes about albums count these assets as missing.
    private(set) var leftOut: Set<String> = []

    init(
        store: LibraryStore,
        prober: any MediaProber,
        configuration: ImportConfiguration,
        renditions: (any FirstRenditionSink)?,
        reader: any ForeignReader,
        staging: StagingSession?,
        source: Source,
        author: String
    ) {
        self.store = store
        self.prober = prober
        self.configuration = configuration
        self.renditions = renditions
        self.reader = reader
        self.staging = staging
        self.source = source
        self.author = author
        named = Array(repeating: false, count: source.plan.listing.count)
        totals.assets = source.counts.assets
        totals.notes = source.notes
        for (kind, count) in source.counts.collections
        where ["importSession", "smartAlbum", "deleted"].contains(kind) {
            totals.collectionsSkipped[kind] = count
        }
    }

    /// Performs the next step.
    func step() throws(LibraryError) -> MigrationStepReply {
        if let failure { throw failure }
        var lines: [MigrationLine] = []
        hiddenItems = []
        switch phase {
        case .assets: lines = try migrateAssets()
        case .collections: lines = try readCollections()
        case .albums(let index): lines = try addCollections(from: index)
        case .over: break
        }
        lines.markHidden(hiddenItems)
        count(lines)
        let isOver = if case .over = phase { true } else { false }
        if isOver {
            let unnamed = orphans()
            count(unnamed)
            lines += unnamed
            if !totals.addsUp {
                totals.notes.append(
                    MigrationNote(
                        "sumMismatch",
                        .error,
                        "The library states \(totals.assets) photos, but another number has an"
                            + " outcome. Nothing was lost; import it again and report this."
                    )
                )
            }
        }
        if isOver, incomplete > 0 {
            let note = MigrationNote(
                "filesNotTaken",
                .error,
                "\(incomplete) files or lines could not be taken; the next import tries again."
            )
            totals.notes.append(note)
            incomplete = 0
        }
        return MigrationStepReply(lines: lines, totals: totals, isOver: isOver)
    }

    func end() {
        waiting?.discard()
        waiting = nil
        staging?.end()
    }

    // MARK: - Records

    func nextRecord() throws(LibraryError) -> ForeignRecord? {
        while pending.isEmpty, !isLast {
            let batch = try reader.next()
            pending = batch.records.reversed()
            isLast = batch.isLast
        }
        return pending.popLast()
    }

    // MARK: - Assets

    private func migrateAssets() throws(LibraryError) -> [MigrationLine] {
        var batch: [(asset: ForeignAsset, step: MigrationPlan.Step)] = []
        var known: [KnownMigration] = []
        var lines: [MigrationLine] = []
        var steps: [ExportStep] = []
        var bytes: Int64 = 0
        var count = 0
        // Staged files hold descriptors until the batch is committed.
        var files = 0
        let fileLimit = DescriptorLimit.filesPerBatch
        reading: while count < Self.batchSize, bytes < Self.batchBytes, files < fileLimit {
            guard let record = try nextRecord() else {
                phase = .collections
                break
            }
            switch record {
            case .counts: continue
            case .broken(let problem): lines.append(line(problem))
            case .asset(let asset) where source.kind == .photosExport:
                count += 1
                remember(asset)
                switch try decide(asset) {
                case .lines(let found): lines += found
                case .step(let step):
                    steps.append(step)
                    files += step.files.count
                    bytes = step.files.reduce(bytes) { $0.addingSaturated($1.entry.size) }
                }
            case .collection, .members:
                pending.append(record)
                phase = .collections
                break reading
            case .asset(let asset):
                count += 1
                let step = source.plan.step(for: asset)
                remember(asset)
                // Shared assets that the options leave out.
                guard !step.lines.contains(where: { $0.outcome == .skipped }) else {
                    lines += step.lines
                    continue
                }
                switch try decide(asset, step) {
                case .lines(let found): lines += found
                case .known(let work):
                    known.append(work)
                    files += work.files.count
                    bytes = work.files.reduce(bytes) { $0.addingSaturated($1.entry.size) }
                case .new:
                    guard case .take(let taken) = step.decision else {
                        lines += step.lines
                        continue
                    }
                    if source.plan.options.isDryRun {
                        lines += Self.planned(asset, step, taken, source.kind)
                    } else {
                        batch.append((asset, step))
                        files += taken.count
                        bytes = taken.reduce(bytes) { $0.addingSaturated($1.entry.size) }
                    }
                }
            }
        }
        if source.plan.options.isDryRun {
            lines += known.flatMap { Self.planned($0, source.kind) }
            lines += steps.flatMap(Self.planned)
        } else if !steps.isEmpty {
            lines += try commit(steps)
        } else if !batch.isEmpty || !known.isEmpty {
            lines += try stage(batch, known)
        }
        return lines
    }

    /// Marks the files that an asset references, so that they are not reported as orphans.
    private func remember(_ asset: ForeignAsset) {
        if asset.isHidden { hiddenItems.insert(asset.item) }
        for resource in asset.resources where resource.volume == nil && resource.role != .proxy {
            for location in resource.locations {
                for position in source.plan.listing.positions(at: location) {
                    named[position] = true
                }
            }
        }
        for path in asset.descriptions {
            if let position = source.plan.listing.position(of: path) { named[position] = true }
        }
    }

    private func decide(_ asset: ForeignAsset, _ step: MigrationPlan.Step) throws(LibraryError)
        -> MigrationDecision.Outcome
    {
        do {
            return try store.read { database in
                try MigrationDecision(
                    database: database,
                    kind: source.kind,
                    counts: source.counts
                ).decide(asset, step)
            }
        } catch { throw LibraryError(error, library: store.bundle.root) }
    }

    /// Returns the lines that a dry run reports for an asset to import.
    private static func planned(
        _ asset: ForeignAsset,
        _ step: MigrationPlan.Step,
        _ files: [MigrationPlan.File],
        _ kind: MigrationSourceKind
    ) -> [MigrationLine] {
        let isProxy = files.first?.role == .proxy
        return files.enumerated().map { index, file in
            MigrationLine(
                kind: kind,
                item: asset.item,
                path: file.entry.path,
                volume: file.volume,
                outcome: index == 0 ? .imported : .paired,
                notes: index == 0 ? step.notes : [],
                isLeading: index == 0 && !isProxy
            )
        } + step.lines
    }

    /// Returns the lines that a dry run reports for an asset that was imported before.
    private static func planned(_ known: KnownMigration, _ kind: MigrationSourceKind)
        -> [MigrationLine]
    {
        func line(_ file: MigrationPlan.File?, _ outcome: MigrationLine.Outcome) -> MigrationLine {
            MigrationLine(
                kind: kind,
                item: known.asset.item,
                path: file?.entry.path,
                volume: file?.volume,
                outcome: outcome,
                localIdentifier: known.localIdentifier
            )
        }
        var lines = known.step.lines
        // The original of a revert is only read.
        var files = known.files
        if known.revertsEdit { files.removeAll { $0.role == .original } }
        if known.isOlder, files.isEmpty, !lines.contains(where: \.isLeading) {
            var leading = line(nil, .duplicate)
            leading.reason = MigrationDecision.older
            return [leading] + lines
        }
        if let original = files.first(where: { $0.role == .original }) {
            var leading = line(original, .imported)
            leading.notes = known.step.notes
            lines.insert(leading, at: 0)
        } else if !lines.contains(where: \.isLeading) {
            var leading = line(nil, .duplicate)
            leading.reason = "It changed at the source."
            leading.notes = known.step.notes
            lines.insert(leading, at: 0)
        }
        for file in files where file.role != .original {
            var paired = line(file, .paired)
            paired.isLeading = false
            lines.append(paired)
        }
        return lines
    }

    // MARK: - Batches

    /// Stages a batch while the preceding one is committed.
    ///
    /// Returns the lines of the committed batch, and those of assets that cannot be staged.
    private func stage(
        _ batch: [(asset: ForeignAsset, step: MigrationPlan.Step)],
        _ known: [KnownMigration]
    ) throws(LibraryError) -> [MigrationLine] {
        guard let staging else { return [] }
        let stager = MigrationStager(
            session: staging,
            prober: prober,
            configuration: configuration,
            source: source.files,
            volumes: source.volumes,
            kind: source.kind
        )
        let work = beginCommit()
        let results: [MigrationStager.Result]
        do throws(LibraryError) {
            results = try Parallel.map(
                count: batch.count + known.count,
                width: configuration.workerCount
            ) { position throws(LibraryError) in
                guard position < batch.count else {
                    return .staged(try stager.stage(known[position - batch.count]))
                }
                return try stager.stage(batch[position].asset, batch[position].step)
            } discarding: { result in
                if case .staged(let staged) = result { staged.discard() }
            }
        } catch {
            // What was committed meanwhile is reported, and the failure ends the next step.
            failure = error
            return try finish(work)
        }
        var staged: [StagedMigration] = []
        var lines: [MigrationLine] = []
        for result in results {
            switch result {
            case .staged(let one): staged.append(one)
            case .line(let line): lines.append(line)
            }
        }
        guard !staged.isEmpty else { return try finish(work) + lines }
        waiting = MigrationBatch(
            store: store,
            configuration: configuration,
            renditions: renditions,
            staging: staging,
            kind: source.kind,
            counts: source.counts,
            joined: joined,
            author: author,
            batchIdentifier: batchIdentifier,
            staged: staged
        )
        return try finish(work) + lines
    }

    typealias Commit = Parallel.Work<MigrationBatch.Outcome, LibraryError>

    /// Begins the commit of the waiting batch on another thread; returns nil if no batch waits.
    func beginCommit() -> Commit? {
        guard let batch = waiting else { return nil }
        waiting = nil
        return Commit { () throws(LibraryError) in try batch.commit() }
    }

    /// Waits for a commit to finish, and returns its report lines.
    func finish(_ work: Commit?) throws(LibraryError) -> [MigrationLine] {
        guard let outcome = try work?.wait() else { return [] }
        for check in outcome.checks {
            switch check {
            case .equal: totals.verified += 1
            case .notVerifiable: totals.notVerifiable += 1
            case .changed, .damaged: break
            }
        }
        totals.files += outcome.files
        totals.bytes += outcome.bytes
        return outcome.lines
    }

    // MARK: - Sum

    private func orphans() -> [MigrationLine] {
        let lines = source.plan.orphans(besides: named, below: source.foldersOfOriginals)
        totals.orphanFiles += lines.count
        return lines
    }

    private func count(_ lines: [MigrationLine]) {
        // What is missing beside an asset's leading file counts in no number of the sum.
        for line in lines where !line.isLeading {
            guard [.missing, .failed, .unsupported].contains(line.outcome) else { continue }
            incomplete += 1
        }
        for line in lines where line.isLeading {
            if source.plan.options.isDryRun, let item = line.item,
                [.missing, .failed, .unsupported, .skipped].contains(line.outcome)
            {
                leftOut.insert(item)
            }
            switch line.outcome {
            case .imported where line.notes.contains { $0.code == "damaged" }: totals.damaged += 1
            case .imported: totals.imported += 1
            case .duplicate where line.notes.contains { $0.code == "damaged" }:
                totals.damaged += 1
            case .duplicate: totals.alreadyThere += 1
            case .missing: totals.missing += 1
            case .skipped: totals.sharedSkipped += 1
            case .unsupported: totals.unsupported += 1
            case .failed: totals.failed += 1
            case .paired: break
            }
        }
    }
}
