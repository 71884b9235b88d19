internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads objects of the library as the operations that make them.
///
/// A register has the stamp of its last change. Registers that were never changed are left out.
struct CloudObjects {
    let database: Database
    private let stamps: CloudStampTable

    init(_ database: Database) {
        self.database = database
        stamps = CloudStampTable(database: database)
    }

    /// The operations of one object by their stamps.
    struct Operations {
        var byStamp: [ChangeStamp: [CloudOperation]] = [:]
        /// The contents of files that are here.
        var contents: Set<ContentID> = []
        /// Makes the date of the object's last modification known.
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

    /// Returns the operations of an asset without its memberships; `known` are its stamps.
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
        for (key, entry) in known.entries.sorted(by: { $0.key.group < $1.key.group }) {
            let value = try Self.value(of: key, in: asset, files.map(\.record))
            operations.add(.set(id, key, rank: entry.rank, value), at: entry.stamp)
        }
        operations.contents = Set(
            try files.filter(\.isHere).map { try $0.record.cloudResource().content }
        )
        return operations
    }

    /// Returns whether an asset was made by an import here, so that it may be another one's twin.
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

    /// Returns the value of a register of an asset.
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

    /// Returns the memberships of an asset in albums that are here.
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

    /// Returns the memberships of an asset in albums that are here, also those that ended.
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

    // MARK: - Albums and folders

    /// Returns the operations of an album or folder with its members; `known` are its stamps.
    func operations(of collection: CollectionRecord, _ known: CloudStamps) throws -> Operations {
        let id = try CloudID.of(collection.uuid)
        var operations = Operations()
        if let created = known.created {
            let creation = Creation(
                kind: collection.kind == .album ? .album : .folder,
                constants: CloudColumns.constants(of: collection)
            )
            operations.add(.create(id, creation), at: created)
        }
        for (key, entry) in known.entries.sorted(by: { $0.key.group < $1.key.group }) {
            let value: RegisterValue
            switch key.group {
            case .title: value = .text(collection.title)
            case .existence: value = .flag(true)
            case .parent: value = try parent(of: collection)
            default: continue
            }
            operations.add(.set(id, key, rank: 0, value), at: entry.stamp)
        }
        if collection.kind == .album { try addMembers(of: collection, id, to: &operations) }
        return operations
    }

    private func addMembers(
        of album: CollectionRecord,
        _ id: CloudID,
        to operations: inout Operations
    ) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT uuid, orderKey FROM albumAsset JOIN asset ON asset.id = assetId
                    WHERE albumId = ?
                    """
            ),
            arguments: [album.id]
        )
        var keys: [String: Data] = [:]
        for row in rows { keys[row[0]] = row[1] as Data? }
        let twins = CloudTwinTable(database: database)
        let hasTwins = try !twins.isEmpty()
        for (asset, entry) in try stamps.members(ofAlbum: album.uuid) {
            if hasTwins, let twins = try TwinClass(of: CloudID.of(asset), in: database) {
                // Each membership under the name that it was made with.
                for (asset, member) in twins.members {
                    guard let register = member.memberships[id] else { continue }
                    operations.add(
                        .set(id, RegisterKey(.member, .object(asset)), rank: 0, register.value),
                        at: register.stamp
                    )
                }
                continue
            }
            operations.add(
                .set(
                    id,
                    RegisterKey(.member, .object(try CloudID.of(asset))),
                    rank: 0,
                    .member(order: keys[asset].map { Array($0) })
                ),
                at: entry.stamp
            )
        }
    }

    /// Returns the folder and the order of a collection, even if it is shown in the root.
    func parent(of collection: CollectionRecord) throws -> RegisterValue {
        if let hidden = try hiddenParent(of: collection.uuid) { return hidden.value }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT child.orderKey, parent.uuid FROM collection AS child
                    LEFT JOIN collection AS parent ON parent.id = child.parentId
                    WHERE child.id = ?
                    """
            ),
            arguments: [collection.id]
        )
        let (key, parent): (Data?, String?) = (row?[0], row?[1])
        return .parent(try parent.map { try CloudID.of($0) }, order: Array(key ?? Data()))
    }

    /// Returns the folder of a collection that is shown in the root instead; nil for none.
    func hiddenParent(of collection: String) throws -> Register? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT op FROM cloudPending WHERE uuid = ?"),
            arguments: [collection]
        ).flatMap { try Self.parent(in: $0) }
    }

    /// Returns the register of a folder in an encoded transaction, which is all that is pending of
    /// a collection that is here.
    static func parent(in data: Data) throws -> Register? {
        let transaction = try CloudTransaction(decoding: Array(data))
        for case .set(_, let key, _, let value) in transaction.operations
        where key.group == .parent {
            return Register(stamp: transaction.stamp, value: value)
        }
        return nil
    }

    // MARK: - What is not here

    /// Returns an object that is not here, and the operations on others that wait for it.
    func pending(_ uuid: String) throws -> PendingObject {
        var pending = PendingObject()
        for transaction in try CloudPendingTable(database: database).transactions(of: uuid) {
            try pending.add(transaction, to: CloudID.of(uuid))
        }
        return pending
    }
}
