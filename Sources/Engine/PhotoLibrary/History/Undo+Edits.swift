internal import GRDB
internal import PhotoModel

/// Edits that are taken back: what they made goes, what they replaced comes back.
extension Undo {
    /// Makes sure that a file of an edit is as the versions left it.
    func checkEdit(_ change: NetChange) throws {
        if change.existsAfter {
            guard let resource = try transaction.resource(id: change.id) else {
                throw changed(Self.name(change.new), "was edited again", change)
            }
            guard change.existedBefore else { return }
            let now = ResourceRecord.map.journaled(resource)
            try check(change, now: now, name: resource.originalFilename)
        } else if try !isKept(change) {
            throw impossible(
                "the earlier edit of \(Self.name(change.old)) is not kept any more",
                "Edit it again.",
                change
            )
        }
    }

    private func isKept(_ change: NetChange) throws -> Bool {
        guard case .text(let path)? = change.old["path"] else { return false }
        return try Bool.fetchOne(
            transaction.database,
            sql: "SELECT EXISTS (SELECT 1 FROM formerFile WHERE path = ? AND resourceId = ?)",
            arguments: [path, change.id]
        ) ?? false
    }

    /// Whether a change is of an edit's files, or of adjustments that an edit replaced.
    ///
    /// What an undoing inserted it had brought back: it joined nothing.
    func isOfEdit(_ change: NetChange) -> Bool {
        change.isOfEdit || target.isUndoing && change.isOfBroughtBackAdjustments
    }

    /// Takes files of edits back; those of assets that the versions made go with them.
    func undo(edits: [NetChange], of assets: [NetChange]) throws {
        let made = Set(assets.filter { !$0.existedBefore }.map(\.id))
        let edits = edits.filter { change in
            if case .integer(let id)? = change.new["assetId"] ?? change.old["assetId"] {
                !made.contains(id)
            } else {
                change.existedBefore
            }
        }
        for change in edits where !change.existedBefore && change.existsAfter {
            if let resource = try transaction.resource(id: change.id) {
                try transaction.retire(resource)
            }
        }
        for change in edits where change.existedBefore && change.existsAfter {
            guard let resource = try transaction.resource(id: change.id),
                let asset = try transaction.asset(id: resource.assetID)
            else { continue }
            let values = ResourceRecord.map.journaled(resource).merging(restored(change)) { $1 }
            guard
                let old = try ResourceRecord(
                    id: change.id,
                    values,
                    of: asset,
                    in: transaction.database
                )
            else { continue }
            try transaction.updateResource(old)
        }
        for change in edits where change.existedBefore && !change.existsAfter {
            guard case .integer(let id)? = change.old["assetId"],
                let asset = try transaction.asset(id: id),
                let resource = try ResourceRecord(
                    id: change.id,
                    change.old,
                    of: asset,
                    in: transaction.database
                )
            else { continue }
            try transaction.reinsert(resource)
        }
    }
}

extension NetChange {
    /// Whether it is a file that an edit made, or adjustments that became those of an edit.
    ///
    /// Its path never changes; an entry of an update does not name it.
    var isOfEdit: Bool {
        guard kind == .resource else { return false }
        var type: ResourceType?
        if case .integer(let raw)? = new["type"] ?? old["type"] {
            type = ResourceType(rawValue: Int(raw))
        }
        if case .text(let path)? = new["path"] ?? old["path"] {
            let isReplaced = existedBefore && !existsAfter && type == .adjustmentData
            return path.hasPrefix("edits/") || isReplaced
        }
        return type?.isMadeByEditing ?? false
    }

    /// Whether it is adjustments beside an original that were not there before.
    fileprivate var isOfBroughtBackAdjustments: Bool {
        guard kind == .resource, !existedBefore, existsAfter, case .integer(let raw)? = new["type"]
        else { return false }
        return ResourceType(rawValue: Int(raw)) == .adjustmentData
    }
}
