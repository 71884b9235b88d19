internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads and changes the members of albums and their order.
///
/// The changes of an album's members are journaled with the album, once at the end of the
/// transaction. The rows of the assets do not change.
extension LibraryTransaction {
    /// Returns the row ids of all members of an album in order, including hidden assets and those
    /// in Recently Deleted.
    package func memberIDs(of album: Int64) throws -> [Int64] {
        try SparsePositions(membersOf: album, in: database).ids()
    }

    /// Returns the row ids of the members of an album that are visible by default, in order.
    package func visibleMemberIDs(of album: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT assetId FROM albumAsset JOIN asset ON asset.id = assetId
                    WHERE albumId = ? AND isVisible = 1 ORDER BY position, assetId
                    """
            ),
            arguments: [album]
        )
    }

    /// Appends assets to an album in the given order; existing members keep their positions.
    ///
    /// The cost is proportional to the number of added assets.
    ///
    /// - Throws: `identifierNotFound`; `changeNotSupported` for a folder.
    package func appendMembers(_ assetIDs: [Int64], to album: Int64) throws {
        try checkAlbum(album)
        let order = SparsePositions(membersOf: album, in: database)
        let fresh = try Self.unique(assetIDs).filter { try order.position(of: $0) == nil }
        guard !fresh.isEmpty else { return }
        var positions = try order.positionsAtEnd(count: fresh.count)
        if positions == nil {
            try renumberMembers(of: album)
            positions = try order.positionsAtEnd(count: fresh.count)
        }
        for (asset, position) in zip(fresh, positions ?? []) {
            try place(asset, in: album, from: nil, to: position)
        }
    }

    /// Places assets in an album in the given order, directly after the member `anchor`.
    ///
    /// If `anchor` is nil, they are placed first. Assets that are already members are moved. If
    /// `anchor` is itself one of the assets, the nearest preceding member that is not is used
    /// instead.
    ///
    /// - Throws: `identifierNotFound`; `changeNotSupported` for a folder, or if `anchor` is not a
    ///   member.
    package func placeMembers(
        _ assetIDs: [Int64],
        in album: Int64,
        after anchor: Int64?
    ) throws {
        let record = try checkAlbum(album)
        let members = Self.unique(assetIDs)
        guard !members.isEmpty else { return }
        let order = SparsePositions(membersOf: album, in: database)
        if let anchor, try order.position(of: anchor) == nil {
            throw LibraryError(
                .changeNotSupported,
                "A position in the album “\(record.title)” refers to a photo that is not in it.",
                recovery: "Fetch the album's photos again.",
                identifiers: [record.localIdentifier]
            )
        }
        switch try order.placement(of: members, after: anchor) {
        case .unchanged: return
        case .positions(let positions):
            for (asset, position) in zip(members, positions) {
                let old = try order.position(of: asset)
                try place(asset, in: album, from: old, to: position)
            }
        case .crowded:
            try renumberMembers(of: album)
            try placeMembers(assetIDs, in: album, after: anchor)
        }
    }

    /// Removes assets from an album; assets that are not members are ignored.
    ///
    /// - Throws: `identifierNotFound`; `changeNotSupported` for a folder.
    package func removeMembers(_ assetIDs: [Int64], from album: Int64) throws {
        try checkAlbum(album)
        let order = SparsePositions(membersOf: album, in: database)
        for asset in Self.unique(assetIDs) {
            guard let old = try order.position(of: asset) else { continue }
            try place(asset, in: album, from: old, to: nil)
        }
    }

    // MARK: - Rows

    /// Changes the position of an asset in an album.
    ///
    /// `old` is nil to add the asset, and `new` is nil to remove it.
    func place(_ asset: Int64, in album: Int64, from old: Int64?, to new: Int64?) throws {
        // Before the row is written, so that a missing asset causes the better error.
        let seen = old == nil || new == nil ? try seen(asset) : nil
        var key: Data?
        switch (old, new) {
        case (nil, let new?):
            // A row that returns to its place is no change, so it must have the key that it had.
            try database.cachedStatement(
                sql: """
                    INSERT INTO albumAsset (position, albumId, assetId, orderKey) VALUES (?, ?, ?, ?)
                    """
            ).execute(arguments: [new, album, asset, pendingAlbums.albums[album]?.keys[asset]])
        case (_?, let new?):
            try database.cachedStatement(
                sql: "UPDATE albumAsset SET position = ? WHERE albumId = ? AND assetId = ?"
            ).execute(arguments: [new, album, asset])
        case (_, nil):
            key = try Data.fetchOne(
                database.cachedStatement(
                    sql: """
                        DELETE FROM albumAsset WHERE albumId = ? AND assetId = ? RETURNING orderKey
                        """
                ),
                arguments: [album, asset]
            )
        }
        pendingAlbums.record(album) { pending in
            pending.place(asset, from: old, to: new)
            if let key { pending.keys[asset] = key }
            guard let seen else { return }
            if old == nil { pending.add(seen) }
            if new == nil { pending.remove(seen) }
        }
    }

    private func seen(_ asset: Int64) throws -> PendingAlbumChanges.Seen {
        let statement = try database.cachedStatement(
            sql: "SELECT isVisible, creationDate FROM asset WHERE id = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [asset]) else {
            throw Self.noRow("asset", "with the row id \(asset)")
        }
        let seconds: Double? = row[1]
        return PendingAlbumChanges.Seen(
            isVisible: row[0],
            date: seconds.map(Date.init(timeIntervalSinceReferenceDate:))
        )
    }

    /// Deletes an album's membership rows and returns them.
    ///
    /// The album itself is about to be deleted, so no pending changes are recorded.
    func removeAllMembers(of album: Int64) throws -> MembersChange {
        var change = MembersChange()
        change.removed = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT assetId, position FROM albumAsset WHERE albumId = ?
                    ORDER BY position, assetId
                    """
            ),
            arguments: [album]
        ).map { MembersChange.Place(asset: $0[0], position: $0[1]) }
        try database.execute(sql: "DELETE FROM albumAsset WHERE albumId = ?", arguments: [album])
        return change
    }

    /// Returns the row ids of the albums that contain an asset.
    func albumIDs(of asset: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT albumId FROM albumAsset WHERE assetId = ? ORDER BY albumId"
            ),
            arguments: [asset]
        )
    }

    /// Renumbers an album's members to make room between their positions.
    ///
    /// The journal gets a single entry for this, and a replay of the journal renumbers the members
    /// again.
    private func renumberMembers(of album: Int64) throws {
        try flush(album: album)
        guard let record = try collection(id: album) else { return }
        try database.execute(sql: Self.renumberSQL, arguments: [album, SparsePositions.gap])
        var change = MembersChange()
        change.renumbered = true
        try store(record, over: record, members: change)
    }

    private static let renumberSQL = """
        UPDATE albumAsset SET position = numbered.place
        FROM (SELECT assetId AS member,
                row_number() OVER (ORDER BY position, assetId) * ?2 AS place
            FROM albumAsset WHERE albumId = ?1) AS numbered
        WHERE albumId = ?1 AND assetId = numbered.member
        """

    /// Returns the ids without duplicates, in the original order.
    static func unique(_ ids: [Int64]) -> [Int64] {
        var seen: Set<Int64> = []
        return ids.filter { seen.insert($0).inserted }
    }

    // MARK: - Totals

    /// Records a change of an asset's visibility or date, which affects the totals of its albums.
    ///
    /// Costs nothing for an asset whose visibility and date do not change.
    func recordTotals(of asset: Int64, from old: AssetRecord, to new: AssetRecord) throws {
        let before = PendingAlbumChanges.Seen(isVisible: old.isVisible, date: old.creationDate)
        let after = PendingAlbumChanges.Seen(isVisible: new.isVisible, date: new.creationDate)
        guard before != after, before.isVisible || after.isVisible else { return }
        for album in try albumIDs(of: asset) {
            pendingAlbums.record(album) { pending in
                pending.remove(before)
                pending.add(after)
            }
        }
    }

    /// Writes the pending totals and journal entries of all albums.
    func flushAlbums() throws {
        for album in pendingAlbums.albums.keys.sorted() { try flush(album: album) }
    }

    /// Writes the pending totals and the journal entry of an album.
    func flush(album: Int64) throws {
        guard let pending = pendingAlbums.take(album), let old = try collection(id: album) else {
            return
        }
        var new = old
        if let span = pending.span(from: old.startDate, to: old.endDate) {
            new.assetCount += pending.count
            (new.startDate, new.endDate) = span
        } else {
            try new.setTotals(from: database)
        }
        let members = pending.members
        if !members.isEmpty, !isRemote { new.modificationDate = now }
        try store(new, over: old, members: members)
        try noteMembers(members, of: album)
    }
}
