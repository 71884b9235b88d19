internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The work for an asset that was imported before: changed values, and files that the library
/// lacks.
struct KnownMigration: Sendable {
    var asset: ForeignAsset
    /// The plan's decision, with report lines only for files that both the source and the library
    /// lack.
    var step: MigrationPlan.Step
    /// The files to stage.
    var files: [MigrationPlan.File]
    /// The identifier of the library's asset.
    var localIdentifier: String
    /// Indicates whether the source no longer has the edit that was imported.
    var revertsEdit = false
    /// Indicates whether the sidecar that an earlier import created must be replaced.
    var changesSidecar = false
    /// Indicates whether the last import recorded an edit of the source.
    var hasEdit = false
    /// Indicates whether a later state of the source was imported before; if so, only files are
    /// imported.
    var isOlder = false
}

/// Decides what a migration does with an asset, based on the library's rows.
///
/// 1. An asset that was permanently deleted here is not imported again.
/// 2. A file is staged if the library lacks it, and a rendering of an edit if it may be another one
///    than at the last import. No other file is read.
/// 3. A file that both the source and the library lack is reported in every run, and so is a
///    damaged original.
/// 4. An older state of the source changes nothing; files that the library lacks are taken from it.
/// 5. An asset whose original is missing gets no other files until the original is available.
struct MigrationDecision {
    /// The decision about an asset.
    enum Outcome {
        /// The library does not have the asset.
        case new
        /// The report lines of an asset for which nothing is imported.
        case lines([MigrationLine])
        case known(KnownMigration)
    }

    let database: Database
    let kind: MigrationSourceKind
    /// The source's record counts, identifier and state.
    let counts: ForeignCounts

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
        if isSame, isWhole(asset, step, row) {
            return .lines([line(asset, step, row.objectUUID, remark)])
        }
        guard let record = try AssetRowFinder(database).asset(uuid: row.objectUUID) else {
            return .new
        }
        let present = try ExportDecision.resources(ofAsset: record.id, in: database)
        let source = try items.source(identifier: counts.identifier)
        var known = KnownMigration(
            asset: asset,
            step: step,
            files: [],
            localIdentifier: record.localIdentifier
        )
        known.isOlder = SourceState(counts)
            .isOlder(asset, than: row, isSameSource: source == row.sourceID)
        known.hasEdit = row.facts.edit != nil
        known.step.lines = missing(asset, step, row, present)
        known.step.isComplete = known.step.lines.isEmpty
        known.files = lacking(step, row, present)
        if !isProxy(present) || known.files.contains(where: { $0.role == .original }) {
            addEdit(to: &known, row, present)
        }
        addSidecar(to: &known, row)
        addDamaged(to: &known, row)
        let isSettled =
            isSame
            || row.facts.hasSameValues(as: MigrationFacts(asset.facts))
                && row.sourceModificationDate == asset.facts.modificationDate
        guard
            known.files.isEmpty, !known.revertsEdit, !known.changesSidecar,
            known.isOlder || known.step.isComplete == row.isComplete && isSettled
        else { return .known(known) }
        var lines = known.step.lines
        if !lines.contains(where: \.isLeading) {
            let reason = known.isOlder && !isSettled ? Self.older : remark
            lines.insert(line(asset, known.step, row.objectUUID, reason), at: 0)
        } else {
            for index in lines.indices where lines[index].isLeading {
                lines[index].notes += known.step.notes
            }
        }
        return .lines(lines)
    }

    /// Returns whether the row states that all files and the sidecar of an asset were imported.
    ///
    /// Called for an asset that is unchanged at the source.
    private func isWhole(
        _ asset: ForeignAsset,
        _ step: MigrationPlan.Step,
        _ row: MigratedItems.Row
    ) -> Bool {
        let facts = row.facts
        guard row.isComplete, facts.damaged == nil, let roles = facts.roles,
            facts.sidecar?.digest == MigrationSidecar.digest(of: asset)
        else { return false }
        return step.files.allSatisfy { file in
            file.role == .original || roles.contains(file.role)
                || file.role.isOfEdit && facts.edit?.roles?.contains(file.role) == true
        }
    }

    // MARK: - Files

    /// Returns the roles of the files that earlier imports added, other than files of edits.
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

    /// Returns the roles of the files that belonged to the last imported edit.
    static func takenRolesOfEdit(_ row: MigratedItems.Row, _ present: [ResourceRecord]) -> Set<
        ForeignResource.Role
    > {
        guard let edit = row.facts.edit else { return [] }
        if let roles = edit.roles { return Set(roles) }
        var roles: Set<ForeignResource.Role> = [.render]
        for resource in present where resource.isOfEdit {
            switch resource.type {
            case .fullSizePairedVideo: roles.insert(.renderPairedVideo)
            case .adjustmentBasePhoto, .adjustmentBaseVideo: roles.insert(.adjustmentBase)
            case .adjustmentData: roles.insert(.adjustments)
            default: break
            }
        }
        return roles
    }

    private func isProxy(_ present: [ResourceRecord]) -> Bool {
        present.contains { $0.type == .photoProxy }
    }

    /// Returns the files that the source has and the library lacks.
    ///
    /// The files of edits are compared by `addEdit`.
    private func lacking(
        _ step: MigrationPlan.Step,
        _ row: MigratedItems.Row,
        _ present: [ResourceRecord]
    ) -> [MigrationPlan.File] {
        let taken = Self.takenRoles(row, present)
        let hasProxy = isProxy(present)
        let hasRender = step.files.contains { $0.role == .render }
        guard !hasProxy || step.files.contains(where: { $0.role == .original }) else { return [] }
        return step.files.filter { file in
            switch file.role {
            case .original: hasProxy
            // Adjustments that nothing was rendered with.
            case .adjustments: !hasRender && row.facts.edit == nil && !taken.contains(.adjustments)
            default: !file.role.isOfEdit && !taken.contains(file.role)
            }
        }
    }

    /// Returns the report lines for expected files that neither the source nor the library has.
    private func missing(
        _ asset: ForeignAsset,
        _ step: MigrationPlan.Step,
        _ row: MigratedItems.Row,
        _ present: [ResourceRecord]
    ) -> [MigrationLine] {
        let taken = Self.takenRoles(row, present)
        // Photos may remove the files of an edit that was imported.
        let isSameEdit = row.facts.edit?.timestamp == asset.edit?.timestamp
        let takenOfEdit = isSameEdit ? Self.takenRolesOfEdit(row, present) : []
        return step.absent.filter { absent in
            absent.role == .original
                ? isProxy(present)
                : !(absent.role.isOfEdit ? takenOfEdit : taken).contains(absent.role)
        }.map { absent in
            var line = absent.line
            line.localIdentifier =
                LocalIdentifier(uuid: row.objectUUID, kind: .asset).description
            return line
        }
    }

    /// Adds the files of an asset's edit if the edit may have changed since the last import, or if
    /// some of its files were missing then.
    private func addEdit(
        to known: inout KnownMigration,
        _ row: MigratedItems.Row,
        _ present: [ResourceRecord]
    ) {
        let files = known.step.files
        let last = row.facts.edit
        guard let render = files.first(where: { $0.role == .render }) else {
            let hasEdit = known.asset.edit.map(\.hasRender) ?? false
            guard last != nil, !hasEdit, !known.asset.isShared, !known.isOlder else { return }
            known.revertsEdit = true
            // A revert shows the original, whose facts are read from it.
            let isStaged = known.files.contains { $0.role == .original }
            if !isStaged, let original = files.first(where: { $0.role == .original }) {
                known.files.insert(original, at: 0)
            }
            return
        }
        if known.isOlder {
            // Only the edit that is here is completed.
            guard let last, last.timestamp == known.asset.edit?.timestamp else { return }
        }
        let taken = Self.takenRolesOfEdit(row, present)
        if let last, last.isWhole, last.mayEqual(render.entry) || isUnchanged(known.asset, row),
            files.allSatisfy({ !$0.role.isOfEdit || taken.contains($0.role) })
        {
            return
        }
        known.files += files.filter { $0.role.isOfEdit || $0.role == .cameraAdjustments }
            .filter { !known.files.contains($0) }
    }

    /// Returns whether the dates of an asset and of its edit at the source are the same as at the
    /// last import.
    private func isUnchanged(_ asset: ForeignAsset, _ row: MigratedItems.Row) -> Bool {
        asset.facts.modificationDate != nil
            && asset.facts.modificationDate == row.sourceModificationDate
            && asset.edit?.timestamp == row.facts.edit?.timestamp
    }

    /// Requests a new sidecar if it would differ from the sidecar that an earlier import created.
    private func addSidecar(to known: inout KnownMigration, _ row: MigratedItems.Row) {
        guard !known.isOlder,
            row.facts.sidecar?.digest != MigrationSidecar.digest(of: known.asset)
        else { return }
        known.changesSidecar = true
        guard row.facts.sidecar?.hasCamera == true,
            !known.files.contains(where: { $0.role == .cameraAdjustments })
        else { return }
        known.files += known.step.files.filter { $0.role == .cameraAdjustments }
    }

    /// Stages a damaged original again if its file has changed at the source; otherwise, repeats
    /// the note about the damage.
    private func addDamaged(to known: inout KnownMigration, _ row: MigratedItems.Row) {
        guard let damaged = row.facts.damaged else { return }
        let original = known.step.files.first { $0.role == .original }
        let isStaged = known.files.contains { $0.role == .original }
        if let original, !damaged.mayEqual(original.entry) {
            if !isStaged { known.files.insert(original, at: 0) }
        } else if !isStaged {
            known.step.notes.append(damaged.note)
        }
    }

    // MARK: - Lines

    static let purged = "Deleted permanently from this library."
    static let trashed = "It is in Recently Deleted of this library."
    static let older = "It is older here than in the library's state that was imported last."

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
