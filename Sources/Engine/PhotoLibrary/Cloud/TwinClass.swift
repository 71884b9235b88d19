internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// A set of twins: assets that are the same photo, each of which keeps its own registers.
///
/// One row shows the merged registers. The operations of each twin, including the one with the row,
/// are kept in `cloudPending`, so that a twin can leave the class by a purge that does not name the
/// others.
struct TwinClass {
    struct Member {
        var object = CloudObject()
        /// The membership registers, keyed by album.
        var memberships: [CloudID: Register] = [:]
        /// The purge operations, keyed by stamp.
        var purges: [ChangeStamp: [CloudOperation]] = [:]
        var row: AssetRecord?
        var rowStamps = CloudStamps()
        /// The membership registers of the row, keyed by album.
        var rowMemberships: [CloudID: Register] = [:]

        var isAlive: Bool { object.creation != nil && !object.isPurged }
    }

    private let database: Database
    private(set) var members: [CloudID: Member] = [:]
    /// The contents of the twins' locally stored files.
    private(set) var contents: Set<ContentID> = []

    /// Reads an asset and its twins; nil for an asset without twins.
    init?(of id: CloudID, in database: Database) throws {
        self.database = database
        let twins = CloudTwinTable(database: database)
        let ids = try twins.members(of: id)
        guard ids.count > 1 else { return nil }
        for id in ids { members[id] = try kept(id) }
        let finder = try AssetRowFinder(database)
        let kept = members
        for id in ids {
            guard let row = try finder.asset(uuid: id.uuid) else { continue }
            // What the row has from its twins is theirs; what is newer was changed in it.
            var known = kept[id] ?? Member()
            for (other, member) in kept where other != id {
                guard try twins.representative(of: other.uuid) == id.uuid else { continue }
                known.object.merge(member.object)
                known.memberships.merge(member.memberships) { $1.supersedes($0) ? $1 : $0 }
            }
            try addRow(row, id, over: known)
        }
    }

    private func kept(_ id: CloudID) throws -> Member {
        let pending = try CloudObjects(database).pending(id.uuid)
        var member = Member(object: pending.object)
        for transaction in pending.transactions {
            for operation in transaction.operations {
                member.addOther(operation, at: transaction.stamp, of: id)
            }
        }
        return member
    }

    private mutating func addRow(_ row: AssetRecord, _ id: CloudID, over known: Member) throws {
        let objects = CloudObjects(database)
        let stamps = try CloudStampTable(database: database).stamps(of: .asset, row.uuid)
        let operations = try objects.operations(of: row, stamps ?? CloudStamps())
        var shown = PendingObject()
        for transaction in operations.transactions { shown.add(transaction, to: id) }
        members[id, default: Member()].row = row
        members[id]?.rowStamps = stamps ?? CloudStamps()
        contents.formUnion(operations.contents)
        if members[id]?.object.creation == nil, let creation = shown.object.creation,
            let created = shown.object.created
        {
            members[id]?.object.create(creation, at: created)
        }
        let modification = Register(
            rank: CloudColumns.rank(of: row.modificationDate),
            stamp: stamps?.entries.values.map(\.stamp).max()
                ?? ChangeStamp(time: .zero, device: CloudID(0, 0)),
            value: CloudColumns.value(of: row.modificationDate)
        )
        if modification.rank > known.object.registers[RegisterKey(.modification)]?.rank ?? 0 {
            members[id]?.object.set(RegisterKey(.modification), modification)
        }
        for (key, register) in shown.object.registers {
            if let other = known.object.registers[key], !register.supersedes(other) { continue }
            members[id]?.object.set(key, register)
        }
        let memberships = try objects.membershipRegisters(of: row)
        members[id]?.rowMemberships = memberships
        for (album, register) in memberships {
            if let other = known.memberships[album], !register.supersedes(other) { continue }
            members[id]?.memberships[album] = register
        }
    }

    // MARK: - Questions

    /// The twins that exist and are not purged; the library shows the first.
    var alive: [(id: CloudID, object: CloudObject)] {
        members.filter(\.value.isAlive).map { (id: $0.key, object: $0.value.object) }
            .sorted(by: TwinUnion.precedes)
    }

    /// Returns the merged membership registers of some of the twins, keyed by album.
    func memberships(of ids: [CloudID]) -> [CloudID: Register] {
        var merged: [CloudID: Register] = [:]
        for id in ids {
            merged.merge(members[id]?.memberships ?? [:]) { $1.supersedes($0) ? $1 : $0 }
        }
        return merged
    }

    /// The twins, sorted by identifier.
    var sortedMembers: [(key: CloudID, value: Member)] { members.sorted { $0.key < $1.key } }

    /// The operations of all twins, each under its own identifier.
    var operations: [CloudObjects.Operations] {
        sortedMembers.map { id, member in
            var operations = CloudObjects.Operations()
            for transaction in member.transactions(of: id) {
                for operation in transaction.operations {
                    if case .set(_, let key, _, _) = operation, key.group == .modification {
                        operations.modification = operation
                    } else {
                        operations.add(operation, at: transaction.stamp)
                    }
                }
            }
            operations.contents = contents
            return operations
        }
    }

    // MARK: - Changes

    /// Purges each twin in `alive`: adds a purge operation that names the twin's own trash stamp.
    ///
    /// All twins are purged, since the shown row represents all of them. `trash` is the trash
    /// register of the row. A twin may have a later one that lost to it: that of an import into
    /// Recently Deleted loses to a change.
    mutating func purge(trash: Register, at stamp: ChangeStamp) {
        let key = RegisterKey(.trash)
        for (id, object) in alive {
            var own = trash
            if let current = object.registers[key], current.supersedes(trash) { own = current }
            if own.value == RegisterValue.none { own = Register(stamp: stamp, value: trash.value) }
            members[id]?.object.set(key, own)
            members[id]?.object.addPurge(of: own.stamp)
            members[id]?.purges[stamp, default: []].append(
                .purge(id, trash: own.stamp, date: own.value)
            )
        }
    }

    /// Replaces each twin's pending operations with its current registers.
    func keep() throws {
        let pending = CloudPendingTable(database: database)
        for (id, member) in sortedMembers {
            try pending.remove(id.uuid)
            for transaction in member.transactions(of: id) {
                try pending.add(transaction, to: id.uuid)
            }
        }
    }
}

extension TwinClass.Member {
    fileprivate mutating func addOther(
        _ operation: CloudOperation,
        at stamp: ChangeStamp,
        of id: CloudID
    ) {
        switch operation {
        case .set(let album, RegisterKey(.member, .object(id)), _, let value):
            let register = Register(stamp: stamp, value: value)
            if memberships[album].map({ register.supersedes($0) }) ?? true {
                memberships[album] = register
            }
        case .purge:
            if purges[stamp]?.contains(operation) != true {
                purges[stamp, default: []].append(operation)
            }
        default: break
        }
    }

    fileprivate func transactions(of id: CloudID) -> [CloudTransaction] {
        var object = object
        // Purges are written with their own stamps.
        object.forgetPurges()
        var byStamp: [ChangeStamp: [CloudOperation]] = purges
        for transaction in object.transactions(of: id) {
            byStamp[transaction.stamp, default: []] += transaction.operations
        }
        for (album, register) in memberships.sorted(by: { $0.key < $1.key }) {
            byStamp[register.stamp, default: []].append(
                .set(album, RegisterKey(.member, .object(id)), rank: 0, register.value)
            )
        }
        return byStamp.sorted { $0.key < $1.key }.map { stamp, operations in
            CloudTransaction(time: stamp.time, author: stamp.device, operations: operations)
        }
    }
}
