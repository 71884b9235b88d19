internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Conversion of albums and folders to the operations that recreate them on other devices.
extension CloudObjects {
    /// Returns the operations that recreate an album, with its members, or a folder.
    ///
    /// `known` contains the collection's stamps.
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
        for (key, entry) in known.sortedEntries {
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
        let members = try stamps.members(ofAlbum: album.uuid).sorted { $0.key < $1.key }
        for (asset, entry) in members {
            if hasTwins, let twins = try TwinClass(of: CloudID.of(asset), in: database) {
                // Each membership under the name that it was made with.
                for (asset, member) in twins.sortedMembers {
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

    /// Returns a collection's own folder and order key, even while the collection is shown in the
    /// root folder because its folder is missing or in a cycle.
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

    /// Returns the folder register of a collection that is shown in the root folder instead of its
    /// own folder; nil for other collections.
    func hiddenParent(of collection: String) throws -> Register? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT op FROM cloudPending WHERE uuid = ?"),
            arguments: [collection]
        ).flatMap { try Self.parent(in: $0) }
    }

    /// Returns the folder register in an encoded transaction; nil if there is none.
    ///
    /// For a collection that is in the library, nothing else is pending.
    static func parent(in data: Data) throws -> Register? {
        let transaction = try CloudTransaction(decoding: Array(data))
        for case .set(_, let key, _, let value) in transaction.operations
        where key.group == .parent {
            return Register(stamp: transaction.stamp, value: value)
        }
        return nil
    }
}
