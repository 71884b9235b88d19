internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Writes the rows of one batch of migrated assets, inside one write transaction.
///
/// 1. An item with a row in `migratedItem` was imported; a row is written with its asset.
/// 2. Content that the library has from elsewhere is a duplicate, whatever its identifier. Two
///    photos of one source with the same content stay two, since their edits, albums and texts may
///    differ.
/// 3. An asset keeps the identifier of its source unless another asset here has it.
/// 4. An asset that the library has gets the files that it lacks, and the source's changes of
///    values and edits. Three states are compared for this: the source at the last import, the
///    source now, and the library. What was changed here stays. See `MigrationCommit+Known.swift`.
///
/// Files are not touched: `moves` lists the files to place before the commit.
struct MigrationCommit {
    let transaction: LibraryTransaction
    let items: MigratedItems
    let sourceID: Int64
    let timeZone: TimeZone
    /// The state of the source at this import.
    let state: SourceState

    var lines: [MigrationLine] = []
    var moves: [FilePlacement.Move] = []
    var renditions: [BatchCommit.Rendition] = []
    /// The results of comparing originals with their fingerprints, used for the report's totals.
    var checks: [StagedMigration.Check] = []
    var touchedBursts: Set<String> = []
    let duplicates: DuplicateFiles
    /// The items whose originals replace a missing or damaged library file, keyed by the file's
    /// path.
    var restorations: [String: String] = [:]
    /// The imported assets whose UUID differs from the identifier of the corresponding item at the
    /// source.
    let joined: JoinedAssets

    init(
        transaction: LibraryTransaction,
        kind: MigrationSourceKind,
        counts: ForeignCounts,
        timeZone: TimeZone,
        duplicates: DuplicateFiles,
        joined: JoinedAssets
    ) throws {
        self.joined = joined
        self.duplicates = duplicates
        self.transaction = transaction
        items = MigratedItems(database: transaction.database, kind: kind)
        sourceID = try items.source(identifier: counts.identifier, now: transaction.now)
        state = SourceState(counts)
        self.timeZone = timeZone
    }

    /// Adds a staged asset to the library, or merges it into an existing asset.
    mutating func add(_ staged: StagedMigration) throws {
        if let row = try items.row(staged.asset.item), row.objectKind == .asset,
            let asset = try transaction.asset(uuid: row.objectUUID)
        {
            return try join(staged, to: asset, row)
        }
        guard let original = staged.files.first, original.record != nil,
            original.role == .original || original.role == .proxy
        else {
            // It was permanently deleted meanwhile.
            return lines.append(
                MigrationLine(
                    kind: items.kind,
                    item: staged.asset.item,
                    path: nil,
                    outcome: .duplicate,
                    reason: MigrationDecision.purged
                )
            )
        }
        // A smaller version says nothing about the original, which may come later.
        if original.role != .proxy,
            let duplicate = try PartnerQueries(database: transaction.database)
                .duplicate(of: original.staged.digest),
            let resource = try transaction.resource(id: duplicate.resourceID),
            let asset = try transaction.asset(id: resource.assetID),
            try !isOfSource(asset, otherThan: staged.asset.item)
        {
            return try join(staged, to: asset, having: resource, isTrashed: duplicate.isTrashed)
        }
        try insert(staged, original)
    }

    /// Returns whether an asset was imported from another item of the same Apple Photos library.
    ///
    /// Equal files of an archive are one asset in several albums, so this is false for archives.
    private func isOfSource(_ asset: AssetRecord, otherThan item: String) throws -> Bool {
        guard items.kind == .applePhotos, asset.uuid != item else { return false }
        if let row = try items.row(asset.uuid), row.objectUUID == asset.uuid {
            return row.sourceID == sourceID
        }
        return try joined.contains(asset.uuid, items: items, sourceID: sourceID)
    }

    /// Ensures that each changed burst has one key frame, after all assets of the batch were added.
    mutating func finish() throws {
        for burst in touchedBursts.sorted() { try transaction.keepOneKeyFrame(of: burst) }
    }

    // MARK: - Assets

    private mutating func insert(_ staged: StagedMigration, _ original: StagedMigration.File) throws
    {
        guard let file = original.record else { return }
        var notes: [MigrationNote] = []
        var record = MigrationRecord.make(
            staged,
            file: file,
            now: transaction.now,
            zone: timeZone
        )
        if let uuid = staged.asset.uuid, try transaction.asset(uuid: uuid) == nil,
            try !items.isPurged(uuid, .asset)
        {
            record.uuid = uuid
        } else {
            record.uuid = LocalIdentifier(new: .asset).uuid
            if staged.asset.uuid != nil {
                notes.append(
                    MigrationNote(
                        "identifierTaken",
                        "Another photo of this library has its identifier, so it got a new one."
                    )
                )
            }
        }
        try makeWay(for: record)
        record.id = try transaction.insertAsset(record)
        for file in staged.files { try add(file, of: staged, to: record) }
        var facts = facts(of: staged)
        facts.time = AppliedTime(record)
        try remember(staged, as: record, facts)
        if let burst = record.burstIdentifier { touchedBursts.insert(burst) }
        let shown = staged.file(.render) ?? original
        if let pixels = shown.pixels {
            try transaction.keepQuality(of: pixels, for: record)
            renditions.append(
                BatchCommit.Rendition(
                    pixels: pixels,
                    assetUUID: record.uuid,
                    contentVersion: record.contentVersion
                )
            )
        }
        report(staged, record, notes)
    }

    /// Removes the key frame mark from the stored frames of a burst if the asset is to become the
    /// key frame.
    func makeWay(for record: AssetRecord) throws {
        guard record.representsBurst, let burst = record.burstIdentifier else { return }
        let frames = try PartnerQueries(database: transaction.database)
            .frames(burstIdentifier: burst)
        for (frame, represents) in frames where represents {
            guard var other = try transaction.asset(id: frame.id) else { continue }
            other.representsBurst = false
            try transaction.updateAsset(other, contentChanged: false)
        }
    }

    mutating func add(
        _ file: StagedMigration.File,
        of staged: StagedMigration,
        to record: AssetRecord
    ) throws {
        let isEdited = record.hasAdjustments
        let (type, isEdit) = MigrationRecord.type(of: file.role, record, isEdited: isEdited)
        let uuid = LocalIdentifier(new: .resource).uuid
        let name = MigrationRecord.name(of: file, record)
        let original = ((file.path ?? name) as NSString).pathExtension.lowercased()
        let pathExtension: String
        switch file.role {
        case .adjustments, .cameraAdjustments:
            pathExtension = AdjustmentEnvelopeWriter.pathExtension
        case .sidecar: pathExtension = "xmp"
        default:
            pathExtension = file.facts.map { FileExtension.of($0, original: original) } ?? "dat"
        }
        let target = FilePlacement.target(uuid: uuid, pathExtension: pathExtension, isEdit: isEdit)
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: record.id,
                assetUUID: record.uuid,
                type: type,
                originalFilename: name,
                contentType: MigrationRecord.contentType(of: file),
                path: target,
                size: file.staged.size,
                sha256: file.staged.digest.hexadecimal,
                pixelSize: file.record?.pixelSize ?? PixelSize(width: 0, height: 0)
            )
        )
        moves.append(FilePlacement.Move(file: file.staged, target: target))
    }

    // MARK: - Bookkeeping

    /// Returns the values to store in the `migratedItem` row of an asset.
    ///
    /// They are the values at the source, with the roles of the files that were taken over, the
    /// edit and the sidecar.
    func facts(of staged: StagedMigration) -> MigrationFacts {
        var facts = MigrationFacts(staged.asset.facts)
        facts.roles = staged.roles.sorted { $0.rawValue < $1.rawValue }
        facts.edit = Self.edit(of: staged)
        facts.state = state
        facts.damaged = staged.damaged
        facts.sidecar = staged.sidecar
        return facts
    }

    /// Returns the edit whose rendered file was staged; nil if there is none.
    static func edit(of staged: StagedMigration) -> SourceEdit? {
        guard let render = staged.file(.render), let entry = render.entry else { return nil }
        return SourceEdit(
            sha256: render.staged.digest.hexadecimal,
            size: entry.size,
            modificationTime: entry.modificationTime,
            timestamp: staged.asset.edit?.timestamp,
            isWhole: staged.isEditWhole,
            roles: staged.files.filter { $0.path != nil && $0.role.isOfEdit }.map(\.role)
        )
    }

    func remember(
        _ staged: StagedMigration,
        as record: AssetRecord,
        _ facts: MigrationFacts,
        _ row: MigratedItems.Row? = nil
    ) throws {
        if record.uuid != staged.asset.item { joined.insert(record.uuid) }
        try items.set(
            staged.asset.item,
            of: sourceID,
            to: MigratedItems.Row(
                objectKind: .asset,
                objectUUID: record.uuid,
                fingerprint: staged.asset.fingerprint ?? row?.fingerprint,
                sourceModificationDate: staged.isOlder
                    ? row?.sourceModificationDate : staged.asset.facts.modificationDate,
                importedDate: row?.importedDate ?? transaction.now.timeIntervalSinceReferenceDate,
                isComplete: staged.isOlder
                    ? row?.isComplete ?? false : staged.plan.isComplete,
                facts: facts
            )
        )
    }

    /// Reports an asset that was created.
    private mutating func report(
        _ staged: StagedMigration,
        _ record: AssetRecord,
        _ notes: [MigrationNote]
    ) {
        let notes = staged.plan.notes + staged.notes + notes + keptNotShown(staged)
        let isProxy = staged.files.first?.role == .proxy
        for (index, file) in staged.files.enumerated() where file.path != nil {
            // The leading line of an asset with a proxy says that its original is missing.
            let isLeading = index == 0 && !isProxy
            var line = line(staged, file, index == 0 ? .imported : .paired, record)
            line.isLeading = isLeading
            if index == 0 { line.notes = notes }
            lines.append(line)
            if isLeading { checks.append(staged.check) }
        }
        reportAbsent(staged, record)
    }

    /// Reports the files that were absent or could not be read.
    mutating func reportAbsent(_ staged: StagedMigration, _ record: AssetRecord) {
        for line in staged.plan.lines {
            var line = line
            line.localIdentifier = record.localIdentifier
            lines.append(line)
        }
    }

    func keptNotShown(_ staged: StagedMigration) -> [MigrationNote] {
        guard !staged.sidecarContent.isEmpty else { return [] }
        return [
            MigrationNote(
                "keptNotShown",
                "Kept in a sidecar and not shown: "
                    + staged.sidecarContent.joined(separator: ", ") + "."
            )
        ]
    }

    func line(
        _ staged: StagedMigration,
        _ file: StagedMigration.File?,
        _ outcome: MigrationLine.Outcome,
        _ record: AssetRecord
    ) -> MigrationLine {
        MigrationLine(
            kind: items.kind,
            item: staged.asset.item,
            path: file?.path,
            volume: file?.volume,
            outcome: outcome,
            localIdentifier: record.localIdentifier
        )
    }

    /// Records that the file system did not permit the restoration of files.
    mutating func recordRefused(_ refused: [String: SystemError]) {
        for (target, error) in refused {
            guard let item = restorations[target],
                let index = lines.firstIndex(where: { $0.item == item && $0.isLeading })
            else { continue }
            lines[index].outcome = .failed
            lines[index].reason = duplicates.refusal(of: target, error)
        }
    }
}
