internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Updates existing assets: adds files that they lack, and applies changes made at the source.
///
/// 1. A value is taken over if the library still has the value of the last import. A value that was
///    changed here stays.
/// 2. The rendering of an edit follows the same rule, and so does a revert at the source. An edit
///    that was made, replaced or reverted here stays.
/// 3. An older state of the source changes no value and no edit, and completes what is there.
/// 4. In an asset that came from another source, only empty values are filled. The asset gets the
///    files whose kind it lacks, and an edit if it has none.
extension MigrationCommit {
    /// Adds the files that an imported asset lacks, and applies the source's changes.
    mutating func join(_ staged: StagedMigration, to asset: AssetRecord, _ row: MigratedItems.Row)
        throws
    {
        let present = try transaction.resources(ofAsset: asset.id)
        var joined = Joined(record: asset)
        var facts = row.facts
        var kept: [String] = []
        let isTimeOfImport = facts.isTimeOfImport(asset) && !staged.isOlder
        if !staged.isOlder {
            kept = facts.apply(
                MigrationFacts(staged.asset.facts),
                to: &joined.record,
                at: transaction.now
            )
            facts.state = state
        }
        replaceOriginal(of: &joined, staged, present, row.facts.damaged)
        if joined.replaced?.type == .photoProxy {
            fillFromOriginal(&joined, staged, isTimeOfImport: isTimeOfImport)
            if isTimeOfImport { facts.time = AppliedTime(joined.record) }
        }
        if joined.replaced != nil { facts.damaged = nil }
        if var damaged = staged.damaged {
            // The library keeps the first one.
            damaged.sha256 = row.facts.damaged?.sha256 ?? damaged.sha256
            facts.damaged = damaged
        }
        addFiles(to: &joined, staged, present)
        replaceSidecar(of: &joined, staged, present, &facts)
        let shown = Self.rendering(of: asset, present)
        let taken = MigrationDecision.takenRolesOfEdit(row, present)
        facts.edit?.roles = taken.sorted { $0.rawValue < $1.rawValue }
        var isEditKept = false
        if let source = Self.edit(of: staged) {
            let last = row.facts.edit
            let gained = Set(source.roles ?? []).subtracting(taken)
            if source.sha256 == shown, last?.sha256 == shown {
                complete(&joined, staged, gained, present)
                facts.edit = source
                facts.edit?.roles = taken.union(gained).sorted { $0.rawValue < $1.rawValue }
            } else if staged.isOlder {
                decline(edit: staged, in: &joined)
            } else if source.sha256 == shown, last?.isWhole != false || !source.isWhole {
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
        } else if !staged.isOlder,
            let render = staged.plan.files.first(where: { $0.role == .render }),
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
            if let replaced = joined.replaced {
                replaced.type == .photoProxy
                    ? "The original replaced the smaller version."
                    : "The intact original replaced the damaged one."
            } else if joined.fresh.contains(where: { !$0.role.isOfEdit }) {
                "Files that were missing were added."
            } else if record != asset {
                "Changes at the source were taken over."
            } else if record.trashedDate != nil, !staged.asset.facts.isTrashed {
                MigrationDecision.trashed
            } else {
                staged.isOlder ? MigrationDecision.older : nil
            }
        report(joined, staged, record, present, reason)
    }
}
