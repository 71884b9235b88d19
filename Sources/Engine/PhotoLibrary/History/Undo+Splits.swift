internal import GRDB
internal import PhotoModel

/// Undoes and redoes splits, in which `RefreshCommit` turns a file that was imported as a sidecar
/// into a separate asset.
///
/// Undo moves the file's row back and deletes the asset, which leaves a tombstone. Redo restores
/// the asset with its previous ids.
extension Undo {
    /// The assets that a split created or the undo of a split deleted, in the versions that are
    /// being undone.
    struct Splits {
        /// The row ids of the assets that were split from others.
        private(set) var made: Set<Int64> = []
        /// The row ids of the assets that were deleted because their split was undone.
        private(set) var undone: Set<Int64> = []

        init(_ changes: [NetChange], in transaction: LibraryTransaction) throws {
            let inserted = Set(
                changes.filter { $0.kind == .asset && !$0.existedBefore }.map(\.id)
            )
            let deleted = Set(changes.filter { $0.kind == .asset && !$0.existsAfter }.map(\.id))
            for change in changes where change.isMovedFile {
                if case .integer(let id)? = change.new["assetId"], inserted.contains(id) {
                    made.insert(id)
                }
                if case .integer(let id)? = change.old["assetId"], deleted.contains(id) {
                    undone.insert(id)
                }
            }
        }
    }

    /// Throws an error if an original's row has changed since the undone versions.
    func checkFile(_ change: NetChange) throws {
        guard let resource = try transaction.resource(id: change.id) else {
            throw changed(Self.name(change.new), "was permanently deleted", change)
        }
        let now = ResourceRecord.map.journaled(resource)
        try check(change, now: now, name: resource.originalFilename)
    }

    /// Throws an error unless the assets that the undone versions split off are unchanged since
    /// then.
    func checkSplits(_ splits: Splits, _ assets: [NetChange]) throws {
        for change in assets where splits.made.contains(change.id) {
            guard let asset = try transaction.asset(id: change.id) else {
                throw changed(Self.name(change.new), "was permanently deleted", change)
            }
            let now = AssetRecord.map.journaled(asset)
            try check(change, now: now, name: asset.originalFilename)
            guard try transaction.albumIDs(of: asset.id).isEmpty else {
                throw changed(asset.originalFilename, "was added to an album", change)
            }
            guard try transaction.resources(ofAsset: asset.id).count == 1 else {
                throw changed(asset.originalFilename, "got other files", change)
            }
        }
    }

    /// Restores the assets that were deleted when their split was undone.
    ///
    /// Fails if the other computers of a cloud library ignore an asset, since its purge is final.
    func reinsert(_ splits: Splits, _ assets: [NetChange]) throws {
        let table = CloudStampTable(database: transaction.database)
        for change in assets where splits.undone.contains(change.id) {
            guard try !table.isFinal(change.uuid) else {
                throw changed(Self.name(change.old), "was permanently deleted", change)
            }
            guard try transaction.asset(uuid: change.uuid) == nil else {
                throw changed(Self.name(change.old), "was restored", change)
            }
            let row = try AssetRecord.map.row(
                id: change.id,
                change.old,
                in: transaction.database
            )
            if let record = try row.map(AssetRecord.init(row:)) {
                try transaction.reinsertAsset(record)
            }
        }
    }

    /// Reassigns moved originals to their previous assets, with their previous types.
    func undo(files changes: [NetChange]) throws {
        for change in changes
        where change.kind == .resource && change.existedBefore && change.existsAfter
            && !change.isOfEdit
        {
            guard let resource = try transaction.resource(id: change.id) else { continue }
            let values = ResourceRecord.map.journaled(resource).merging(restored(change)) { $1 }
            guard case .integer(let id)? = values["assetId"],
                let asset = try transaction.asset(id: id),
                let old = try ResourceRecord(
                    id: change.id,
                    values,
                    of: asset,
                    in: transaction.database
                )
            else { continue }
            try transaction.updateResource(old)
        }
    }

    /// Deletes the assets that the undone versions split off, after their files were moved back to
    /// their previous assets.
    func deleteAssets(of splits: Splits) throws {
        for id in splits.made.sorted() {
            let burst = try transaction.asset(id: id)?.burstIdentifier
            try transaction.deleteAsset(id: id)
            if let burst { try transaction.keepOneKeyFrame(of: burst) }
        }
    }
}

extension NetChange {
    /// Indicates whether an original moved from one asset to another.
    var isMovedFile: Bool {
        kind == .resource && existedBefore && existsAfter
            && old["assetId"] != nil && new["assetId"] != nil
    }
}
