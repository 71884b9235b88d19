internal import GRDB
internal import PhotoModel

/// Converts between row ids and the UUIDs that journal entries use for members and parents.
///
/// Row ids differ between devices, so entries contain UUIDs. Objects that no longer exist are found
/// by their tombstones. Of several objects with one UUID, the present one counts, then the last.
struct JournalNames {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Returns the row id of an asset.
    func asset(uuid: String) throws -> Int64? { try id(of: uuid, Self.assetIDSQL) }

    /// Returns the UUID of an asset.
    ///
    /// - Throws: `identifierNotFound` if no asset ever had the row id.
    func uuid(ofAsset id: Int64) throws -> String { try uuid(of: id, "asset", Self.assetUUIDSQL) }

    /// Replaces the parent's UUID in journaled values with the parent's row id, stored under the
    /// column's name.
    ///
    /// - Returns: False if the library has never had the parent.
    func resolveParent(in values: inout JournalEntry.Values) throws -> Bool {
        switch values.removeValue(forKey: Self.parent) {
        case nil: return true
        case .null: values[Self.parentColumn] = .null
        case .text(let uuid):
            guard let id = try id(of: uuid, Self.parentIDSQL) else { return false }
            values[Self.parentColumn] = .integer(id)
        case .integer, .real: return false
        }
        return true
    }

    /// Replaces the parent's row id in an object's values with the parent's UUID, stored under the
    /// journal's key.
    func nameParent(in values: inout JournalEntry.Values) throws {
        guard let value = values.removeValue(forKey: Self.parentColumn) else { return }
        values[Self.parent] =
            switch value {
            case .integer(let id): .text(try uuid(of: id, "folder", Self.parentUUIDSQL))
            default: .null
            }
    }

    /// Returns an object's values for a new entry, with the parent's UUID in place of the parent's
    /// row id.
    func naming(_ values: JournalWriter.Values) throws -> JournalWriter.Values {
        guard let index = values.firstIndex(where: { $0.name == Self.parentColumn }) else {
            return values
        }
        var values = values
        values[index].name = Self.parent
        if let id = Int64.fromDatabaseValue(values[index].value) {
            values[index].value = try uuid(of: id, "folder", Self.parentUUIDSQL).databaseValue
        }
        return values
    }

    private func id(of uuid: String, _ sql: String) throws -> Int64? {
        try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [uuid])
    }

    private func uuid(of id: Int64, _ table: String, _ sql: String) throws -> String {
        if let uuid = try String.fetchOne(database.cachedStatement(sql: sql), arguments: [id]) {
            return uuid
        }
        throw LibraryTransaction.noRow(table, "with the row id \(id)")
    }

    /// The journal's key for the UUID of an object's parent.
    static let parent = "parent"
    private static let parentColumn = "parentId"

    private static let assetIDSQL = idSQL("asset", .asset)
    private static let assetUUIDSQL = uuidSQL("asset", .asset)
    private static let parentIDSQL = idSQL("collection", .folder)
    private static let parentUUIDSQL = uuidSQL("collection", .folder)

    private static func idSQL(_ table: String, _ kind: ObjectKind) -> String {
        """
        SELECT id FROM \(table) WHERE uuid = ?1 UNION ALL
        SELECT * FROM (SELECT objectId FROM tombstone
            WHERE uuid = ?1 AND kind = \(kind.rawValue)
            ORDER BY objectId DESC LIMIT 1)
        LIMIT 1
        """
    }

    private static func uuidSQL(_ table: String, _ kind: ObjectKind) -> String {
        """
        SELECT uuid FROM \(table) WHERE id = ?1 UNION ALL
        SELECT uuid FROM tombstone
        WHERE kind = \(kind.rawValue) AND objectId = ?1
        LIMIT 1
        """
    }
}
