internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

extension MigrationCommit {
    /// The result of joining files and values to an asset.
    struct Joined {
        var record: AssetRecord
        /// The new files of the asset.
        var fresh: [StagedMigration.File] = []
        /// The reasons why files of the source were not added, keyed by role.
        var declined: [ForeignResource.Role: String] = [:]
        var notes: [MigrationNote] = []
        /// Indicates whether the displayed image or movie changes.
        var changesContent = false
        /// The proxy or damaged original that the new original replaces.
        var replaced: ResourceRecord?
        /// Further resources that new files replace.
        var retired: [ResourceRecord] = []
        /// Indicates whether the asset did not originate from an earlier import of this source.
        var isFromElsewhere = false
    }

    // MARK: - Rows

    /// Writes the asset's row and the rows of its new files.
    mutating func write(
        _ joined: Joined,
        over old: AssetRecord,
        _ staged: StagedMigration
    ) throws -> AssetRecord {
        var record = joined.record
        if joined.changesContent { record.contentVersion += 1 }
        if record.representsBurst, !old.representsBurst { try makeWay(for: record) }
        if record != old || !joined.fresh.isEmpty || !joined.retired.isEmpty {
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: joined.changesContent)
        }
        for resource in joined.retired + [joined.replaced].compactMap(\.self) {
            try transaction.retire(resource)
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

    mutating func report(
        _ joined: Joined,
        _ staged: StagedMigration,
        _ record: AssetRecord,
        _ present: [ResourceRecord],
        _ reason: String?
    ) {
        var notes = staged.plan.notes + staged.notes + joined.notes
        if joined.fresh.contains(where: \.isMadeSidecar) {
            notes += keptNotShown(staged)
        }
        // The original of a known asset may be read for its facts only.
        let hasOriginal = joined.replaced != nil || joined.isFromElsewhere
        if let index = staged.plan.lines.firstIndex(where: \.isLeading) {
            reportAbsent(staged, record)
            lines[lines.count - staged.plan.lines.count + index].notes += notes
        } else {
            let original = hasOriginal ? staged.file(.original) : nil
            let isImported = joined.replaced != nil
            let outcome = isImported ? MigrationLine.Outcome.imported : .duplicate
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
}
