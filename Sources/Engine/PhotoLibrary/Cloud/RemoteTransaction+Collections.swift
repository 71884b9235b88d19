internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

extension RemoteTransaction {
    // MARK: - Present albums and folders

    func merge(_ part: CloudTransaction, into collection: CollectionRecord) throws {
        var record = collection
        var stamps = try table.stamps(of: .collection, record.uuid) ?? CloudStamps()
        var ends = false
        for operation in part.operations {
            switch operation {
            case .create(_, let creation):
                if let created = stamps.created, created <= part.stamp { continue }
                stamps.created = part.stamp
                record.creationDate = try Self.creationDate(in: creation) ?? record.creationDate
            case .set(_, let key, _, let value):
                let new = Register(stamp: part.stamp, value: value)
                switch (key.group, key.item, value) {
                case (.modification, _, _):
                    if let date = CloudColumns.date(of: value) {
                        record.modificationDate = max(record.modificationDate, date)
                    }
                case (.member, .object(let asset), .member) where record.kind == .album:
                    try merge(member: asset, new, of: record)
                case (.title, _, .text(let title)):
                    guard isNew(new, key, over: .text(record.title), &stamps) else { continue }
                    record.title = title
                case (.existence, _, .flag(let exists)):
                    guard isNew(new, key, over: .flag(true), &stamps) else { continue }
                    ends = !exists
                case (.parent, _, .parent):
                    let value = try objects.parent(of: record)
                    guard isNew(new, key, over: value, &stamps) else { continue }
                    try CloudTree(transaction).hide(new, of: record.uuid)
                    changesTree = true
                default: break
                }
            default: break
            }
        }
        try store(record)
        try table.set(stamps, of: .collection, record.uuid)
        if ends {
            try transaction.keepChildren(of: record)
            try transaction.keep(record, stamps, at: part.stamp)
            try removeRows(of: record)
            changesTree = true
        }
    }

    /// Returns whether a received register supersedes the current one, and in that case records the
    /// received stamp.
    private func isNew(
        _ new: Register,
        _ key: RegisterKey,
        over value: RegisterValue,
        _ stamps: inout CloudStamps
    ) -> Bool {
        if let entry = stamps.entries[key],
            !new.supersedes(Register(stamp: entry.stamp, value: value))
        {
            return false
        }
        stamps.entries[key] = CloudStamps.Entry(rank: 0, stamp: new.stamp)
        return true
    }

    /// Stores a collection's title and dates, but not its members.
    private func store(_ record: CollectionRecord) throws {
        guard let old = try transaction.collection(id: record.id) else { return }
        var new = old
        new.title = record.title
        new.creationDate = record.creationDate
        new.modificationDate = record.modificationDate
        try transaction.store(new, over: old)
    }

    /// Returns the date of an album's or folder's creation; nil if it is unknown.
    static func creationDate(in creation: Creation) throws -> Date? {
        let constants = try CloudColumns.decode(creation.constants)
        return switch constants.first(where: { $0.name == "creationDate" })?.value {
        case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
        default: nil
        }
    }

    // MARK: - Members

    /// Merges the membership of an asset in an album.
    ///
    /// `isShown` states that the register is the merged one of twins, and `member` the twin that is
    /// shown.
    func merge(
        member: CloudID,
        _ new: Register,
        of album: CollectionRecord,
        isShown: Bool = false
    ) throws {
        guard case .member(let key) = new.value else { return }
        let uuid = member.uuid
        if !isShown, try twins.contains(uuid) {
            guard try !table.isFinal(uuid) else { return }
            try noteTwins(of: member)
            try pending.add(member: member, new, of: CloudID.of(album.uuid))
            return
        }
        guard let asset = try transaction.finder().asset(uuid: uuid) else {
            guard try !table.isFinal(uuid) else { return }
            try pending.add(member: member, new, of: CloudID.of(album.uuid))
            return
        }
        if let entry = try table.member(album: album.uuid, asset: uuid) {
            let present = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT orderKey FROM albumAsset WHERE albumId = ? AND assetId = ?"
                ),
                arguments: [album.id, asset.id]
            )
            let data: Data? = present?[0]
            let current = Register(
                stamp: entry.stamp,
                value: .member(order: data.map { Array($0) })
            )
            guard new.supersedes(current) else { return }
        }
        // The merged register of twins is not the asset's own, which stays where it is.
        if !isShown { try pending.moved.note(new, of: member, in: CloudID.of(album.uuid)) }
        if let key {
            let keys = OrderKeys(membersOf: album.id, in: database)
            let anchor = try keys.anchor(of: key, uuid: uuid, except: asset.id)
            try transaction.placeMembers([asset.id], in: album.id, after: anchor)
            try keys.set(key, of: asset.id)
        } else {
            try transaction.removeMembers([asset.id], from: album.id)
        }
        try table.setMember(
            CloudStamps.Entry(rank: 0, stamp: new.stamp),
            album: album.uuid,
            asset: uuid
        )
    }

    // MARK: - New albums and folders

    func insertCollection(_ object: CloudObject, _ creation: Creation, _ id: CloudID) throws {
        let date = try Self.creationDate(in: creation) ?? Date(timeIntervalSinceReferenceDate: 0)
        var record = CollectionRecord(
            id: 0,
            uuid: id.uuid,
            kind: creation.kind == .album ? .album : .folder,
            title: "",
            parentID: CollectionRecord.root.id,
            position: 0,
            creationDate: date
        )
        if case .text(let title) = object.registers[RegisterKey(.title)]?.value {
            record.title = title
        }
        if let modified = CloudColumns.modification(in: object) {
            record.modificationDate = modified
        }
        record.id = try transaction.insertCollection(record)
        try table.set(CloudStamps(object), of: .collection, record.uuid)
        if let parent = object.registers[RegisterKey(.parent)] {
            try CloudTree(transaction).hide(parent, of: record.uuid)
        }
        changesTree = true
        guard record.kind == .album else { return }
        for (key, register) in object.registers where key.group == .member {
            guard case .object(let asset) = key.item else { continue }
            try merge(member: asset, register, of: record)
        }
    }

    func removeRows(of collection: CollectionRecord) throws {
        try transaction.deleteCollection(id: collection.id)
    }
}

extension LibraryTransaction {
    /// Moves a folder's contents to the root folder before the folder is deleted, and saves their
    /// parent registers.
    func keepChildren(of folder: CollectionRecord) throws {
        guard folder.kind == .folder else { return }
        let objects = CloudObjects(database)
        for id in try childIDs(of: folder.id) {
            guard let old = try collection(id: id) else { continue }
            let stamp = try CloudStampTable(database: database)
                .stamps(of: .collection, old.uuid)?.entries[RegisterKey(.parent)]?.stamp
            let register = Register(
                stamp: stamp ?? ChangeStamp(time: .zero, device: CloudID(0, 0)),
                value: try objects.parent(of: old)
            )
            try CloudTree(self).hide(register, of: old.uuid)
            // Without a key in its row, the tree places it by that of its register.
            try OrderKeys(childrenOf: folder.id, in: database).set(nil, of: id)
            var new = old
            new.parentID = CollectionRecord.root.id
            new.position = try positionAtEnd(ofFolder: new.parentID)
            try store(new, over: old)
        }
    }
}
