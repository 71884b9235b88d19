internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// The tree of albums and folders that results from the folder registers of all collections.
///
/// A collection whose folder is in a cycle, or does not exist, is shown in the root folder. Its
/// register is kept among the pending operations, since a later move may resolve the problem.
struct CloudTree {
    private let transaction: LibraryTransaction
    private let database: Database
    private let pending: CloudPendingTable

    init(_ transaction: LibraryTransaction) {
        self.transaction = transaction
        database = transaction.database
        pending = CloudPendingTable(database: database)
    }

    /// Returns whether any collection is shown in the root folder instead of its own folder.
    func hidesFolders() throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM collection JOIN cloudPending USING (uuid))"
        ) ?? false
    }

    private struct Node {
        var record: CollectionRecord
        var register: Register
        var folder: CloudID?
        var key: OrderKey.Key
        var isHidden: Bool
        /// The parent folder stored in the collection's row.
        ///
        /// `rowKey` is the order key stored in that row.
        var rowFolder: CloudID?
        var rowKey: OrderKey.Key?
    }

    /// Moves all collections to the folders and positions that the registers define.
    func resolve() throws {
        let nodes = try nodes()
        var library = MergedLibrary()
        for (id, node) in nodes {
            library.objects[id] = MergedObject(
                creation: Creation(kind: node.record.kind == .album ? .album : .folder),
                contents: [],
                values: [RegisterKey(.parent): node.register.value]
            )
        }
        let parents = CollectionParents.parents(of: library) { id in
            nodes[id].map { [RegisterKey(.parent): $0.register] }
        }
        var misplaced: [CloudID] = []
        for (id, node) in nodes.sorted(by: { $0.key < $1.key }) {
            if (parents[id] != node.folder) != node.isHidden {
                if node.isHidden {
                    try pending.remove(node.record.uuid)
                } else {
                    try hide(node.register, of: node.record.uuid)
                }
            }
            guard parents[id] != node.rowFolder || node.key != node.rowKey else { continue }
            misplaced.append(id)
        }
        // All at once, since the old and the new folders may form a cycle in between.
        for id in misplaced {
            guard let node = nodes[id], var record = try transaction.collection(id: node.record.id)
            else { continue }
            try OrderKeys(childrenOf: record.parentID, in: database).set(nil, of: record.id)
            guard parents[id] != node.rowFolder else { continue }
            let old = record
            record.parentID = CollectionRecord.root.id
            record.position = try transaction.positionAtEnd(ofFolder: record.parentID)
            try transaction.store(record, over: old)
        }
        for id in misplaced {
            guard let node = nodes[id] else { continue }
            let folder = parents[id].flatMap { nodes[$0]?.record.id } ?? CollectionRecord.root.id
            let keys = OrderKeys(childrenOf: folder, in: database)
            let anchor = try keys.anchor(
                of: node.key,
                uuid: node.record.uuid,
                except: node.record.id
            )
            try transaction.placeCollections([node.record.id], in: folder, after: anchor)
            try keys.set(node.key, of: node.record.id)
        }
    }

    /// Saves a collection's folder register as a pending operation; this operation marks the
    /// collection as shown in the root folder instead of its own folder.
    func hide(_ register: Register, of uuid: String) throws {
        try pending.remove(uuid)
        try pending.add(
            CloudTransaction(
                time: register.stamp.time,
                author: register.stamp.device,
                operations: [
                    .set(try CloudID.of(uuid), RegisterKey(.parent), rank: 0, register.value)
                ]
            ),
            to: uuid
        )
    }

    private func nodes() throws -> [CloudID: Node] {
        let columns = ["c.id"] + CollectionRecord.map.columns.map { "c." + $0.name }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(columns.joined(separator: ", ")), c.orderKey AS rowKey, p.uuid AS folder,
                    stamps, op AS hiddenOp
                FROM collection AS c LEFT JOIN collection AS p ON p.id = c.parentId
                LEFT JOIN cloudStamp AS s
                    ON s.kind = \(CloudStampTable.Kind.collection.rawValue) AND s.uuid = c.uuid
                LEFT JOIN cloudPending AS h ON h.uuid = c.uuid
                """
        )
        var nodes: [CloudID: Node] = [:]
        while let row = try rows.next() {
            let node = try Self.node(row)
            nodes[try CloudID.of(node.record.uuid)] = node
        }
        return nodes
    }

    private static func node(_ row: Row) throws -> Node {
        let record = try CollectionRecord(row: row)
        let (rowKey, folder): (Data?, String?) = (row["rowKey"], row["folder"])
        let rowFolder = try folder.map { try CloudID.of($0) }
        let (stamps, operation): (Data?, Data?) = (row["stamps"], row["hiddenOp"])
        let known = try stamps.map { try CloudStamps(decoding: $0) }?.entries[RegisterKey(.parent)]
        let hidden = try operation.flatMap { try CloudObjects.parent(in: $0) }
        var node = Node(
            record: record,
            register: Register(
                stamp: known?.stamp ?? ChangeStamp(time: .zero, device: CloudID(0, 0)),
                value: .parent(rowFolder, order: Array(rowKey ?? Data()))
            ),
            folder: rowFolder,
            key: Array(rowKey ?? Data()),
            isHidden: hidden != nil,
            rowFolder: rowFolder,
            rowKey: rowKey.map { Array($0) }
        )
        if let hidden, case .parent(let folder, let key) = hidden.value {
            (node.register.value, node.folder, node.key) = (hidden.value, folder, key)
        }
        return node
    }
}
