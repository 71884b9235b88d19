internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Applies the transactions of other devices to a library, within one database transaction.
///
/// 1. The result depends only on the set of applied operations: each register keeps the value with
///    the highest rank and stamp, whatever the order of arrival, and nothing counts twice.
/// 2. Operations on objects that are not in the library are kept until the object appears.
/// 3. The operations get no new stamps, so they are not exported again.
final class RemoteTransaction {
    let transaction: LibraryTransaction
    let database: Database
    let table: CloudStampTable
    let pending: CloudPendingTable
    let objects: CloudObjects
    /// Indicates whether collections were created, deleted or moved.
    var changesTree = false
    let twins: CloudTwinTable
    let files: FileLink
    private let presence: CloudPresence
    /// The twins whose rows must be updated.
    var changedTwins: Set<CloudID> = []

    init(_ transaction: LibraryTransaction, files: FileLink) throws {
        presence = try CloudPresence(transaction.database)
        self.transaction = transaction
        self.files = files
        twins = CloudTwinTable(database: transaction.database)
        database = transaction.database
        table = CloudStampTable(database: database)
        pending = CloudPendingTable(database: database)
        objects = CloudObjects(database)
    }

    /// Applies transactions, then updates the rows of twins and the folder tree.
    ///
    /// New assets are inserted first, with few statements, if there are at least `manyNewAssets`.
    func apply(_ transactions: [CloudTransaction], manyNewAssets: Int) throws {
        let rest = try insertArrivals(in: transactions, atLeast: manyNewAssets)
        for transaction in rest { try apply(transaction) }
        try settleTwins()
        if changesTree { try CloudTree(transaction).resolve() }
    }

    private func apply(_ received: CloudTransaction) throws {
        var order: [CloudID] = []
        var parts: [CloudID: [CloudOperation]] = [:]
        for operation in received.operations {
            if case .same(let first, let second) = operation {
                if try twins.record(first, second) { try noteTwins(of: first) }
                continue
            }
            guard let id = operation.object else { continue }
            if parts[id] == nil { order.append(id) }
            parts[id, default: []].append(operation)
        }
        for id in order {
            let part = CloudTransaction(
                time: received.time,
                author: received.author,
                operations: parts[id] ?? []
            )
            try apply(part, to: id)
        }
    }

    /// Applies the part of a transaction that is about one object.
    func apply(_ part: CloudTransaction, to id: CloudID) throws {
        let uuid = id.uuid
        let known = try presence.of(uuid)
        guard !known.contains(.final) else { return }
        if part.operations.contains(where: \.isFinal) {
            // The twin that is shown next continues with the files that the row has now.
            if known.contains(.twin) { try settleTwins(of: id, isLeaving: true) }
            try finish(uuid)
        } else if known.contains(.twin) {
            try noteTwins(of: id)
            try pending.add(part, to: uuid)
        } else if known.contains(.asset), let asset = try transaction.asset(uuid: uuid) {
            var parts: [CloudTransaction] = []
            if known.contains(.pending) {
                parts = try pending.transactions(of: uuid)
                try pending.remove(uuid)
            }
            parts.append(part)
            try merge(parts, into: asset)
        } else if known.contains(.collection),
            let collection = try transaction.collection(uuid: uuid)
        {
            try merge(part, into: collection)
        } else {
            var object =
                known.contains(.pending) ? try objects.pending(uuid) : PendingObject()
            object.add(part, to: id)
            if object.isAlive {
                try appear(object, id, known)
            } else {
                try pending.add(part, to: uuid)
            }
        }
    }

    /// Inserts an object that the received operations bring into existence.
    private func appear(_ object: PendingObject, _ id: CloudID, _ known: CloudPresence.Places)
        throws
    {
        guard let creation = object.object.creation else { return }
        if known.contains(.pending) { try pending.remove(id.uuid) }
        if creation.kind == .asset {
            try insertAsset(object.object, creation, id, hasAlias: known.contains(.alias))
            for other in object.others {
                guard let album = other.operations.first?.object else { continue }
                try apply(other, to: album)
            }
        } else {
            try insertCollection(object.object, creation, id)
        }
    }

    /// Deletes all data about an object after all members of the cloud library have acknowledged
    /// its purge.
    private func finish(_ uuid: String) throws {
        if let asset = try transaction.asset(uuid: uuid) { try removeRows(of: asset) }
        if let collection = try transaction.collection(uuid: uuid) {
            try removeRows(of: collection)
        }
        try pending.remove(uuid)
        try table.remove(.asset, uuid)
        try table.remove(.alias, uuid)
        try table.setFinal(uuid)
        let former = try Int64.fetchAll(
            database,
            sql: "SELECT objectId FROM tombstone WHERE uuid = ? AND kind = ?",
            arguments: [uuid, ObjectKind.asset.rawValue]
        )
        for id in former { try transaction.discardFormerFiles(ofAsset: id) }
    }
}

extension CloudOperation {
    /// Indicates whether the operation is a final purge.
    fileprivate var isFinal: Bool { if case .final = self { true } else { false } }

    /// The asset, album or folder that the operation changes.
    var object: CloudID? {
        switch self {
        case .create(let id, _), .set(let id, _, _, _), .purge(let id, _, _), .final(let id): id
        default: nil
        }
    }
}
