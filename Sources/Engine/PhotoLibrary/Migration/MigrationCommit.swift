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
///
/// Files are not touched: `moves` lists the files to place before the commit.
struct MigrationCommit {
    let transaction: LibraryTransaction
    let items: MigratedItems
    let sourceID: Int64
    let timeZone: TimeZone

    var lines: [MigrationLine] = []
    var moves: [FilePlacement.Move] = []
    var renditions: [BatchCommit.Rendition] = []
    /// The outcomes of leading lines that count as damaged.
    var checks: [StagedMigration.Check] = []
    private var touchedBursts: Set<String> = []

    init(
        transaction: LibraryTransaction,
        kind: MigrationSourceKind,
        identifier: String?,
        timeZone: TimeZone
    ) throws {
        self.transaction = transaction
        items = MigratedItems(database: transaction.database, kind: kind)
        sourceID = try items.source(identifier: identifier, now: transaction.now)
        self.timeZone = timeZone
    }

    /// Adds an asset that was staged.
    mutating func add(_ staged: StagedMigration) throws {
        guard let original = staged.files.first else { return }
        let queries = PartnerQueries(database: transaction.database)
        if let row = try items.row(staged.asset.item), row.objectKind == .asset,
            let asset = try transaction.asset(uuid: row.objectUUID)
        {
            if row.isComplete {
                report(staged, asset, .duplicate, nil)
            } else {
                try complete(asset, row, with: staged)
            }
            return
        }
        // A smaller version says nothing about the original, which may come later.
        if original.role != .proxy,
            let duplicate = try queries.duplicate(of: original.staged.digest),
            let resource = try transaction.resource(id: duplicate.resourceID),
            var asset = try transaction.asset(id: resource.assetID),
            try !isOfSource(asset, otherThan: staged.asset.item)
        {
            let old = asset
            Self.fill(&asset, with: staged.asset.facts)
            if asset != old {
                asset.modificationDate = transaction.now
                try transaction.updateAsset(asset, contentChanged: false)
            }
            // Nothing is added later to an asset that came from elsewhere.
            try remember(staged, as: asset, isComplete: true)
            var notes: [MigrationNote] = []
            if staged.file(.render) != nil {
                notes.append(
                    MigrationNote(
                        "editNotTaken",
                        "The library had this photo already; its edit at the source was not taken"
                            + " over."
                    )
                )
            }
            report(
                staged,
                asset,
                .duplicate,
                duplicate.isTrashed
                    ? "The library has the same bytes in Recently Deleted." : nil,
                notes
            )
            return
        }
        try insert(staged, original)
    }

    /// Returns whether an asset was made from another item of Photos' library.
    ///
    /// Equal files of an archive are one asset in several albums, so this is false for archives.
    private func isOfSource(_ asset: AssetRecord, otherThan item: String) throws -> Bool {
        guard items.kind == .applePhotos, asset.uuid != item else { return false }
        return try items.row(asset.uuid)?.objectUUID == asset.uuid
    }

    /// Applies the source's changes to an asset that was imported before.
    mutating func update(_ asset: ForeignAsset, _ row: MigratedItems.Row, _ notes: [MigrationNote])
        throws
    {
        var notes = notes
        guard var record = try transaction.asset(uuid: row.objectUUID) else { return }
        let old = record
        var row = row
        let kept = row.facts.apply(MigrationFacts(asset.facts), to: &record, at: transaction.now)
        if !kept.isEmpty {
            notes.append(
                MigrationNote(
                    "keptYours",
                    "It was changed at the source and in this library; yours was kept: "
                        + kept.joined(separator: ", ") + "."
                )
            )
        }
        if record.personFacts != old.personFacts {
            var same = record
            same.personFacts = old.personFacts
            if same == old { record.personFacts = old.personFacts }
        }
        if record != old {
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: false)
        }
        row.sourceModificationDate = asset.facts.modificationDate
        try items.set(asset.item, of: sourceID, to: row)
        lines.append(
            MigrationLine(
                kind: items.kind,
                item: asset.item,
                path: nil,
                outcome: .duplicate,
                localIdentifier: record.localIdentifier,
                reason: record == old ? nil : "Changes at the source were taken over.",
                notes: notes
            )
        )
    }

    /// Settles what depends on all assets of the batch.
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
        try remember(staged, as: record)
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
        report(staged, record, .imported, nil, notes)
    }

    /// The roles of the files that belong to an edit.
    private static let rolesOfEdits: Set<ForeignResource.Role> = [
        .render, .renderPairedVideo, .adjustmentBase, .adjustments,
    ]

    /// Adds the files that an incomplete asset lacked, and replaces its proxy by the original.
    ///
    /// An edit that was made here stays, and the source's is not taken over.
    private mutating func complete(
        _ asset: AssetRecord,
        _ row: MigratedItems.Row,
        with staged: StagedMigration
    ) throws {
        guard let original = staged.files.first, let file = original.record else { return }
        let present = try transaction.resources(ofAsset: asset.id)
        let made = MigrationRecord.make(staged, file: file, now: transaction.now, zone: timeZone)
        let rendered = staged.file(.render)?.staged.digest.hexadecimal
        let isEditedHere =
            asset.hasAdjustments && !present.contains { $0.isOfEdit && $0.sha256 == rendered }
        let takesEdit = made.hasAdjustments && !isEditedHere
        let fresh = staged.files.filter { file in
            if isEditedHere, Self.rolesOfEdits.contains(file.role) { return false }
            return !present.contains {
                $0.sha256 == file.staged.digest.hexadecimal && $0.type != .photoProxy
                    && !(takesEdit && $0.type == .adjustmentData && !$0.isOfEdit)
            }
        }
        var notes: [MigrationNote] = []
        if isEditedHere, rendered != nil {
            notes.append(
                MigrationNote(
                    "keptYours",
                    "It was edited at the source and in this library; yours was kept: edit."
                )
            )
        }
        guard !fresh.isEmpty else {
            try remember(staged, as: asset, importedDate: row.importedDate)
            report(staged, asset, .duplicate, nil, notes)
            return
        }
        var record = asset
        record.mediaType = made.mediaType
        record.camera = made.camera
        record.contentType = made.contentType
        if !isEditedHere {
            record.mediaSubtypes = made.mediaSubtypes
            record.playbackStyle = made.playbackStyle
            record.pixelSize = made.pixelSize
            record.duration = made.duration
            record.frameRate = made.frameRate
            record.hasAdjustments = made.hasAdjustments
            record.adjustmentFormatIdentifier = made.adjustmentFormatIdentifier
            record.adjustmentTimestamp = made.adjustmentTimestamp
        }
        record.contentVersion += 1
        record.modificationDate = transaction.now
        try transaction.updateAsset(record, contentChanged: true)
        for resource in present
        where resource.type == .photoProxy
            || takesEdit && resource.type == .adjustmentData && !resource.isOfEdit
        {
            try transaction.retire(resource)
        }
        for file in fresh { try add(file, of: staged, to: record) }
        try remember(staged, as: record, importedDate: row.importedDate)
        report(
            staged,
            record,
            .imported,
            present.contains { $0.type == .photoProxy }
                ? "The original replaced the smaller version."
                : "Files that were missing were added.",
            notes
        )
    }

    /// Makes the key frame of a burst the only one, if the source says that this is it.
    private func makeWay(for record: AssetRecord) throws {
        guard record.representsBurst, let burst = record.burstIdentifier else { return }
        let frames = try PartnerQueries(database: transaction.database)
            .frames(burstIdentifier: burst)
        for (frame, represents) in frames where represents {
            guard var other = try transaction.asset(id: frame.id) else { continue }
            other.representsBurst = false
            try transaction.updateAsset(other, contentChanged: false)
        }
    }

    private mutating func add(
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

    private func remember(
        _ staged: StagedMigration,
        as record: AssetRecord,
        importedDate: Double? = nil,
        isComplete: Bool? = nil
    ) throws {
        try items.set(
            staged.asset.item,
            of: sourceID,
            to: MigratedItems.Row(
                objectKind: .asset,
                objectUUID: record.uuid,
                fingerprint: staged.asset.fingerprint,
                sourceModificationDate: staged.asset.facts.modificationDate,
                importedDate: importedDate ?? transaction.now.timeIntervalSinceReferenceDate,
                isComplete: isComplete ?? staged.plan.isComplete,
                facts: MigrationFacts(staged.asset.facts)
            )
        )
    }

    private mutating func report(
        _ staged: StagedMigration,
        _ record: AssetRecord,
        _ outcome: MigrationLine.Outcome,
        _ reason: String?,
        _ notes: [MigrationNote] = []
    ) {
        var notes = staged.plan.notes + staged.notes + notes
        if outcome == .imported, !staged.sidecarContent.isEmpty {
            notes.append(
                MigrationNote(
                    "keptNotShown",
                    "Kept in a sidecar and not shown: "
                        + staged.sidecarContent.joined(separator: ", ") + "."
                )
            )
        }
        let isProxy = staged.files.first?.role == .proxy
        for (index, file) in staged.files.enumerated() where file.path != nil {
            // The leading line of an asset with a proxy says that its original is missing.
            let isLeading = index == 0 && !isProxy
            lines.append(
                MigrationLine(
                    kind: items.kind,
                    item: staged.asset.item,
                    path: file.path,
                    outcome: outcome == .duplicate
                        ? .duplicate : index == 0 ? .imported : .paired,
                    localIdentifier: record.localIdentifier,
                    reason: isLeading ? reason : nil,
                    notes: index == 0 ? notes : [],
                    isLeading: isLeading
                )
            )
            if isLeading { checks.append(staged.check) }
        }
        for line in staged.plan.lines {
            var line = line
            line.localIdentifier = record.localIdentifier
            lines.append(line)
        }
    }

    /// Fills the empty values of an asset that the library had before.
    private static func fill(_ record: inout AssetRecord, with facts: ForeignFacts) {
        let empty = record
        if record.title == nil { record.title = facts.title.flatMap { $0.isEmpty ? nil : $0 } }
        if record.caption == nil {
            record.caption = facts.caption.flatMap { $0.isEmpty ? nil : $0 }
        }
        if record.keywords.isEmpty { record.keywords = facts.keywords }
        if record.rating == 0, let rating = facts.rating { record.rating = rating }
        if record.location == nil, let latitude = facts.latitude, let longitude = facts.longitude {
            record.location = Location(
                latitude: latitude,
                longitude: longitude,
                altitude: facts.altitude
            )
        }
        if facts.isFavorite { record.isFavorite = true }
        record.personFacts.formUnion(SettableFacts(differingIn: empty, record))
    }
}
