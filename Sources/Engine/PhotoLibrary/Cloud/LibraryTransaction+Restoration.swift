internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Merges the dates and members of restored albums and folders, and the values and memberships of
/// restored assets, with changes that other devices made while these were deleted.
extension LibraryTransaction {
    /// Returns the record of an album or folder that is about to be inserted, with the dates that
    /// the cloud library knows.
    ///
    /// These are the date of the earliest creation and the latest modification date. They were kept
    /// as pending operations while the album or folder was deleted.
    func withKnownDates(_ record: CollectionRecord) throws -> CollectionRecord {
        guard try !isRemote && hasJoinedCloud() else { return record }
        let known = try CloudObjects(database).pending(record.uuid).object
        var record = record
        if let creation = known.creation {
            record.creationDate =
                try RemoteTransaction.creationDate(in: creation) ?? record.creationDate
        }
        if let date = CloudColumns.modification(in: known) {
            record.modificationDate = max(record.modificationDate, date)
        }
        return record
    }

    /// Merges the pending registers of restored assets into their rows.
    ///
    /// What the transaction states has a later stamp and wins. Other values, and the constants of
    /// the earliest creation, are those that the cloud library knows. `files` connects the files of
    /// twins, the same photo imported on several devices.
    func flushRestoredAssets(_ files: FileLink) throws {
        guard case .some(var notes?) = cloudNotes, !notes.former.isEmpty else { return }
        let former = notes.former
        notes.former = [:]
        try notes.write()
        cloudNotes = .some(notes)
        // The changes of this device so far get its stamps. The values that are merged, and the
        // memberships of twins, have those of the devices that set them.
        try flushAlbums()
        isRemote = true
        defer { isRemote = false }
        let remote = try RemoteTransaction(self, files: files)
        for (uuid, transactions) in former.sorted(by: { $0.key < $1.key }) {
            try remote.merge(transactions, intoReturned: uuid)
        }
        try remote.settleTwins()
        try flushAlbums()
    }

    /// Merges the pending membership registers of restored albums and assets into the albums.
    ///
    /// The rows that the person restored get new keys and stamps. Of the other members,
    ///
    /// 1. photos that are not in the library, and twins, keep their registers;
    /// 2. photos that another device added meanwhile become the last members;
    /// 3. photos that were removed remain so.
    func flushRestoredMembers() throws {
        guard case .some(var notes?) = cloudNotes,
            !notes.restored.isEmpty || !notes.returned.isEmpty
        else { return }
        let (albums, assets) = (notes.restored, notes.returned)
        (notes.restored, notes.returned) = ([:], [:])
        cloudNotes = .some(notes)
        for (id, members) in albums.sorted(by: { $0.key < $1.key }) {
            guard let album = try collection(id: id) else { continue }
            try restore(members, of: album)
        }
        for (asset, memberships) in assets.sorted(by: { $0.key < $1.key }) {
            try restore(memberships, ofAsset: asset)
        }
    }

    /// Adds a restored asset to the albums to which another device added it meanwhile.
    ///
    /// Albums that are not in the library, and those from which the asset was removed, keep their
    /// registers. If the asset left again in the same transaction, it keeps all of them.
    private func restore(_ memberships: [CloudTransaction], ofAsset uuid: String) throws {
        let table = CloudStampTable(database: database)
        let pending = CloudPendingTable(database: database)
        guard let asset = try finder().asset(uuid: uuid) else {
            for membership in memberships { try pending.add(membership, to: uuid) }
            return
        }
        var registers: [CloudID: Register] = [:]
        for membership in memberships {
            for case .set(let album, let key, _, let value) in membership.operations
            where key.group == .member {
                let register = Register(stamp: membership.stamp, value: value)
                guard registers[album].map({ register.supersedes($0) }) ?? true else { continue }
                registers[album] = register
            }
        }
        let member = try CloudID.of(uuid)
        for (id, register) in registers.sorted(by: { $0.key < $1.key }) {
            guard let album = try collection(uuid: id.uuid), album.kind == .album else {
                if try !table.isFinal(id.uuid) {
                    try pending.add(member: member, register, of: id, to: id)
                }
                continue
            }
            let order = SparsePositions(membersOf: album.id, in: database)
            guard try order.position(of: asset.id) == nil else { continue }
            let known = try table.member(album: album.uuid, asset: uuid)
            if let known, known.stamp >= register.stamp { continue }
            if register.value == .member(order: nil) {
                try pending.moved.note(register, of: member, in: id)
                let entry = CloudStamps.Entry(rank: 0, stamp: register.stamp)
                try table.setMember(entry, album: album.uuid, asset: uuid)
            } else {
                try appendMembers([asset.id], to: album.id)
            }
        }
    }

    private func restore(_ members: [CloudID: Register], of album: CollectionRecord) throws {
        let table = CloudStampTable(database: database)
        let pending = CloudPendingTable(database: database)
        let twins = CloudTwinTable(database: database)
        let album = (id: album.id, uuid: album.uuid, name: try CloudID.of(album.uuid))
        var shown: [String: Register] = [:]
        for (member, register) in members where try !table.isFinal(member.uuid) {
            let hasTwins = try twins.contains(member.uuid)
            let uuid = hasTwins ? try twins.representative(of: member.uuid) : nil
            let asset = uuid ?? member.uuid
            let isHere = try finder().asset(uuid: asset) != nil
            if hasTwins || !isHere { try pending.add(member: member, register, of: album.name) }
            guard isHere, shown[asset].map({ register.supersedes($0) }) ?? true else { continue }
            shown[asset] = register
        }
        let order = SparsePositions(membersOf: album.id, in: database)
        let added = shown.sorted { left, right in
            left.value.stamp == right.value.stamp
                ? left.value.encodedValue.lexicographicallyPrecedes(right.value.encodedValue)
                : left.value.stamp < right.value.stamp
        }
        for (asset, register) in added {
            guard let id = try finder().asset(uuid: asset)?.id,
                try order.position(of: id) == nil
            else { continue }
            if register.value == .member(order: nil) {
                let entry = CloudStamps.Entry(rank: 0, stamp: register.stamp)
                try table.setMember(entry, album: album.uuid, asset: asset)
            } else {
                try appendMembers([id], to: album.id)
            }
        }
    }
}
