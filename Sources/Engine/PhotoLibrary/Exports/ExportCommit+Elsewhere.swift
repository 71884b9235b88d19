internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Merges exported assets into existing assets that have the same original from another source.
///
/// 1. The library's asset keeps its identifier and its values; only empty ones are filled.
/// 2. It gets the files whose kind it lacks, and the edit if it has none and never had this one.
/// 3. A file that is not taken is reported with the reason, unless the asset has its bytes.
/// 4. A file that is missing or damaged is taken once it is there, as long as its kind is lacking.
extension ExportCommit {
    /// Merges an exported asset into an asset of the library that has the same original.
    mutating func join(
        _ staged: StagedExport,
        to asset: AssetRecord,
        having original: ResourceRecord,
        isTrashed: Bool
    ) throws {
        var record = asset
        Self.fill(&record, with: staged.step.exact)
        var facts = staged.step.facts
        facts.files = [staged.files.first?.key].compactMap(\.self)
        facts.edit = nil
        try complete(
            staged,
            Array(staged.files.dropFirst()),
            asset,
            record,
            facts,
            isWhole: [.photo, .video, .audio].contains(original.type),
            importedDate: nil,
            reason: isTrashed ? "The library has the same bytes in Recently Deleted." : nil
        )
    }

    /// Completes an asset that came from another source with exported files that it still lacks.
    mutating func completeElsewhere(
        _ staged: StagedExport,
        _ old: AssetRecord,
        _ record: AssetRecord,
        _ facts: ExportFacts,
        _ row: MigratedItems.Row,
        reason: String?
    ) throws {
        try complete(
            staged,
            staged.files,
            old,
            record,
            facts,
            isWhole: true,
            importedDate: row.importedDate,
            reason: reason
        )
    }

    /// Adds files of the kinds that an asset lacks, and records the files that need no further
    /// import.
    ///
    /// Missing and damaged files are not recorded, so the next import tries again.
    private mutating func complete(
        _ staged: StagedExport,
        _ candidates: [StagedExport.File],
        _ asset: AssetRecord,
        _ filled: AssetRecord,
        _ known: ExportFacts,
        isWhole: Bool,
        importedDate: Double?,
        reason: String?
    ) throws {
        let present = try transaction.resources(ofAsset: asset.id)
        var record = filled
        var facts = known
        var step = staged.step
        var fresh: [StagedExport.File] = []
        var declined: [String: String] = [:]
        var changesContent = false
        let files = candidates.filter { file in
            !present.contains { $0.sha256 == file.staged.digest.hexadecimal }
        }
        if isWhole {
            for file in files where !file.stated.isOfEdit {
                if Self.lacks(file.stated.type, record, present) {
                    fresh.append(file)
                } else {
                    declined[file.key] = "The library's photo has another file of this kind."
                }
            }
            if let movie = fresh.first(where: { $0.stated.type == .pairedVideo })?.record {
                JoiningPolicy.add(movie: movie, to: &record)
                record.location = asset.location ?? record.location
                EditPolicy.keepEdit(of: asset, in: &record)
                changesContent = true
            }
            if try takesEdit(of: staged, asset, present) {
                fresh += files.filter(\.stated.isOfEdit)
                Self.applyEdit(of: staged, to: &record)
                changesContent = true
            } else {
                for file in files where file.stated.isOfEdit {
                    declined[file.key] =
                        "It was edited or reverted in this library; that was kept."
                }
                if files.contains(where: \.stated.isOfEdit) { step.notes.append(Self.keptEdit) }
            }
        } else {
            // Its files would change a photo of which the original is only a part.
            for file in files {
                declined[file.key] = "The library has the original as a part of another photo."
            }
            step.isComplete = true
        }
        if changesContent { record.contentVersion += 1 }
        if record != asset || !fresh.isEmpty {
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: changesContent)
        }
        var added = facts
        for file in fresh { try add(file, of: staged, to: record, &added) }
        if let render = fresh.first(where: { $0.planned.role == .render }) {
            try keep(render, of: record)
        }
        let isSettled = isWhole ? Set(candidates.map(\.key)) : Set(step.facts.files)
        facts.files += step.facts.files.filter {
            isSettled.contains($0) && !facts.files.contains($0)
        }
        // A rendering that was declined is not offered again.
        let hasRender = candidates.contains { $0.planned.role == .render }
        if hasRender || !isWhole { facts.edit = step.facts.edit }
        let settled = StagedExport(step: step, files: staged.files)
        try remember(settled, asset.uuid, facts, importedDate: importedDate)
        report(settled, record, .duplicate, reason, declined: declined)
    }

    private static let keptEdit = MigrationNote(
        "editNotTaken",
        "The library had this photo already, with an edit of its own or reverted; its edit in the"
            + " export was not taken over."
    )

    /// Fills the empty values of an existing asset with the values in the export.
    private static func fill(_ record: inout AssetRecord, with stated: AssetRecord) {
        let empty = record
        if record.title == nil { record.title = stated.title }
        if record.caption == nil { record.caption = stated.caption }
        if record.keywords.isEmpty { record.keywords = stated.keywords }
        if record.rating == 0 { record.rating = stated.rating }
        if record.location == nil { record.location = stated.location }
        if stated.isFavorite { record.isFavorite = true }
        record.personFacts.formUnion(SettableFacts(differingIn: empty, record))
    }

    /// Returns whether a file of a given type may be added to an asset.
    ///
    /// An asset can have several sidecars, but only one movie, one alternate photo and one set of
    /// adjustments. Other types are never added.
    static func lacks(
        _ type: ResourceType,
        _ record: AssetRecord,
        _ present: [ResourceRecord]
    ) -> Bool {
        switch type {
        case .sidecar: true
        case .pairedVideo, .alternatePhoto: !present.contains { $0.type == type }
        case .adjustmentData: !record.hasAdjustments && !present.contains { $0.type == type }
        default: false
        }
    }

    /// Returns whether to apply an exported edit: the asset is not edited and never had this edit.
    private func takesEdit(
        of staged: StagedExport,
        _ asset: AssetRecord,
        _ present: [ResourceRecord]
    ) throws -> Bool {
        guard staged.step.takesEdit, !asset.hasAdjustments, !present.contains(where: \.isOfEdit),
            let render = staged.files.first(where: { $0.planned.role == .render }),
            render.record != nil
        else { return false }
        return try !transaction.hasFormerFile(
            sha256: render.staged.digest.hexadecimal,
            ofAsset: asset.id
        )
    }

    private static func applyEdit(of staged: StagedExport, to record: inout AssetRecord) {
        guard let render = staged.files.first(where: { $0.planned.role == .render })?.record else {
            return
        }
        let types = staged.files.map(\.stated.type)
        EditPolicy.apply(
            render,
            hasPairedVideo: types.contains(.fullSizePairedVideo),
            to: &record
        )
        record.adjustmentFormatIdentifier = staged.step.exact.adjustmentFormatIdentifier
        record.adjustmentTimestamp = staged.step.exact.adjustmentTimestamp
    }
}
