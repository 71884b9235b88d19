internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The work for an asset that was imported before: changed values, and files that the library
/// lacks.
struct KnownMigration: Sendable {
    var asset: ForeignAsset
    /// The decision without the library's rows; its lines are those of files that both lack.
    var step: MigrationPlan.Step
    /// The files to stage.
    var files: [MigrationPlan.File]
    /// Indicates whether the edit that was imported is not at the source any more.
    var revertsEdit = false
}

/// Decides about an asset of another program's library from the rows of this one.
///
/// 1. An asset that was permanently deleted here is not imported again.
/// 2. A file is staged if the library lacks it, and a rendering of an edit if it may be another one
///    than at the last import. No other file is read.
/// 3. A file that both lack has a line in every run.
struct MigrationDecision {
    /// The result for an asset.
    enum Outcome {
        /// The library does not have it.
        case new
        /// Nothing is to be done.
        case lines([MigrationLine])
        case known(KnownMigration)
    }

    let database: Database
    let kind: MigrationSourceKind

    func decide(_ asset: ForeignAsset, _ step: MigrationPlan.Step) throws -> Outcome {
        let items = MigratedItems(database: database, kind: kind)
        guard let row = try items.row(asset.item), row.objectKind == .asset else {
            guard let uuid = asset.uuid, try items.isPurged(uuid, .asset) else { return .new }
            return .lines([line(asset, step, nil, Self.purged)])
        }
        guard let isTrashed = try items.isTrashed(row.objectUUID) else {
            return .lines([line(asset, step, nil, Self.purged)])
        }
        let remark = isTrashed && !asset.facts.isTrashed ? Self.trashed : nil
        // A source without modification dates is compared by its values.
        let isSame =
            asset.facts.modificationDate != nil && row.fingerprint == asset.fingerprint
            && row.sourceModificationDate == asset.facts.modificationDate
        if isSame, row.isComplete {
            return .lines([line(asset, step, row.objectUUID, remark)])
        }
        guard let record = try AssetRowFinder(database).asset(uuid: row.objectUUID) else {
            return .new
        }
        let present = try ExportDecision.resources(ofAsset: record.id, in: database)
        var known = KnownMigration(asset: asset, step: step, files: [])
        known.step.lines = missing(asset, step, row, present)
        known.step.isComplete = known.step.lines.isEmpty
        known.files = lacking(step, row, present)
        addEdit(to: &known, row)
        guard
            known.files.isEmpty, !known.revertsEdit, known.step.isComplete == row.isComplete,
            isSame
                || row.facts.hasSameValues(as: MigrationFacts(asset.facts))
                    && row.sourceModificationDate == asset.facts.modificationDate
        else { return .known(known) }
        var lines = known.step.lines
        if !lines.contains(where: \.isLeading) {
            lines.insert(line(asset, step, row.objectUUID, remark), at: 0)
        } else {
            for index in lines.indices where lines[index].isLeading {
                lines[index].notes += step.notes
            }
        }
        return .lines(lines)
    }

    // MARK: - Files

    /// Returns the roles of the files that were taken at earlier imports, besides those of edits.
    static func takenRoles(_ row: MigratedItems.Row, _ present: [ResourceRecord]) -> Set<
        ForeignResource.Role
    > {
        if let roles = row.facts.roles { return Set(roles) }
        var roles: Set<ForeignResource.Role> = [.cameraAdjustments, .sidecar]
        for resource in present {
            switch resource.type {
            case .photo, .video, .audio: roles.insert(.original)
            case .pairedVideo: roles.insert(.pairedVideo)
            case .alternatePhoto: roles.insert(.alternatePhoto)
            default: break
            }
        }
        return roles
    }

    /// Returns the files that are at the source and not here; those of edits are compared apart.
    private func lacking(
        _ step: MigrationPlan.Step,
        _ row: MigratedItems.Row,
        _ present: [ResourceRecord]
    ) -> [MigrationPlan.File] {
        let taken = Self.takenRoles(row, present)
        let hasProxy = present.contains { $0.type == .photoProxy }
        return step.files.filter { file in
            if file.role.isOfEdit { return false }
            return file.role == .original ? hasProxy : !taken.contains(file.role)
        }
    }

    /// Returns the lines of expected files that neither the source nor the library has.
    private func missing(
        _ asset: ForeignAsset,
        _ step: MigrationPlan.Step,
        _ row: MigratedItems.Row,
        _ present: [ResourceRecord]
    ) -> [MigrationLine] {
        let taken = Self.takenRoles(row, present)
        let hasProxy = present.contains { $0.type == .photoProxy }
        return step.absent.filter { absent in
            switch absent.role {
            case .original: hasProxy
            // Photos may remove the rendering of an edit that was imported.
            case .render: row.facts.edit.map { $0.timestamp != asset.edit?.timestamp } ?? true
            default: !taken.contains(absent.role)
            }
        }.map { absent in
            var line = absent.line
            line.localIdentifier =
                LocalIdentifier(uuid: row.objectUUID, kind: .asset).description
            return line
        }
    }

    /// Adds the files of an edit that may be another one than at the last import.
    private func addEdit(to known: inout KnownMigration, _ row: MigratedItems.Row) {
        let files = known.step.files
        guard let render = files.first(where: { $0.role == .render }) else {
            let hasEdit = known.asset.edit.map(\.hasRender) ?? false
            guard row.facts.edit != nil, !hasEdit, !known.asset.isShared else { return }
            known.revertsEdit = true
            // A revert shows the original, whose facts are read from it.
            let isStaged = known.files.contains { $0.role == .original }
            if !isStaged, let original = files.first(where: { $0.role == .original }) {
                known.files.insert(original, at: 0)
            }
            return
        }
        if let last = row.facts.edit, last.isWhole, last.mayEqual(render.entry) { return }
        known.files += files.filter { $0.role.isOfEdit || $0.role == .cameraAdjustments }
            .filter { !known.files.contains($0) }
    }

    // MARK: - Lines

    static let purged = "Deleted permanently from this library."
    static let trashed = "It is in Recently Deleted of this library."

    private func line(
        _ asset: ForeignAsset,
        _ step: MigrationPlan.Step,
        _ uuid: String?,
        _ reason: String?
    ) -> MigrationLine {
        MigrationLine(
            kind: kind,
            item: asset.item,
            path: nil,
            outcome: .duplicate,
            localIdentifier: uuid.map { LocalIdentifier(uuid: $0, kind: .asset).description },
            reason: reason,
            notes: step.notes
        )
    }
}
