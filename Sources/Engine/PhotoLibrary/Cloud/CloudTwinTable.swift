internal import CloudSync
internal import Foundation
internal import GRDB

/// Access to the rows of `cloudStamp` that store twins: assets that are the same photo, imported on
/// several devices.
///
/// They also state which twin is shown in place of the others.
struct CloudTwinTable {
    let database: Database

    /// Returns whether an asset, which need not be in the library, has twins.
    func contains(_ uuid: String) throws -> Bool { try direct(uuid) != nil }

    /// Returns whether no asset has twins.
    func isEmpty() throws -> Bool {
        let kind = CloudStampTable.Kind.twin.rawValue
        let statement = try database.cachedStatement(
            sql: "SELECT NOT EXISTS (SELECT 1 FROM cloudStamp WHERE kind = \(kind))"
        )
        return try Bool.fetchOne(statement) ?? true
    }

    /// Records that two assets are twins, that is, the same photo imported on several devices.
    ///
    /// - Returns: Whether that is new.
    func record(_ first: CloudID, _ second: CloudID) throws -> Bool {
        let known = try direct(first.uuid) ?? []
        guard first != second, !known.contains(second) else { return false }
        for (one, other) in [(first, second), (second, first)] {
            var writer = SegmentWriter()
            for id in Set(try direct(one.uuid) ?? []).union([other]).sorted() { writer.append(id) }
            try set(Data(writer.bytes), .twin, one.uuid)
        }
        return true
    }

    /// Returns all twins of an asset, including the asset itself.
    func members(of id: CloudID) throws -> [CloudID] {
        var found: Set<CloudID> = [id]
        var rest = [id]
        while let next = rest.popLast() {
            for other in try direct(next.uuid) ?? [] where found.insert(other).inserted {
                rest.append(other)
            }
        }
        return found.sorted()
    }

    private func direct(_ uuid: String) throws -> [CloudID]? {
        guard let data = try data(.twin, uuid) else { return nil }
        var reader = SegmentReader(Array(data))
        var ids: [CloudID] = []
        while reader.remaining > 0 { ids.append(try reader.id()) }
        return ids
    }

    // MARK: - Aliases

    /// Returns the twin that is shown in place of an asset; nil if the asset is shown itself or was
    /// purged.
    func representative(of uuid: String) throws -> String? {
        try data(.alias, uuid).map { String(decoding: $0, as: UTF8.self) }
    }

    func setRepresentative(_ representative: String?, of uuid: String) throws {
        if let representative, representative != uuid {
            try set(Data(representative.utf8), .alias, uuid)
        } else {
            try CloudStampTable(database: database).remove(.alias, uuid)
        }
    }

    /// Returns a SQL expression that maps an asset's UUID to the UUID of the asset that is shown
    /// for it: its representative twin, or itself if it has none.
    static func answeringSQL(_ uuid: String) -> String {
        """
        ifnull((SELECT CAST(stamps AS TEXT) FROM cloudStamp \
        WHERE kind = \(CloudStampTable.Kind.alias.rawValue) AND uuid = \(uuid)), \(uuid))
        """
    }

    // MARK: - Rows

    private func data(_ kind: CloudStampTable.Kind, _ uuid: String) throws -> Data? {
        try Data.fetchOne(
            database.cachedStatement(
                sql: "SELECT stamps FROM cloudStamp WHERE kind = ? AND uuid = ?"
            ),
            arguments: [kind.rawValue, uuid]
        )
    }

    private func set(_ data: Data, _ kind: CloudStampTable.Kind, _ uuid: String) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO cloudStamp (kind, uuid, stamps) VALUES (?, ?, ?)"
        ).execute(arguments: [kind.rawValue, uuid, data])
    }
}
