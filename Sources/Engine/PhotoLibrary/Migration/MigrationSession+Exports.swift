internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Imports an exported library.
extension MigrationSession {
    /// Decides what the import does with an exported asset.
    func decide(_ asset: ForeignAsset) throws(LibraryError) -> ExportDecision.Outcome {
        guard let stated = asset.exact, let exact = ExportRecord.valid(stated),
            exact.uuid == asset.item
        else {
            let line = MigrationLine(
                kind: source.kind,
                item: asset.item,
                path: nil,
                outcome: .failed,
                reason: "Its line in library.jsonl cannot be used."
            )
            return .lines([line])
        }
        do {
            return try store.read { database in
                try ExportDecision(
                    database: database,
                    listing: source.plan.listing,
                    library: source.counts.identifier,
                    version: source.counts.version
                ).decide(asset, exact)
            }
        } catch { throw LibraryError(error, library: store.bundle.root) }
    }

    /// Returns the report line for a part of the export that cannot be read.
    func line(_ problem: ForeignProblem) -> MigrationLine {
        MigrationLine(
            kind: source.kind,
            item: problem.item,
            path: ExportSource.manifest,
            outcome: .failed,
            reason: problem.reason,
            isLeading: problem.isAsset
        )
    }

    /// Returns the lines that a dry run reports for a step.
    static func planned(_ step: ExportStep) -> [MigrationLine] {
        func line(_ path: String?, _ outcome: MigrationLine.Outcome) -> MigrationLine {
            MigrationLine(
                kind: .photosExport,
                item: step.asset.item,
                path: path,
                outcome: outcome
            )
        }
        var files = step.files
        var leading = line(nil, .duplicate)
        if step.isNew {
            leading = line(files.first?.entry.path, .imported)
            if let problem = files.first.flatMap(ExportStager.sizeProblem) {
                leading.outcome = .failed
                leading.reason = problem
                leading.notes = step.notes
                return [leading]
            }
            files = Array(files.dropFirst())
        } else {
            leading.reason = step.changes ? ExportStep.changed : step.remark
        }
        leading.notes = step.notes
        // An edit of which a file is not taken is not taken at all.
        var isEditWhole = true
        var others: [MigrationLine] = []
        for file in files {
            let isOfEdit = file.stated?.isOfEdit == true
            if isOfEdit, !isEditWhole { continue }
            var other = line(file.entry.path, .paired)
            other.isLeading = false
            if let problem = ExportStager.sizeProblem(file) {
                other.outcome = .failed
                other.reason = problem
                if isOfEdit { isEditWhole = false }
            }
            others.append(other)
        }
        return [leading] + others + step.lines
    }

    /// Stages and commits a batch of exported assets.
    func commit(_ steps: [ExportStep]) throws(LibraryError) -> [MigrationLine] {
        guard let staging else { return [] }
        let stager = ExportStager(
            session: staging,
            prober: prober,
            configuration: configuration,
            source: source.files
        )
        let results = try Parallel.map(count: steps.count, width: configuration.workerCount) {
            position throws(LibraryError) in
            try stager.stage(steps[position])
        } discarding: { result in
            if case .staged(let staged) = result { staged.discard() }
        }
        var staged: [StagedExport] = []
        var lines: [MigrationLine] = []
        for result in results {
            switch result {
            case .staged(let one): staged.append(one)
            case .lines(let found): lines += found
            }
        }
        // Placed files have left the staging folder; this removes the others.
        defer { for one in staged { one.discard() } }
        guard !staged.isEmpty else { return lines }
        try configuration.files.makeDurable(staged.flatMap(\.files).map(\.staged))
        let commit: ExportCommit
        do {
            commit = try store.write(author: author, batch: batchIdentifier) { transaction in
                var commit = try ExportCommit(
                    transaction: transaction,
                    decision: ExportDecision(
                        database: transaction.database,
                        listing: source.plan.listing,
                        library: source.counts.identifier,
                        version: source.counts.version
                    ),
                    source: source.items,
                    root: store.bundle.root
                )
                for one in staged { try commit.add(one) }
                try commit.finish()
                try FilePlacement.place(
                    commit.moves,
                    root: store.bundle.root,
                    session: staging,
                    in: transaction
                )
                return commit
            }
        } catch { throw LibraryError(error, library: store.bundle.root) }
        renditions?.store(commit.renditions)
        for move in commit.moves {
            totals.verified += 1
            totals.files += 1
            totals.bytes += move.file.size
        }
        return lines + commit.lines
    }

    /// Reads the collections of an export with their members, and writes them.
    func readExportedCollections() throws(LibraryError) -> [MigrationLine] {
        var lines: [MigrationLine] = []
        var members: [String: [String]] = [:]
        while let record = try nextRecord() {
            switch record {
            case .counts, .asset: continue
            case .broken(let problem): lines.append(line(problem))
            case .collection(let collection): take(collection)
            case .members(let part): members[part.collection, default: []] += part.assets
            }
        }
        try addExported(collections, members)
        return lines
    }

    /// Creates and updates all albums and folders in one transaction.
    private func addExported(
        _ collections: [ForeignCollection],
        _ members: [String: [String]]
    ) throws(LibraryError) {
        for collection in collections {
            totals.notes += collection.notes.map { MigrationNote($0.code, .note, $0.text) }
        }
        guard !collections.isEmpty else { return }
        let (library, version) = (source.counts.identifier, source.counts.version)
        do {
            guard !source.plan.options.isDryRun else {
                return try store.read { database in
                    let items = MigratedItems(database: database, kind: .photosExport)
                    for collection in collections {
                        if try items.isKnown(collection) { continue }
                        if collection.kind == .folder {
                            totals.folders += 1
                        } else {
                            totals.albums += 1
                        }
                    }
                }
            }
            let done = try store.write(author: author, batch: batchIdentifier) { transaction in
                var work = try ExportCollections(
                    transaction: transaction,
                    library: library,
                    version: version
                )
                try work.add(collections, members)
                return work
            }
            totals.albums += done.albums
            totals.folders += done.folders
            totals.notes += done.notes
        } catch { throw LibraryError(error, library: store.bundle.root) }
    }
}
