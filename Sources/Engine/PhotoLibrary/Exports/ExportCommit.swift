internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Writes the rows of one batch of exported assets, inside one write transaction.
///
/// 1. Decisions are made again here, since other processes may have changed the library meanwhile.
/// 2. A `migratedItem` row has the values that were taken, and is written with them.
/// 3. Two photos of one export with the same content stay two; content that the library has from
///    elsewhere is a duplicate, which gets what it lacks. See `ExportCommit+Elsewhere.swift`.
///
/// Files are not touched: `moves` lists the files to place before the commit.
struct ExportCommit {
    let transaction: LibraryTransaction
    let decision: ExportDecision
    /// The identifiers of all assets in the export.
    let source: Set<String>
    /// The path of the library's folder.
    private let root: String
    private let items: MigratedItems
    private let sourceID: Int64

    private(set) var lines: [MigrationLine] = []
    private(set) var moves: [FilePlacement.Move] = []
    private(set) var renditions: [BatchCommit.Rendition] = []
    /// The bursts to which frames were added or whose picks changed.
    private var bursts: Set<String> = []
    private var paths: Set<String> = []

    init(
        transaction: LibraryTransaction,
        decision: ExportDecision,
        source: Set<String>,
        root: String
    ) throws {
        self.transaction = transaction
        self.root = root
        self.decision = decision
        self.source = source
        items = MigratedItems(database: transaction.database, kind: .photosExport)
        sourceID = try items.source(identifier: decision.library, now: transaction.now)
    }

    /// Adds or updates an asset.
    mutating func add(_ staged: StagedExport) throws {
        switch try decision.decide(staged.step.asset, staged.step.exact) {
        case .lines(let found): lines += found
        case .step(let step) where step.isNew && staged.step.isNew: try insert(staged)
        case .step(let step) where !step.isNew && !staged.step.isNew: try update(staged, step)
        case .step:
            // The library changed meanwhile in a way that needs other files.
            lines.append(
                line(
                    staged,
                    path: nil,
                    .failed,
                    "It was changed by another program meanwhile. Import the export again."
                )
            )
        }
    }

    // MARK: - New assets

    private mutating func insert(_ staged: StagedExport) throws {
        guard let original = staged.files.first, let found = original.record else { return }
        if original.stated.type != .photoProxy,
            let duplicate = try PartnerQueries(database: transaction.database)
                .duplicate(of: original.staged.digest),
            let resource = try transaction.resource(id: duplicate.resourceID),
            let asset = try transaction.asset(id: resource.assetID),
            !source.contains(asset.uuid)
        {
            return try join(staged, to: asset, having: resource, isTrashed: duplicate.isTrashed)
        }
        var record = made(staged, original: found, present: [])
        record.uuid = staged.step.asset.item
        record.id = try transaction.insertAsset(record)
        var facts = staged.step.facts
        facts.files = []
        facts.edit = nil
        for file in staged.files { try add(file, of: staged, to: record, &facts) }
        try remember(staged, record.uuid, facts, importedDate: nil)
        if let burst = record.burstIdentifier { bursts.insert(burst) }
        let shown = staged.files.first { $0.planned.role == .render } ?? original
        try keep(shown, of: record)
        report(staged, record, .imported, nil)
    }

    // MARK: - Known assets

    private mutating func update(_ staged: StagedExport, _ step: ExportStep) throws {
        guard let row = try items.row(staged.step.asset.item), let last = row.facts.export,
            let old = try transaction.asset(uuid: row.objectUUID)
        else { return }
        let takesEdit = staged.step.takesEdit && step.takesEdit
        let revertsEdit = staged.step.revertsEdit && step.revertsEdit
        var facts = last
        var record = old
        _ = facts.merge(
            staged.step.facts,
            from: staged.step.exact,
            into: &record,
            at: transaction.now
        )
        guard old.uuid == staged.step.asset.item else {
            if record != old, let burst = record.burstIdentifier { bursts.insert(burst) }
            let isSame = record == old && staged.files.isEmpty
            return try completeElsewhere(
                staged,
                old,
                record,
                facts,
                row,
                reason: isSame ? step.remark : ExportStep.changed
            )
        }
        let wanted = Set(step.files.map(\.entry.path))
        let files = staged.files.filter {
            wanted.contains($0.planned.entry.path) && (!$0.stated.isOfEdit || takesEdit)
        }
        // A sidecar is not displayed.
        let changesContent = revertsEdit || files.contains { $0.stated.type != .sidecar }
        if revertsEdit || !files.isEmpty {
            let present = try transaction.resources(ofAsset: old.id)
            if files.contains(where: { $0.planned.role == .original }) {
                for proxy in present where proxy.type == .photoProxy {
                    try transaction.retire(proxy)
                }
            }
            if takesEdit || revertsEdit { try transaction.retireEdit(ofAsset: old.id) }
            for file in files { try add(file, of: staged, to: record, &facts) }
            if revertsEdit { facts.edit = nil }
            let now = try transaction.resources(ofAsset: old.id)
            if ExportedFiles.renderKey(of: now) == staged.step.facts.edit {
                let original = files.first { $0.planned.role == .original }?.record ?? record
                ExportRecord.copyContent(
                    of: made(staged, original: original, present: now),
                    to: &record
                )
            }
            if changesContent { record.contentVersion += 1 }
        }
        if record != old {
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: changesContent)
            if let burst = record.burstIdentifier { bursts.insert(burst) }
        }
        try remember(staged, old.uuid, facts, importedDate: row.importedDate)
        if let shown = files.first(where: { $0.planned.role == .render }) {
            try keep(shown, of: record)
        }
        report(
            StagedExport(step: staged.step, files: files),
            record,
            .duplicate,
            record == old ? step.remark : ExportStep.changed
        )
    }

    // MARK: - Bursts

    /// Ensures that each changed burst has exactly one key frame, after all assets of the batch
    /// were added.
    ///
    /// Values that an earlier import adapted are first set back to the stated ones.
    mutating func finish() throws {
        for burst in bursts.sorted() {
            for var frame in try frames(of: burst) {
                guard let facts = try items.row(frame.uuid)?.facts.export,
                    facts.adaptedBurst == ExportFacts.Burst(frame)
                else { continue }
                facts.burst.apply(to: &frame)
                try transaction.updateAsset(frame, contentChanged: false)
            }
            let stated = try frames(of: burst)
            try transaction.keepOneKeyFrame(of: burst)
            for (before, frame) in zip(stated, try frames(of: burst)) {
                guard var row = try items.row(frame.uuid), var facts = row.facts.export,
                    row.objectUUID == frame.uuid
                else { continue }
                let isStated = ExportFacts.Burst(before) == facts.burst
                let burst = ExportFacts.Burst(frame)
                let adapted = isStated && burst != facts.burst ? burst : nil
                guard isStated, adapted != facts.adaptedBurst else { continue }
                facts.adaptedBurst = adapted
                row.facts.export = facts
                try items.set(frame.uuid, of: sourceID, to: row)
            }
        }
    }

    private func frames(of burst: String) throws -> [AssetRecord] {
        try PartnerQueries(database: transaction.database).frames(burstIdentifier: burst)
            .map(\.frame.id).sorted().compactMap { try transaction.asset(id: $0) }
    }

    // MARK: - Rows

    /// Returns an asset's record, adapted to its staged files and the files already in the library.
    private func made(
        _ staged: StagedExport,
        original: AssetRecord,
        present: [ResourceRecord]
    ) -> AssetRecord {
        let types = staged.files.map(\.stated.type) + present.map(\.type)
        return ExportRecord.make(
            staged.step.exact,
            original: original,
            hasMovie: types.contains(.pairedVideo),
            isEdited: staged.step.takesEdit || ExportedFiles.renderKey(of: present) != nil,
            isDateRejected: staged.step.asset.notes.contains { $0.code == "dateRejected" }
        )
    }

    mutating func keep(_ shown: StagedExport.File, of record: AssetRecord) throws {
        guard let pixels = shown.pixels else { return }
        try transaction.keepQuality(of: pixels, for: record)
        renditions.append(
            BatchCommit.Rendition(
                pixels: pixels,
                assetUUID: record.uuid,
                contentVersion: record.contentVersion
            )
        )
    }

    mutating func add(
        _ file: StagedExport.File,
        of staged: StagedExport,
        to record: AssetRecord,
        _ facts: inout ExportFacts
    ) throws {
        let stated = file.stated
        var type = stated.type
        if file.planned.role == .original, type != .photoProxy {
            switch file.record?.mediaType {
            case .video: type = .video
            case .audio: type = .audio
            default: type = .photo
            }
        }
        // Edits have no names of their own.
        let extensionOfName =
            stated.isOfEdit
            ? "" : (stated.originalFilename as NSString).pathExtension.lowercased()
        let pathExtension: String
        let contentType: String
        switch type {
        case .adjustmentData:
            pathExtension = AdjustmentEnvelopeWriter.pathExtension
            contentType =
                stated.contentType.isEmpty
                ? AdjustmentEnvelopeWriter.contentType : stated.contentType
        case .sidecar:
            pathExtension = "xmp"
            contentType =
                stated.contentType.isEmpty ? MigrationSidecar.contentType : stated.contentType
        default:
            pathExtension =
                file.facts.map { FileExtension.of($0, original: extensionOfName) } ?? "dat"
            contentType = ExportRecord.contentType(
                stated.contentType,
                file.facts?.contentType ?? "public.data",
                staged.step.exact
            )
        }
        let (uuid, path) = try identifier(of: stated, pathExtension)
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: record.id,
                assetUUID: record.uuid,
                type: type,
                originalFilename: ExportRecord.name(
                    stated.originalFilename,
                    else: file.planned.entry.path
                ),
                contentType: contentType,
                path: path,
                size: file.staged.size,
                sha256: file.staged.digest.hexadecimal,
                pixelSize: stated.pixelSize
            )
        )
        moves.append(FilePlacement.Move(file: file.staged, target: path))
        if !stated.isOfEdit {
            facts.files.append(file.key)
        } else if file.planned.role == .render {
            facts.edit = file.key
        }
    }

    /// Returns the identifier to assign to a file, and the path derived from the identifier.
    ///
    /// The stated identifier is used if it and its path are free, else a new one.
    private mutating func identifier(of stated: StatedFile, _ pathExtension: String) throws -> (
        uuid: String, path: String
    ) {
        if let uuid = stated.uuid, LocalIdentifier(uuid)?.uuid == uuid {
            let path = FilePlacement.target(
                uuid: uuid,
                pathExtension: pathExtension,
                isEdit: stated.isOfEdit
            )
            // Kept and discarded files of former edits have paths, too.
            let isTaken = try Bool.fetchOne(
                transaction.database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM resource WHERE uuid = ?1 OR path = ?2)
                            OR EXISTS (SELECT 1 FROM formerFile WHERE path = ?2)
                            OR EXISTS (SELECT 1 FROM discardedFile WHERE path = ?2)
                        """
                ),
                arguments: [uuid, path]
            )
            // A file that no row names, as after a loss of changes, is not replaced either.
            var status = stat()
            let isFree = lstat(root + "/" + path, &status) != 0 && errno == ENOENT
            if isTaken != true, isFree, paths.insert(path).inserted { return (uuid, path) }
        }
        let uuid = LocalIdentifier(new: .resource).uuid
        let path = FilePlacement.target(
            uuid: uuid,
            pathExtension: pathExtension,
            isEdit: stated.isOfEdit
        )
        return (uuid, path)
    }

    func remember(
        _ staged: StagedExport,
        _ uuid: String,
        _ facts: ExportFacts,
        importedDate: Double?
    ) throws {
        var values = MigrationFacts()
        values.export = facts
        try items.set(
            staged.step.asset.item,
            of: sourceID,
            to: MigratedItems.Row(
                objectKind: .asset,
                objectUUID: uuid,
                fingerprint: nil,
                sourceModificationDate: facts.modificationDate,
                importedDate: importedDate ?? transaction.now.timeIntervalSinceReferenceDate,
                isComplete: staged.step.isComplete,
                facts: values
            )
        )
    }

    // MARK: - Lines

    /// Reports the outcomes of an asset and its files.
    ///
    /// `declined` has the reasons why files were not taken, by their keys.
    mutating func report(
        _ staged: StagedExport,
        _ record: AssetRecord,
        _ outcome: MigrationLine.Outcome,
        _ reason: String?,
        declined: [String: String] = [:]
    ) {
        var leading = line(
            staged,
            path: outcome == .imported ? staged.files.first?.planned.entry.path : nil,
            outcome,
            reason
        )
        leading.localIdentifier = record.localIdentifier
        leading.notes = staged.step.notes
        lines.append(leading)
        let others = outcome == .imported ? staged.files.dropFirst() : staged.files[...]
        for file in others {
            let isPlaced = moves.contains { $0.file === file.staged }
            let kind: MigrationLine.Outcome = isPlaced ? .paired : .duplicate
            var other = line(staged, path: file.planned.entry.path, kind, nil)
            if !isPlaced, let reason = declined[file.key] {
                other.outcome = .skipped
                other.reason = reason
            }
            other.localIdentifier = record.localIdentifier
            other.isLeading = false
            lines.append(other)
        }
        for var line in staged.step.lines {
            line.localIdentifier = record.localIdentifier
            lines.append(line)
        }
    }

    private func line(
        _ staged: StagedExport,
        path: String?,
        _ outcome: MigrationLine.Outcome,
        _ reason: String?
    ) -> MigrationLine {
        MigrationLine(
            kind: .photosExport,
            item: staged.step.asset.item,
            path: path,
            outcome: outcome,
            reason: reason
        )
    }
}
