internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Assets that the library has: files that they lack, and changes at the source.
///
/// 1. A value is taken if the library still has the one of the last import; one that was changed
///    here stays.
/// 2. The rendering of an edit follows the same rule, and so does a revert at the source. An edit
///    that was made, replaced or reverted here stays.
/// 3. Of an asset that came from elsewhere, only empty values are filled. It gets the files whose
///    kind it lacks, and an edit if it has none.
extension MigrationCommit {
    /// The result of joining files and values to an asset.
    private struct Joined {
        var record: AssetRecord
        /// The files that the asset gets.
        var fresh: [StagedMigration.File] = []
        /// The reasons why other files were not taken, by role.
        var declined: [ForeignResource.Role: String] = [:]
        var notes: [MigrationNote] = []
        /// Indicates whether another image or movie is displayed than before.
        var changesContent = false
        var replacesProxy = false
        /// Indicates whether no earlier import of the source made the asset.
        var isFromElsewhere = false
    }

    // MARK: - Assets of an earlier import

    /// Adds what an asset of an earlier import lacks, and applies the source's changes.
    mutating func join(_ staged: StagedMigration, to asset: AssetRecord, _ row: MigratedItems.Row)
        throws
    {
        let present = try transaction.resources(ofAsset: asset.id)
        var joined = Joined(record: asset)
        var facts = row.facts
        let kept = facts.apply(
            MigrationFacts(staged.asset.facts),
            to: &joined.record,
            at: transaction.now
        )
        replaceProxy(of: &joined, staged, present)
        addFiles(to: &joined, staged, present)
        let shown = Self.rendering(of: asset, present)
        var isEditKept = false
        if let source = Self.edit(of: staged) {
            let last = row.facts.edit
            if source.sha256 == shown, last?.isWhole != false || !source.isWhole {
                facts.edit = source
            } else if shown == source.sha256
                || shown == last?.sha256 && source.sha256 != last?.sha256
            {
                try takeEdit(of: staged, into: &joined)
                facts.edit = source
            } else {
                isEditKept = source.sha256 != last?.sha256
                decline(edit: staged, in: &joined)
                facts.edit = source
            }
        } else if staged.revertsEdit {
            if shown != nil, shown == row.facts.edit?.sha256 {
                try revert(&joined, staged, present)
            } else {
                isEditKept = shown != nil
            }
            facts.edit = nil
        } else if let render = staged.plan.files.first(where: { $0.role == .render }),
            facts.edit?.mayEqual(render.entry) == true
        {
            facts.edit?.timestamp = staged.asset.edit?.timestamp
        }
        let names = kept + (isEditKept ? ["edit"] : [])
        if !names.isEmpty {
            joined.notes.append(
                MigrationNote(
                    "keptYours",
                    "It was changed at the source and in this library; yours was kept: "
                        + names.joined(separator: ", ") + "."
                )
            )
        }
        let roles = MigrationDecision.takenRoles(row, present).union(staged.roles)
        facts.roles = roles.sorted { $0.rawValue < $1.rawValue }
        let record = try write(joined, over: asset, staged)
        try remember(staged, as: record, facts, row)
        let reason: String? =
            if joined.replacesProxy {
                "The original replaced the smaller version."
            } else if joined.fresh.contains(where: { !$0.role.isOfEdit }) {
                "Files that were missing were added."
            } else if record != asset {
                "Changes at the source were taken over."
            } else if record.trashedDate != nil, !staged.asset.facts.isTrashed {
                MigrationDecision.trashed
            } else {
                nil
            }
        report(joined, staged, record, present, reason)
    }

    // MARK: - Assets from elsewhere

    /// Joins an asset of the source to one with the same original that came from elsewhere.
    mutating func join(
        _ staged: StagedMigration,
        to asset: AssetRecord,
        having resource: ResourceRecord,
        isTrashed: Bool
    ) throws {
        let present = try transaction.resources(ofAsset: asset.id)
        var joined = Joined(record: asset)
        joined.isFromElsewhere = true
        Self.fill(&joined.record, with: staged.asset.facts)
        var reasons: [String] = []
        if isTrashed { reasons.append("The library has the same bytes in Recently Deleted.") }
        if let remark = restore(resource, from: staged) { reasons.append(remark) }
        if [.photo, .video, .audio].contains(resource.type) {
            addBurst(staged.asset.burst, to: &joined.record)
            addFiles(to: &joined, staged, present)
            try joinEdit(of: staged, to: &joined, present)
        } else {
            // Its files would change a photo of which the original is only a part.
            let reason = "The library has the original as a part of another photo."
            for file in staged.files { joined.declined[file.role] = reason }
        }
        let record = try write(joined, over: asset, staged)
        try remember(staged, as: record, facts(of: staged))
        let reason = reasons.isEmpty ? nil : reasons.joined(separator: " ")
        report(joined, staged, record, present, reason)
    }

    /// Restores the library's file if it is missing or damaged.
    ///
    /// - Returns: The remark about it.
    private mutating func restore(_ resource: ResourceRecord, from staged: StagedMigration)
        -> String?
    {
        guard let original = staged.file(.original),
            !moves.contains(where: { $0.target == resource.path })
        else { return nil }
        let finding = duplicates.find(resource, digest: original.staged.digest)
        if finding.needsRestoration {
            restorations[resource.path] = staged.asset.item
            moves.append(
                FilePlacement.Move(
                    file: original.staged,
                    target: resource.path,
                    isRestoration: true
                )
            )
        }
        return finding.remark
    }

    /// Gives an asset its place in a burst, unless a person picked here.
    private mutating func addBurst(_ burst: ForeignBurst?, to record: inout AssetRecord) {
        guard let burst, record.burstIdentifier ?? burst.identifier == burst.identifier,
            !record.burstSelectionTypes.contains(.userPick)
        else { return }
        record.burstIdentifier = burst.identifier
        if burst.isAutoPick { record.burstSelectionTypes.insert(.autoPick) }
        if burst.isUserPick { record.burstSelectionTypes.insert(.userPick) }
        record.representsBurst = burst.isKey
        touchedBursts.insert(burst.identifier)
    }

    private mutating func joinEdit(
        of staged: StagedMigration,
        to joined: inout Joined,
        _ present: [ResourceRecord]
    ) throws {
        guard let source = Self.edit(of: staged) else { return }
        let shown = Self.rendering(of: joined.record, present)
        guard shown != source.sha256 else { return }
        let isFormer = try transaction.hasFormerFile(
            sha256: source.sha256,
            ofAsset: joined.record.id
        )
        if shown == nil, !isFormer {
            try takeEdit(of: staged, into: &joined)
        } else {
            decline(edit: staged, in: &joined)
            joined.notes.append(
                MigrationNote(
                    "editNotTaken",
                    "The library had this photo already, with an edit of its own or reverted; its"
                        + " edit at the source was not taken over."
                )
            )
        }
    }

    // MARK: - Files

    /// Returns the SHA-256 of the displayed edit; empty if its file is not known, nil for none.
    private static func rendering(of asset: AssetRecord, _ present: [ResourceRecord]) -> String? {
        guard asset.hasAdjustments else { return nil }
        return present.first {
            $0.isOfEdit && ($0.type == .fullSizePhoto || $0.type == .fullSizeVideo)
        }?.sha256 ?? ""
    }

    private mutating func replaceProxy(
        of joined: inout Joined,
        _ staged: StagedMigration,
        _ present: [ResourceRecord]
    ) {
        guard let original = staged.file(.original), let file = original.record,
            present.contains(where: { $0.type == .photoProxy })
        else { return }
        var unedited = staged
        unedited.files.removeAll { $0.role.isOfEdit }
        let old = joined.record
        let made = MigrationRecord.make(unedited, file: file, now: transaction.now, zone: timeZone)
        joined.record.mediaType = made.mediaType
        joined.record.camera = made.camera
        joined.record.contentType = made.contentType
        joined.record.mediaSubtypes = made.mediaSubtypes
        joined.record.playbackStyle = made.playbackStyle
        joined.record.pixelSize = made.pixelSize
        joined.record.duration = made.duration
        joined.record.frameRate = made.frameRate
        EditPolicy.keepEdit(of: old, in: &joined.record)
        joined.fresh.append(original)
        joined.replacesProxy = true
        joined.changesContent = true
    }

    /// Adds the files of kinds that the asset lacks, besides those of an edit.
    private func addFiles(
        to joined: inout Joined,
        _ staged: StagedMigration,
        _ present: [ResourceRecord]
    ) {
        for file in staged.files {
            let isAdded: Bool
            switch file.role {
            case .original, .proxy, .render, .renderPairedVideo, .adjustmentBase: continue
            case .adjustments where staged.file(.render) != nil: continue
            case .sidecar: isAdded = true
            case .pairedVideo: isAdded = !present.contains { $0.type == .pairedVideo }
            case .alternatePhoto: isAdded = !present.contains { $0.type == .alternatePhoto }
            case .adjustments, .cameraAdjustments:
                isAdded =
                    !joined.record.hasAdjustments
                    && !present.contains { $0.type == .adjustmentData }
            }
            if present.contains(where: { $0.sha256 == file.staged.digest.hexadecimal }) { continue }
            guard isAdded else {
                joined.declined[file.role] = "The library's photo has another file of this kind."
                continue
            }
            joined.fresh.append(file)
            guard file.role == .pairedVideo, let movie = file.record, !joined.replacesProxy else {
                continue
            }
            let old = joined.record
            JoiningPolicy.add(movie: movie, to: &joined.record)
            joined.record.location = old.location
            EditPolicy.keepEdit(of: old, in: &joined.record)
            joined.changesContent = true
        }
    }

    private func takeEdit(
        of staged: StagedMigration,
        into joined: inout Joined
    ) throws {
        guard let render = staged.file(.render)?.record else { return }
        try transaction.retireEdit(ofAsset: joined.record.id)
        EditPolicy.apply(
            render,
            hasPairedVideo: staged.file(.renderPairedVideo) != nil,
            to: &joined.record
        )
        joined.record.adjustmentFormatIdentifier = staged.asset.edit?.formatIdentifier
        joined.record.adjustmentTimestamp =
            (staged.asset.edit?.timestamp ?? staged.asset.facts.modificationDate)
            .map(Date.init(timeIntervalSinceReferenceDate:))
        joined.fresh += staged.files.filter(\.role.isOfEdit)
        joined.changesContent = true
    }

    private func decline(edit staged: StagedMigration, in joined: inout Joined) {
        for file in staged.files where file.role.isOfEdit {
            joined.declined[file.role] = "It was edited or reverted in this library; that was kept."
        }
    }

    /// Shows the original again, as the source does.
    private func revert(
        _ joined: inout Joined,
        _ staged: StagedMigration,
        _ present: [ResourceRecord]
    ) throws {
        guard let original = present.first(where: { $0.type.isPrimary }) else { return }
        try transaction.retireEdit(ofAsset: joined.record.id)
        let found = staged.file(.original)?.record
        EditPolicy.revert(
            &joined.record,
            to: original,
            found.map {
                OriginalFacts(
                    pixelSize: $0.pixelSize,
                    duration: $0.duration,
                    frameRate: $0.frameRate,
                    isAnimated: $0.mediaSubtypes.contains(.photoAnimation)
                )
            },
            hasPairedVideo: present.contains { $0.type == .pairedVideo },
            at: transaction.now
        )
        joined.changesContent = true
    }

    // MARK: - Rows

    /// Writes the asset's row and those of its new files.
    private mutating func write(
        _ joined: Joined,
        over old: AssetRecord,
        _ staged: StagedMigration
    ) throws -> AssetRecord {
        var record = joined.record
        if joined.changesContent { record.contentVersion += 1 }
        if record.representsBurst, !old.representsBurst { try makeWay(for: record) }
        if record != old || !joined.fresh.isEmpty {
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: joined.changesContent)
        }
        let replacesSidecar =
            !joined.isFromElsewhere
            && joined.fresh.contains { $0.role == .sidecar && $0.path == nil }
        for resource in try transaction.resources(ofAsset: old.id) {
            let isReplaced =
                joined.replacesProxy && resource.type == .photoProxy
                || replacesSidecar && resource.type == .sidecar
                    && resource.originalFilename == MigrationSidecar.name
            if isReplaced { try transaction.retire(resource) }
        }
        for file in joined.fresh { try add(file, of: staged, to: record) }
        let shown =
            joined.fresh.first { $0.role == .render }
            ?? (record.hasAdjustments ? nil : staged.file(.original))
        if joined.changesContent, let pixels = shown?.pixels {
            try transaction.keepQuality(of: pixels, for: record)
            renditions.append(
                BatchCommit.Rendition(
                    pixels: pixels,
                    assetUUID: record.uuid,
                    contentVersion: record.contentVersion
                )
            )
        }
        return record
    }

    // MARK: - Report

    private mutating func report(
        _ joined: Joined,
        _ staged: StagedMigration,
        _ record: AssetRecord,
        _ present: [ResourceRecord],
        _ reason: String?
    ) {
        var notes = staged.plan.notes + staged.notes + joined.notes
        if joined.fresh.contains(where: { $0.role == .sidecar && $0.path == nil }) {
            notes += keptNotShown(staged)
        }
        // The original of a known asset may be read for its facts only.
        let hasOriginal = joined.replacesProxy || joined.isFromElsewhere
        if let index = staged.plan.lines.firstIndex(where: \.isLeading) {
            reportAbsent(staged, record)
            lines[lines.count - staged.plan.lines.count + index].notes += notes
        } else {
            let original = hasOriginal ? staged.file(.original) : nil
            let outcome = joined.replacesProxy ? MigrationLine.Outcome.imported : .duplicate
            var leading = line(staged, original, outcome, record)
            leading.reason = reason
            leading.notes = notes
            lines.append(leading)
            if original != nil { checks.append(staged.check) }
        }
        for file in staged.files where file.path != nil {
            guard file.role != .original, file.role != .proxy else { continue }
            let isPlaced = moves.contains { $0.file === file.staged }
            var other = line(staged, file, isPlaced ? .paired : .duplicate, record)
            other.isLeading = false
            let isPresent = present.contains { $0.sha256 == file.staged.digest.hexadecimal }
            if !isPlaced, !isPresent, let reason = joined.declined[file.role] {
                other.outcome = .skipped
                other.reason = reason
            }
            lines.append(other)
        }
        if !staged.plan.lines.contains(where: \.isLeading) { reportAbsent(staged, record) }
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
