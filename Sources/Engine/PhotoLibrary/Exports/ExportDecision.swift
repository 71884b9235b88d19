internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The work for an exported asset that is new to the library or has changed since its import.
struct ExportStep: Sendable {
    var asset: ForeignAsset
    var exact: AssetRecord
    /// The current values at the source, with the keys of all files that the export lists.
    var facts: ExportFacts
    /// The files to stage; for a new asset, the original comes first.
    var files: [MigrationPlan.File]
    /// Indicates whether the library does not have the asset.
    var isNew: Bool
    /// Indicates whether the source's edit is imported; the edit's files are among `files`.
    var takesEdit = false
    /// Indicates whether the edit that was imported before is reverted.
    var revertsEdit = false
    /// The report lines of absent files.
    var lines: [MigrationLine]
    var notes: [MigrationNote]
    /// Indicates whether the import is complete; false if a file remains to be imported later.
    var isComplete: Bool
    /// Indicates whether values or files of a known asset change, and not just its import record.
    var changes = true
    /// The reason that is reported for a known asset that changes.
    static let changed = "Changes at the source were taken over."
    /// The reason that is reported for a known asset which does not change.
    var remark: String?
}

/// Decides what an import does with an exported asset, based on the library's rows and the listing
/// of the export.
///
/// 1. An asset of the library that no import made stays as it is, whatever its files.
/// 2. What was imported is compared with what is there: changes of this library are never undone.
/// 3. An earlier state of the source changes nothing.
struct ExportDecision {
    /// The decision about an asset.
    enum Outcome {
        /// No work is needed except to report these lines.
        case lines([MigrationLine])
        case step(ExportStep)
    }

    let database: Database
    let listing: SourceListing
    let library: String?
    let version: Int64?

    private static let kind = MigrationSourceKind.photosExport

    func decide(_ asset: ForeignAsset, _ exact: AssetRecord) throws -> Outcome {
        let items = MigratedItems(database: database, kind: Self.kind)
        let files = ExportedFiles(asset, exact, in: listing)
        var notes = asset.notes.map { MigrationNote($0.code, .note, $0.text) } + files.notes
        var facts = ExportFacts(exact, library: library, version: version)
        facts.files = files.kept.map(\.key)
        facts.edit = files.renderKey
        guard let row = try items.row(asset.item), row.objectKind == .asset else {
            if let record = try AssetRowFinder(database).asset(uuid: asset.item) {
                if try isOther(record, files) {
                    notes.append(
                        MigrationNote(
                            "identifierTaken",
                            "A photo of this library has its identifier and another original; it"
                                + " stays as it is."
                        )
                    )
                }
                return duplicate(asset, record.uuid, nil, notes)
            }
            if try items.isPurged(asset.item, .asset) {
                return duplicate(asset, nil, "Deleted permanently from this library.", notes)
            }
            return new(asset, exact, facts, files, notes)
        }
        guard let record = try AssetRowFinder(database).asset(uuid: row.objectUUID) else {
            return duplicate(asset, nil, "Deleted permanently from this library.", notes)
        }
        guard let last = row.facts.export else {
            return duplicate(asset, record.uuid, nil, notes)
        }
        if facts.isOlder(than: last) {
            let reason =
                facts.hasSameValues(as: last)
                ? nil : "The export is older than the one that was imported last."
            return duplicate(asset, record.uuid, reason, notes)
        }
        return try known(asset, exact, facts, files, record, row, last, notes)
    }

    // MARK: - New assets

    private func new(
        _ asset: ForeignAsset,
        _ exact: AssetRecord,
        _ facts: ExportFacts,
        _ files: ExportedFiles,
        _ notes: [MigrationNote]
    ) -> Outcome {
        guard let original = files.original else {
            var line = Self.missing(asset, nil, "The export has no original of it.")
            line.isLeading = true
            line.notes = notes
            return .lines([line])
        }
        guard let planned = original.planned else {
            var line = Self.missing(asset, original)
            line.isLeading = true
            line.notes = notes
            return .lines([line])
        }
        let absent = (files.others + files.edit).filter { $0.entry == nil }
        let isEditWhole = !files.edit.isEmpty && files.edit.allSatisfy { $0.entry != nil }
        let wanted = files.others + (isEditWhole ? files.edit : [])
        return .step(
            ExportStep(
                asset: asset,
                exact: exact,
                facts: facts,
                files: [planned] + wanted.compactMap(\.planned),
                isNew: true,
                takesEdit: isEditWhole,
                lines: absent.map { Self.missing(asset, $0) },
                notes: notes,
                isComplete: absent.isEmpty
            )
        )
    }

    // MARK: - Known assets

    private func known(
        _ asset: ForeignAsset,
        _ exact: AssetRecord,
        _ facts: ExportFacts,
        _ files: ExportedFiles,
        _ record: AssetRecord,
        _ row: MigratedItems.Row,
        _ last: ExportFacts,
        _ notes: [MigrationNote]
    ) throws -> Outcome {
        var notes = notes
        let reason =
            record.trashedDate != nil && exact.trashedDate == nil
            ? "It is in Recently Deleted of this library." : nil
        let isSame = facts.hasSameValues(as: last)
        if row.isComplete, isSame, facts.version == last.version, facts.library == last.library {
            return duplicate(asset, record.uuid, reason, notes)
        }
        var step = ExportStep(
            asset: asset,
            exact: exact,
            facts: facts,
            files: [],
            isNew: false,
            lines: [],
            notes: [],
            isComplete: true
        )
        let present = try Self.resources(ofAsset: record.id, in: database)
        if record.uuid == asset.item {
            joinFiles(of: files, last, present, &step)
            changeEdit(files, last, present, &step, &notes)
        } else {
            completeElsewhere(files, last, record, present, &step)
        }
        var trial = record
        var merged = last
        let kept = merged.merge(facts, from: exact, into: &trial, at: record.modificationDate)
        if !kept.isEmpty {
            notes.append(
                MigrationNote(
                    "keptYours",
                    "It was changed at the source and in this library; yours was kept: "
                        + kept.joined(separator: ", ") + "."
                )
            )
        }
        let isUnchanged = trial == record && merged == last && step.isComplete == row.isComplete
        guard !step.files.isEmpty || step.revertsEdit || !isUnchanged else {
            guard case .lines(let lines) = duplicate(asset, record.uuid, reason, notes) else {
                return .lines(step.lines)
            }
            return .lines(lines + step.lines)
        }
        step.notes = notes
        step.changes = trial != record || !step.files.isEmpty || step.revertsEdit
        step.remark = reason
        return .step(step)
    }

    /// Adds to the step the files that the asset gained at the source since its import.
    private func joinFiles(
        of files: ExportedFiles,
        _ last: ExportFacts,
        _ present: [ResourceRecord],
        _ step: inout ExportStep
    ) {
        let keys = Set(present.map { ExportFacts.key($0.type, $0.sha256) })
        for file in files.kept where !last.files.contains(file.key) && !keys.contains(file.key) {
            let isTaken = present.contains { !$0.isOfEdit && $0.type == file.stated.type }
            // An asset has one original, which only replaces a smaller version.
            let replacesProxy =
                file.role == .original && file.stated.type != .photoProxy
                && present.contains { $0.type == .photoProxy }
            guard file.stated.type == .sidecar || !isTaken,
                file.role != .original || replacesProxy
            else { continue }
            if let planned = file.planned {
                step.files.append(planned)
            } else {
                step.lines.append(Self.missing(step.asset, file))
                step.isComplete = false
            }
        }
    }

    /// Adds to the step the exported files and the edit that an asset from another source still
    /// lacks.
    ///
    /// The edit is added only if the asset is not edited and no earlier import added or declined an
    /// edit.
    private func completeElsewhere(
        _ files: ExportedFiles,
        _ last: ExportFacts,
        _ record: AssetRecord,
        _ present: [ResourceRecord],
        _ step: inout ExportStep
    ) {
        let keys = Set(present.map { ExportFacts.key($0.type, $0.sha256) })
        var wanted = files.others.filter { file in
            !last.files.contains(file.key) && !keys.contains(file.key)
                && ExportCommit.lacks(file.stated.type, record, present)
        }
        let isUnedited = !record.hasAdjustments && !present.contains(where: \.isOfEdit)
        if last.edit == nil, isUnedited, files.renderKey != nil {
            if files.edit.allSatisfy({ $0.entry != nil }) {
                step.takesEdit = true
                wanted += files.edit
            } else {
                wanted += files.edit.filter { $0.entry == nil }
            }
        }
        step.files = wanted.compactMap(\.planned)
        let absent = wanted.filter { $0.entry == nil }
        step.lines += absent.map { Self.missing(step.asset, $0) }
        if !absent.isEmpty { step.isComplete = false }
    }

    /// Applies a new edit or a revert from the source, unless the edit was changed in this library.
    private func changeEdit(
        _ files: ExportedFiles,
        _ last: ExportFacts,
        _ present: [ResourceRecord],
        _ step: inout ExportStep,
        _ notes: inout [MigrationNote]
    ) {
        let shown = ExportedFiles.renderKey(of: present)
        let stated = files.renderKey
        guard stated != last.edit, stated != shown else { return }
        guard shown == last.edit else {
            notes.append(
                MigrationNote(
                    "keptYours",
                    "It was changed at the source and in this library; yours was kept: edit."
                )
            )
            return
        }
        guard stated != nil else {
            step.revertsEdit = true
            return
        }
        let absent = files.edit.filter { $0.entry == nil }
        step.lines += absent.map { Self.missing(step.asset, $0) }
        guard absent.isEmpty else {
            step.isComplete = false
            return
        }
        step.takesEdit = true
        step.files += files.edit.compactMap(\.planned)
    }

    // MARK: - Rows and lines

    static func resources(ofAsset id: Int64, in database: Database) throws -> [ResourceRecord] {
        let statement = try database.cachedStatement(
            sql: ResourceRecord.selectSQL + " WHERE resource.assetId = ? ORDER BY resource.id"
        )
        return try Row.fetchAll(statement, arguments: [id]).map(ResourceRecord.init(row:))
    }

    private func isOther(_ record: AssetRecord, _ files: ExportedFiles) throws -> Bool {
        guard let original = files.original else { return false }
        return try !Self.resources(ofAsset: record.id, in: database)
            .contains { $0.sha256 == original.stated.sha256 }
    }

    private func duplicate(
        _ asset: ForeignAsset,
        _ uuid: String?,
        _ reason: String?,
        _ notes: [MigrationNote]
    ) -> Outcome {
        .lines([
            MigrationLine(
                kind: Self.kind,
                item: asset.item,
                path: nil,
                outcome: .duplicate,
                localIdentifier: uuid.map {
                    LocalIdentifier(uuid: $0, kind: .asset).description
                },
                reason: reason,
                notes: notes
            )
        ])
    }

    private static func missing(_ asset: ForeignAsset, _ file: ExportedFiles.File)
        -> MigrationLine
    {
        let reason =
            file.path == nil
            ? "The library did not have the file when it was exported." : "The file is not there."
        return missing(
            asset,
            file.path,
            "\(reason) Export the library again, or copy the whole export."
        )
    }

    private static func missing(_ asset: ForeignAsset, _ path: String?, _ reason: String)
        -> MigrationLine
    {
        MigrationLine(
            kind: kind,
            item: asset.item,
            path: path,
            outcome: .missing,
            reason: reason,
            isLeading: false
        )
    }
}
