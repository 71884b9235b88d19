internal import GRDB
internal import PhotoModel

/// Files that became assets of their own, as `RefreshCommit` makes them of what was taken for a sidecar.
///
/// Taking that back moves the file's row back and deletes the asset, which leaves a tombstone; doing it
/// again brings the asset back under its old ids.
extension Undo {
    /// The assets that versions made of files of other assets, or deleted again.
    struct Splits {
        /// Row ids of assets that were made.
        private(set) var made: Set<Int64> = []
        /// Row ids of assets that were deleted when that was undone.
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

    /// Makes sure that an original's row is as the versions left it.
    func checkFile(_ change: NetChange) throws {
        guard let resource = try transaction.resource(id: change.id) else {
            throw changed(Self.name(change.new), "was deleted for good", change)
        }
        let now = ResourceRecord.map.journaled(resource)
        try check(change, now: now, name: resource.originalFilename)
    }

    /// Makes sure that the assets that were made are as they were made.
    func checkSplits(_ splits: Splits, _ assets: [NetChange]) throws {
        for change in assets where splits.made.contains(change.id) {
            guard let asset = try transaction.asset(id: change.id) else {
                throw changed(Self.name(change.new), "was deleted for good", change)
            }
            let now = AssetRecord.map.journaled(asset)
            try check(change, now: now, name: asset.originalFilename)
            guard try transaction.albumIDs(of: asset.id).isEmpty else {
                throw changed(asset.originalFilename, "was put into an album", change)
            }
            guard try transaction.resources(ofAsset: asset.id).count == 1 else {
                throw changed(asset.originalFilename, "got other files", change)
            }
        }
    }

    /// Brings assets back of which the files come back.
    func reinsert(_ splits: Splits, _ assets: [NetChange]) throws {
        for change in assets where splits.undone.contains(change.id) {
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

    /// Gives originals the asset and the type back that they had.
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

    /// Deletes the assets that were made, whose files are gone from them by now.
    func deleteAssets(of splits: Splits) throws {
        for id in splits.made.sorted() {
            let burst = try transaction.asset(id: id)?.burstIdentifier
            try transaction.deleteAsset(id: id)
            if let burst { try transaction.keepOneKeyFrame(of: burst) }
        }
    }
}

extension NetChange {
    /// Whether it is an original that went from one asset to another.
    var isMovedFile: Bool {
        kind == .resource && existedBefore && existsAfter
            && old["assetId"] != nil && new["assetId"] != nil
    }
}
