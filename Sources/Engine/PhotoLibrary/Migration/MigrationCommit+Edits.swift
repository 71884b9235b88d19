internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Updates and reverts edits of assets that the library already has.
extension MigrationCommit {
    /// Returns the SHA-256 of the displayed edit's file; empty if the file is unknown, nil for an
    /// unedited asset.
    static func rendering(of asset: AssetRecord, _ present: [ResourceRecord]) -> String? {
        guard asset.hasAdjustments else { return nil }
        return present.first {
            $0.isOfEdit && ($0.type == .fullSizePhoto || $0.type == .fullSizeVideo)
        }?.sha256 ?? ""
    }

    /// Adds files of the displayed edit that were missing when the edit was imported.
    func complete(
        _ joined: inout Joined,
        _ staged: StagedMigration,
        _ gained: Set<ForeignResource.Role>,
        _ present: [ResourceRecord]
    ) {
        let fresh = staged.files.filter { gained.contains($0.role) && $0.path != nil }
        joined.fresh += fresh
        if gained.contains(.adjustments) {
            // The import made some.
            joined.retired += present.filter { $0.type == .adjustmentData && $0.isOfEdit }
        }
        if gained.contains(.renderPairedVideo), let render = staged.file(.render)?.record {
            EditPolicy.apply(render, hasPairedVideo: true, to: &joined.record)
        }
        if !fresh.isEmpty { joined.changesContent = true }
    }

    func takeEdit(
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

    func decline(edit staged: StagedMigration, in joined: inout Joined) {
        for file in staged.files where file.role.isOfEdit {
            joined.declined[file.role] = "It was edited or reverted in this library; that was kept."
        }
    }

    /// Reverts an asset to its original, as the source did.
    func revert(
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
}
