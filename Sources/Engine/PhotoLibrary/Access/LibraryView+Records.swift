internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Records of single objects, as far as the client may see them.
extension LibraryView.Reading {
    /// The asset with a row id; nil when it is not there, or not the client's to see.
    func asset(_ id: Int64) throws -> AssetRecord? {
        guard !access.isNone, let record = try row(ofAsset: id) else { return nil }
        return access.permits(asset: record.uuid, isHidden: record.isHidden) ? record : nil
    }

    /// The asset with a row id, whether the client may see it or not.
    func row(ofAsset id: Int64) throws -> AssetRecord? {
        let statement = try database.cachedStatement(
            sql: AssetRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(AssetRecord.init(row:))
    }

    /// The album or folder with a row id, 0 being the root folder's; nil when it is not there, or not the
    /// client's to see.
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

    /// The records of smart albums, as far as the client may see what is in them.
    func smartAlbums(_ albums: [SmartAlbum]) throws -> [CollectionRecord] {
        guard !access.isNone, !albums.isEmpty else { return [] }
        let reader = SmartAlbumReader(database: database, firstRecentDay: firstRecentDay)
        // Of the others none holds what is hidden.
        let isWhole =
            access.assets == .all && (access.includesHidden || !albums.contains(.allHidden))
        return try isWhole
            ? reader.records(of: albums)
            : albums.map { album in
                let request = AssetFetchRequest(scope: .album(album.uuid))
                let plan = try FetchPlan(
                    request,
                    access: access,
                    firstRecentDay: firstRecentDay
                )
                return try reader.record(of: album, among: plan)
            }
    }

    /// Where the moment is that a request is about.
    func momentRange(_ request: AssetFetchRequest) throws -> MomentRange? {
        guard case .moment(let uuid) = request.scope else { return nil }
        return try MomentReader(database: database).range(of: uuid)
    }

    /// What a request about moments comes to.
    func momentAnswer(_ request: CollectionFetchRequest) throws -> MomentAnswer {
        guard case .moments(let scope) = request.scope else { return .groups([]) }
        return try MomentReader(database: database).answer(scope)
    }

    /// The UUID of the asset with a row id; nil when it is not there.
    func uuid(ofAsset id: Int64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT uuid FROM asset WHERE id = ?"),
            arguments: [id]
        )
    }

    /// Whether the client may see an asset.
    ///
    /// What is not there may not be seen by who may not see all.
    package func permits(_ uuid: String?) throws -> Bool {
        guard let uuid, access.permits(asset: uuid, isHidden: false) else { return false }
        return access.includesHidden ? true : try !isHidden(uuid)
    }

    /// Whether an asset is hidden; one that is not there is, as far as anybody may know.
    func isHidden(_ uuid: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT isHidden FROM asset WHERE uuid = ?"),
            arguments: [uuid]
        ) ?? true
    }
}
