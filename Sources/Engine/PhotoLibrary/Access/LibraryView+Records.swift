internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Records of single objects, limited to those that the client may see.
extension LibraryView.Reading {
    /// Returns the asset with a row id; nil if it does not exist or the client may not see it.
    func asset(_ id: Int64) throws -> AssetRecord? {
        guard !access.isNone, let record = try row(ofAsset: id) else { return nil }
        return access.permits(asset: record.uuid, isHidden: record.isHidden) ? record : nil
    }

    /// Returns the asset with a row id, regardless of the client's access.
    func row(ofAsset id: Int64) throws -> AssetRecord? {
        let statement = try database.cachedStatement(
            sql: AssetRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(AssetRecord.init(row:))
    }

    /// Returns the collection with a row id; nil if it does not exist or the client may not see it.
    ///
    /// Row id 0 is the root folder.
    func collection(_ id: Int64) throws -> CollectionRecord? {
        if id == CollectionRecord.root.id { return access.isNone ? nil : .root }
        if let album = SmartAlbum(rowID: id) { return try smartAlbums([album]).first }
        guard access.permitsCollections else { return nil }
        if let moment = MomentLevel.id(rowID: id) {
            return try MomentReader(database: database).record(moment)
        }
        let statement = try database.cachedStatement(
            sql: CollectionRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(CollectionRecord.init(row:))
    }

    /// Returns the records of smart albums, counting only the assets that the client may see.
    func smartAlbums(_ albums: [SmartAlbum]) throws -> [CollectionRecord] {
        guard !access.isNone, !albums.isEmpty else { return [] }
        let reader = SmartAlbumReader(
            database: database,
            firstRecentDay: firstRecentDay,
            loneFrames: loneFrames
        )
        // No other smart album contains hidden assets, so that the client sees the others whole.
        let isEmpty = { (album: SmartAlbum) in album == .allHidden && !access.includesHidden }
        if access.assets == .all {
            return try reader.records(of: albums, isEmpty: isEmpty)
        }
        return try albums.map { album in
            if isEmpty(album) { return SmartAlbumReader.emptyRecord(of: album) }
            let request = AssetFetchRequest(scope: .album(album.uuid))
            let plan = try FetchPlan(request, access: access, firstRecentDay: firstRecentDay)
            return try reader.record(of: album, among: plan)
        }
    }

    /// Returns the range of the moment to which a request is scoped; nil for requests with another
    /// scope.
    func momentRange(_ request: AssetFetchRequest) throws -> MomentRange? {
        guard case .moment(let uuid) = request.scope else { return nil }
        return try MomentReader(database: database).range(of: uuid)
    }

    /// Returns the result of a request for moments; empty for requests with another scope.
    func momentAnswer(_ request: CollectionFetchRequest) throws -> MomentAnswer {
        guard case .moments(let scope) = request.scope else { return .groups([]) }
        return try MomentReader(database: database).answer(scope)
    }

    /// Returns the UUID of the asset with a row id; nil if it does not exist.
    func uuid(ofAsset id: Int64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT uuid FROM asset WHERE id = ?"),
            arguments: [id]
        )
    }

    /// Returns whether the client may see an asset.
    ///
    /// For a client that may not see hidden assets, the result is also false if the asset does not
    /// exist.
    package func permits(_ uuid: String?) throws -> Bool {
        guard let uuid, access.permits(asset: uuid, isHidden: false) else { return false }
        return access.includesHidden ? true : try !isHidden(uuid)
    }

    /// Returns whether an asset is hidden; true if it does not exist.
    func isHidden(_ uuid: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT isHidden FROM asset WHERE uuid = \(CloudTwinTable.answeringSQL("?1"))"
            ),
            arguments: [uuid]
        ) ?? true
    }
}
