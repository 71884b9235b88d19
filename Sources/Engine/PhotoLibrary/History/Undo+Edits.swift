internal import GRDB
internal import PhotoModel

/// Undoes edits: retires the files that an edit created, and restores the files that it replaced.
extension Undo {
    /// Throws an error unless the change of an edit's file can be undone.
    ///
    /// A file that the versions left must still exist, and one that they changed must be unchanged
    /// since. A file that they removed must have been kept, and be there with its size.
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
                "the earlier edit of \(Self.name(change.old)) has been removed",
                "Edit the photo again.",
                change
            )
        } else if !isThere(change) {
            throw impossible(
                "a file of the earlier edit of \(Self.name(change.old)) is missing or damaged",
                "Restore it with photos verify --repair --from BACKUP, or edit the photo again.",
                change
            )
        }
    }

    /// Returns whether the file of a deleted row exists with its size.
    private func isThere(_ change: NetChange) -> Bool {
        guard case .text(let path)? = change.old["path"],
            case .integer(let size)? = change.old["size"]
        else { return false }
        let file = StoredFile(
            path: bundle.absolutePath(of: path),
            size: size,
            files: FileOperations()
        )
        if case .present = file.inspect() { return true }
        return false
    }

    private func isKept(_ change: NetChange) throws -> Bool {
        guard case .text(let path)? = change.old["path"] else { return false }
        return try Bool.fetchOne(
            transaction.database,
            sql: "SELECT EXISTS (SELECT 1 FROM formerFile WHERE path = ? AND resourceId = ?)",
            arguments: [path, change.id]
        ) ?? false
    }

    /// Returns whether a change affects an edit's files, or adjustments that an edit replaced.
    ///
    /// Adjustments inserted by an undo also count: they were restored and did not join an asset.
    func isOfEdit(_ change: NetChange) -> Bool {
        change.isOfEdit || target.isUndoing && change.isOfBroughtBackAdjustments
    }

    /// Undoes the changes to the files of edits, except for assets that the undone versions
    /// created.
    ///
    /// A created asset moves to Recently Deleted with its files.
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
    /// Indicates whether the change concerns a file that an edit created, or adjustments that an
    /// edit replaced.
    ///
    /// A file's path never changes, so the entry of an update does not contain it.
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

    /// Indicates whether the change inserted adjustment data, as an undo does when it restores
    /// replaced adjustments.
    fileprivate var isOfBroughtBackAdjustments: Bool {
        guard kind == .resource, !existedBefore, existsAfter, case .integer(let raw)? = new["type"]
        else { return false }
        return ResourceType(rawValue: Int(raw)) == .adjustmentData
    }
}
