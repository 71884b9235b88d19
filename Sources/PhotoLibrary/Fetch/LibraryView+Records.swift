internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Records of single objects, as far as the client may see them.
extension LibraryView.Reading {
    /// The asset with a row id; nil when it is not there, or not the client's to see.
    func asset(_ id: Int64) throws -> AssetRecord? {
        guard access != .none else { return nil }
        let statement = try database.cachedStatement(
            sql: AssetRecord.map.selectSQL + " WHERE id = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
        let record = try AssetRecord(row: row)
        return permits(record.uuid) ? record : nil
    }

    /// The album or folder with a row id, 0 being the root folder's; nil when it is not there, or not the
    /// client's to see.
    func collection(_ id: Int64) throws -> CollectionRecord? {
        if id == CollectionRecord.root.id { return access == .none ? nil : .root }
        guard access.permitsCollections else { return nil }
        let statement = try database.cachedStatement(
            sql: CollectionRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(CollectionRecord.init(row:))
    }

    /// The UUID of the asset with a row id; nil when it is not there.
    func uuid(ofAsset id: Int64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT uuid FROM asset WHERE id = ?"),
            arguments: [id]
        )
    }

    /// Whether the client may see an asset; what is not there may not be seen.
    func permits(_ uuid: String?) -> Bool {
        uuid.map { access.permits(asset: $0) } ?? false
    }
}
