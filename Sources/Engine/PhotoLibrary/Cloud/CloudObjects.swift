internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Converts objects of the library to the operations that recreate them on other devices.
///
/// A register has the stamp of its last change. Registers that were never changed are left out.
struct CloudObjects {
    let database: Database
    let stamps: CloudStampTable

    init(_ database: Database) {
        self.database = database
        stamps = CloudStampTable(database: database)
    }

    /// The operations of one object, grouped by stamp.
    struct Operations {
        var byStamp: [ChangeStamp: [CloudOperation]] = [:]
        /// The content identifiers of the object's locally stored files.
        var contents: Set<ContentID> = []
        /// The operation that states the object's modification date.
        var modification: CloudOperation?

        func adding(_ modification: CloudOperation) -> Operations {
            var operations = self
            operations.modification = modification
            return operations
        }

        mutating func add(_ operation: CloudOperation, at stamp: ChangeStamp) {
            byStamp[stamp, default: []].append(operation)
        }

        var transactions: [CloudTransaction] {
            byStamp.sorted { $0.key < $1.key }.map { stamp, operations in
                CloudTransaction(
                    time: stamp.time,
                    author: stamp.device,
                    operations: operations
                )
            }
        }
    }

    // MARK: - Assets

    /// Returns the operations that recreate an asset, without its album memberships.
    ///
    /// `known` contains the asset's stamps.
    func operations(of asset: AssetRecord, _ known: CloudStamps) throws -> Operations {
        let id = try CloudID.of(asset.uuid)
        let files = try files(ofAsset: asset.id)
        var operations = Operations()
        if let created = known.created {
            let originals = try files.filter { !$0.record.isOfEdit }.map { file in
                var resource = try file.record.cloudResource()
                resource.record = []
                return resource
            }
            let creation = Creation(
                kind: .asset,
                isImported: try isImported(asset),
                originals: originals,
                constants: CloudColumns.constants(of: asset)
            )
            operations.add(.create(id, creation), at: created)
        }
        for (key, entry) in known.sortedEntries {
            let value = try Self.value(of: key, in: asset, files.map(\.record))
            operations.add(.set(id, key, rank: entry.rank, value), at: entry.stamp)
        }
        operations.contents = Set(
            try files.filter(\.isHere).map { try $0.record.cloudResource().content }
        )
        return operations
    }

    /// Returns whether an asset was imported on this device.
    ///
    /// Only such an asset may be the twin of another one.
    private func isImported(_ asset: AssetRecord) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM resource JOIN importedFile ON resourceId = resource.id
                        WHERE assetId = ?1)
                    OR EXISTS (SELECT 1 FROM migratedItem WHERE objectUUID = ?2)
                    """
            ),
            arguments: [asset.id, asset.uuid]
        ) ?? false
    }

    /// Returns the current value of an asset's register.
    static func value(
        of key: RegisterKey,
        in asset: AssetRecord,
        _ files: [ResourceRecord]
    ) throws -> RegisterValue {
        switch (key.group, key.item) {
        case (.keyword, .word(let word)): .flag(asset.keywords.contains(word))
        case (.content, _):
            .version(
                CloudColumns.bytes(of: .content, in: asset),
                try files.filter(\.isOfEdit).map { try $0.cloudResource() }.sorted { $0.id < $1.id }
            )
        case (.original, .object(let id)):
            .resources(
                try files.filter { !$0.isOfEdit && $0.uuid == id.uuid }
                    .map { try $0.cloudResource() }
            )
        case (.trash, _) where asset.trashedDate == nil: .none
        default: .bytes(CloudColumns.bytes(of: key.group, in: asset))
        }
    }

    private func files(ofAsset id: Int64) throws -> [(record: ResourceRecord, isHere: Bool)] {
        let statement = try database.cachedStatement(
            sql: ResourceRecord.selectSQL + " WHERE resource.assetId = ? ORDER BY resource.id"
        )
        let away = try Set(
            Int64.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id FROM resource WHERE assetId = ? AND presence <> 0"
                ),
                arguments: [id]
            )
        )
        return try Row.fetchAll(statement, arguments: [id]).map(ResourceRecord.init(row:))
            .map { ($0, !away.contains($0.id)) }
    }

    /// Returns the operations for the current memberships of an asset in albums.
    func memberships(of asset: AssetRecord) throws -> Operations {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT collection.uuid, albumAsset.orderKey, stamps FROM albumAsset
                    JOIN collection ON collection.id = albumId
                    JOIN cloudStamp ON cloudStamp.kind = \(CloudStampTable.Kind.member.rawValue)
                        AND cloudStamp.uuid = collection.uuid || '/' || ?2
                    WHERE assetId = ?1 ORDER BY albumId
                    """
            ),
            arguments: [asset.id, asset.uuid]
        )
        let id = try CloudID.of(asset.uuid)
        var operations = Operations()
        for row in rows {
            let (album, key, stamps): (String, Data?, Data) = (row[0], row[1], row[2])
            let entry = try CloudStamps(decoding: stamps).entries[RegisterKey(.member)]
            guard let key, let entry else { continue }
            operations.add(
                .set(
                    try CloudID.of(album),
                    RegisterKey(.member, .object(id)),
                    rank: 0,
                    .member(order: Array(key))
                ),
                at: entry.stamp
            )
        }
        return operations
    }

    /// Returns the membership registers of an asset, by album, including those of memberships that
    /// ended.
    func membershipRegisters(of asset: AssetRecord) throws -> [CloudID: Register] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT collection.uuid, albumAsset.orderKey, stamps FROM collection
                    JOIN cloudStamp ON cloudStamp.kind = \(CloudStampTable.Kind.member.rawValue)
                        AND cloudStamp.uuid = collection.uuid || '/' || ?2
                    LEFT JOIN albumAsset ON albumId = collection.id AND assetId = ?1
                    WHERE collection.kind = \(ObjectKind.album.rawValue)
                    """
            ),
            arguments: [asset.id, asset.uuid]
        )
        var registers: [CloudID: Register] = [:]
        while let row = try rows.next() {
            let (album, key, stamps): (String, Data?, Data) = (row[0], row[1], row[2])
            let entry = try CloudStamps(decoding: stamps).entries[RegisterKey(.member)]
            guard let entry else { continue }
            registers[try CloudID.of(album)] = Register(
                stamp: entry.stamp,
                value: .member(order: key.map { Array($0) })
            )
        }
        return registers
    }

    // MARK: - What is not here

    /// Reconstructs an object, which is not in the library, from its pending operations.
    ///
    /// The result also contains pending operations on other objects that refer to this object.
    func pending(_ uuid: String) throws -> PendingObject {
        var pending = PendingObject()
        for transaction in try CloudPendingTable(database: database).transactions(of: uuid) {
            try pending.add(transaction, to: CloudID.of(uuid))
        }
        return pending
    }
}
