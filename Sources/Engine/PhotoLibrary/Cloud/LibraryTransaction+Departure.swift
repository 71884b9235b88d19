internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Handles objects that are deleted from the library and may be restored later.
///
/// Their registers are kept as pending operations until the deletion is final.
extension LibraryTransaction {
    /// Saves an asset's registers (its mergeable values with their stamps) as pending operations
    /// before the asset is deleted.
    ///
    /// Does nothing if the transaction has already done so.
    func noteDeparture(ofAsset asset: AssetRecord) throws {
        try note { notes, stamp in
            guard !notes.departed.contains(asset.uuid) else { return }
            try stampAdditions(of: asset, notes, stamp)
            for album in notes.placed.keys { notes.placed[album]?.remove(asset.id) }
            try stampRemovals(of: asset, notes, stamp)
            if try CloudTwinTable(database: database).contains(asset.uuid) {
                try notes.write()
                try keepTwins(of: asset, at: stamp)
                notes.departed.insert(asset.uuid)
                return
            }
            var stamps = try notes.asset(asset.uuid)
            var leaving = asset
            // An asset that another one absorbed was never in Recently Deleted.
            if asset.trashedDate == nil || stamps.entries[RegisterKey(.trash)] == nil {
                leaving.trashedDate = asset.trashedDate ?? now
                stamps.touch(RegisterKey(.trash), at: stamp)
            }
            let trash = stamps.entries[RegisterKey(.trash)]?.stamp ?? stamp
            let purge = CloudOperation.purge(
                try CloudID.of(asset.uuid),
                trash: trash,
                date: try CloudObjects.value(of: RegisterKey(.trash), in: leaving, [])
            )
            try keep(leaving, stamps, purge: purge, at: stamp)
            notes.departed.insert(asset.uuid)
            notes.forget(asset.uuid)
        }
    }

    /// Assigns order keys and stamps to an asset's memberships in the albums to which the
    /// transaction added the asset, or in which it moved the asset, before the asset itself is
    /// deleted.
    ///
    /// Other members get theirs at the end of the transaction: until then, they may leave the album
    /// again, and then no journal entry would name them.
    private func stampAdditions(
        of asset: AssetRecord,
        _ notes: CloudNotes,
        _ stamp: ChangeStamp
    ) throws {
        let unplaced = try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT albumId FROM albumAsset WHERE assetId = ? AND orderKey IS NULL"
            ),
            arguments: [asset.id]
        )
        let noted = notes.placed.filter { $0.value.contains(asset.id) }.keys
        let table = CloudStampTable(database: database)
        for id in Set(unplaced).union(noted) {
            guard let album = try collection(id: id) else { continue }
            try OrderKeys(membersOf: id, in: database).assign(leaving: asset.id)
            let entry = CloudStamps.Entry(rank: 0, stamp: stamp)
            try table.setMember(entry, album: album.uuid, asset: asset.uuid)
        }
    }

    /// Stamps an asset's memberships in the albums from which the transaction removed the asset,
    /// before the asset itself is deleted.
    ///
    /// At the end of the transaction, nothing would name the asset any more, and the albums of
    /// other devices would keep it if the purge becomes void.
    private func stampRemovals(
        of asset: AssetRecord,
        _ notes: CloudNotes,
        _ stamp: ChangeStamp
    ) throws {
        let pending = pendingAlbums.albums.filter { $0.value.isRemoved(asset.id) }.keys
        let noted = notes.removed.filter { $0.value.contains(asset.id) }.keys
        let table = CloudStampTable(database: database)
        for id in Set(pending).union(noted) {
            guard let album = try collection(id: id) else { continue }
            let entry = CloudStamps.Entry(rank: 0, stamp: stamp)
            try table.setMember(entry, album: album.uuid, asset: asset.uuid)
        }
    }

    /// Purges an asset and its twins (the same photo imported on other devices), and keeps the
    /// registers of each of them as pending operations.
    private func keepTwins(of asset: AssetRecord, at stamp: ChangeStamp) throws {
        let id = try CloudID.of(asset.uuid)
        guard var twins = try TwinClass(of: id, in: database), let shown = twins.members[id] else {
            return
        }
        var leaving = asset
        leaving.trashedDate = asset.trashedDate ?? now
        let known = asset.trashedDate == nil ? nil : shown.rowStamps.entries[RegisterKey(.trash)]
        let trash = Register(
            stamp: known?.stamp ?? stamp,
            value: try CloudObjects.value(of: RegisterKey(.trash), in: leaving, [])
        )
        twins.purge(trash: trash, at: stamp)
        try twins.keep()
        try forgetStamps(of: asset)
        let table = CloudTwinTable(database: database)
        for id in twins.members.keys { try table.setRepresentative(nil, of: id.uuid) }
    }

    /// Deletes the stamps of an asset and its memberships, which the caller has saved as pending
    /// operations.
    func forgetStamps(of asset: AssetRecord) throws {
        try CloudStampTable(database: database).remove(.asset, asset.uuid)
        try database.cachedStatement(
            sql: """
                DELETE FROM cloudStamp WHERE kind = \(CloudStampTable.Kind.member.rawValue)
                    AND uuid IN (SELECT uuid || '/' || ? FROM collection
                        WHERE kind = \(ObjectKind.album.rawValue))
                """
        ).execute(arguments: [asset.uuid])
    }

    /// Moves the registers and memberships of an asset to the pending operations, and adds the
    /// asset's purge.
    func keep(
        _ asset: AssetRecord,
        _ stamps: CloudStamps,
        purge: CloudOperation,
        at stamp: ChangeStamp
    ) throws {
        let objects = CloudObjects(database)
        let memberships = try objects.memberships(of: asset)
        var operations = try objects.operations(of: asset, stamps)
        operations.byStamp.merge(memberships.byStamp) { $0 + $1 }
        operations.add(purge, at: stamp)
        operations.add(
            try CloudColumns.modification(asset.modificationDate, of: asset.uuid),
            at: stamp
        )
        let table = CloudStampTable(database: database)
        let pending = CloudPendingTable(database: database)
        for transaction in operations.transactions { try pending.add(transaction, to: asset.uuid) }
        for operation in memberships.byStamp.values.joined() {
            if case .set(let album, _, _, _) = operation {
                try table.removeMember(album: album.uuid, asset: asset.uuid)
            }
        }
        try table.remove(.asset, asset.uuid)
    }

    /// Saves the registers of an album or folder as pending operations before it is deleted.
    func noteDeparture(of collection: CollectionRecord) throws {
        try note { notes, stamp in
            try flushOrder(&notes, stamp)
            let stamps = try notes.collection(collection.uuid)
            try keep(collection, stamps, at: stamp)
            notes.forget(collection.uuid)
            notes.changesTree = true
        }
    }

    /// Moves the registers of an album or folder to the pending operations.
    ///
    /// `stamp` is that of the deletion.
    func keep(
        _ collection: CollectionRecord,
        _ stamps: CloudStamps,
        at stamp: ChangeStamp
    ) throws {
        var stamps = stamps
        stamps.entries[RegisterKey(.existence)] = nil
        var operations = try CloudObjects(database).operations(of: collection, stamps)
        operations.add(
            .set(try CloudID.of(collection.uuid), RegisterKey(.existence), rank: 0, .flag(false)),
            at: stamp
        )
        operations.add(
            try CloudColumns.modification(collection.modificationDate, of: collection.uuid),
            at: stamp
        )
        let table = CloudStampTable(database: database)
        let pending = CloudPendingTable(database: database)
        // A hidden folder of the collection is part of its operations.
        try pending.remove(collection.uuid)
        for transaction in operations.transactions {
            try pending.add(transaction, to: collection.uuid)
        }
        if collection.kind == .album { try table.removeMembers(ofAlbum: collection.uuid) }
        try table.remove(.collection, collection.uuid)
    }
}
