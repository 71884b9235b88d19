internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Stamping of local changes in a library that joined a cloud library.
///
/// The transaction that makes the changes also writes their stamps, so changes that were not
/// published yet take part in merging.
extension LibraryTransaction {
    /// Returns an empty `CloudNotes` for a new transaction; nil if the library has not joined a
    /// cloud library.
    static func notes(_ database: Database) throws -> CloudNotes? {
        guard let text = try LibrarySetting.cloudDevice.value(in: database) else { return nil }
        guard let device = CloudID(hexadecimal: text) else {
            throw unreadableDevice(text)
        }
        return CloudNotes(device: device, database: database)
    }

    static func unreadableDevice(_ name: String) -> LibraryError {
        LibraryError(
            .corrupt,
            "The name of this device in the cloud library cannot be read: \(name).",
            recovery: "Restore database/library.sqlite from a backup."
        )
    }

    /// Returns whether the library is part of a cloud library.
    ///
    /// In a cloud library, the latest modification date wins, so an undo must not restore an
    /// earlier one.
    func hasJoinedCloud() throws -> Bool {
        if isRemote { return true }
        if cloudNotes == nil { cloudNotes = .some(try Self.notes(database)) }
        return (cloudNotes ?? nil) != nil
    }

    /// Returns whether changes are stamped: the library is in a cloud library, and the changes were
    /// made on this device.
    private func isStamping() throws -> Bool { try !isRemote && hasJoinedCloud() }

    /// Runs `body`, which records changes in the transaction's `CloudNotes`.
    ///
    /// Does nothing if the library has not joined a cloud library, or if the changes come from
    /// another device.
    func note(_ body: (inout CloudNotes, ChangeStamp) throws -> Void) throws {
        guard try isStamping(), var notes = cloudNotes ?? nil else { return }
        let stamp = ChangeStamp(time: try commitTime(), device: notes.device)
        // The only copy, so that its dictionaries are changed in place.
        cloudNotes = .some(nil)
        defer { cloudNotes = .some(notes) }
        try body(&notes, stamp)
    }

    // MARK: - Rows

    func noteInsertion<Record>(_ record: Record, id: Int64) throws {
        guard try isStamping() else { return }
        switch record {
        case let asset as AssetRecord: try noteInsertion(asset)
        case let resource as ResourceRecord: try noteFile(resource)
        case let collection as CollectionRecord: try noteInsertion(collection, id: id)
        default: break
        }
    }

    func noteUpdate<Record>(
        from old: Record,
        to new: Record,
        columns: some Sequence<String>
    ) throws {
        guard try isStamping() else { return }
        if let old = old as? AssetRecord, let new = new as? AssetRecord {
            try noteUpdate(from: old, to: new, columns: columns)
        } else if let old = old as? ResourceRecord, let new = new as? ResourceRecord {
            try noteFile(old)
            try noteFile(new)
        } else if let new = new as? CollectionRecord {
            let columns = Set(columns)
            let isMoved =
                !isRenumbering && (columns.contains("parentId") || columns.contains("position"))
            guard columns.contains("title") || isMoved else { return }
            try note { notes, stamp in
                if columns.contains("title") {
                    try notes.changeCollection(new.uuid) {
                        $0.touch(RegisterKey(.title), at: stamp)
                    }
                }
                if isMoved { notes.moved.insert(new.id) }
            }
        }
    }

    func noteDeletion<Record>(_ record: Record) throws {
        guard try isStamping() else { return }
        if let resource = record as? ResourceRecord { try noteFile(resource) }
    }

    private func noteInsertion(_ asset: AssetRecord) throws {
        try note { notes, stamp in
            // An asset that returns has registers. At the end of the transaction, those that have
            // other values than the row are merged with it.
            let former = try CloudObjects(database).pending(asset.uuid)
            try CloudPendingTable(database: database).remove(asset.uuid)
            notes.departed.remove(asset.uuid)
            if !former.transactions.isEmpty {
                let known = former.registerTransactions(of: try CloudID.of(asset.uuid))
                notes.former[asset.uuid, default: []] += known
                notes.returned[asset.uuid, default: []] += former.others
            }
            let held = try former.stamps(heldBy: asset)
            let stated = try CloudStamps.keys(of: asset).filter { key in
                try held[key] == nil && !former.hasSet(key, as: asset)
            }
            let isNew = former.object.created == nil
            try notes.changeAsset(asset.uuid) { stamps in
                stamps.entries.merge(held) { $1 }
                stamps.created = stamps.created ?? stamp
                // The new stamp voids purges.
                if !isNew || former.object.registers[RegisterKey(.trash)] != nil {
                    stamps.touch(RegisterKey(.trash), at: stamp)
                    // The row has the former values, and other devices may have changed them.
                    for group in CloudColumns.initialGroups {
                        let rank = CloudColumns.rank(of: group, in: asset)
                        stamps.touch(RegisterKey(group), rank: rank, at: stamp)
                    }
                }
                for key in stated {
                    let isOlder = isNew && CloudStamps.isSetByPerson(key.group, in: asset)
                    stamps.touch(
                        key,
                        rank: CloudColumns.rank(of: key.group, in: asset),
                        at: isOlder ? CloudStamps.stamp(before: stamp) : stamp
                    )
                }
            }
        }
    }

    private func noteUpdate(
        from old: AssetRecord,
        to new: AssetRecord,
        columns: some Sequence<String>
    ) throws {
        var keys: Set<RegisterKey> = []
        for column in columns {
            guard let group = MergeTable.group(of: column, in: "asset") else { continue }
            switch group {
            case .keyword:
                keys.formUnion(
                    Set(old.keywords).symmetricDifference(new.keywords)
                        .map { RegisterKey(.keyword, .word($0)) }
                )
            case .modification: break
            default: keys.insert(RegisterKey(group))
            }
        }
        guard !keys.isEmpty else { return }
        try note { notes, stamp in
            try notes.changeAsset(new.uuid) { stamps in
                for key in keys {
                    stamps.touch(key, rank: CloudColumns.rank(of: key.group, in: new), at: stamp)
                }
            }
        }
    }

    private func noteFile(_ resource: ResourceRecord) throws {
        try note { notes, stamp in
            let key =
                resource.isOfEdit
                ? RegisterKey(.content)
                : RegisterKey(.original, .object(try CloudID.of(resource.uuid)))
            try notes.changeAsset(resource.assetUUID) { $0.touch(key, at: stamp) }
        }
    }

    private func noteInsertion(_ collection: CollectionRecord, id: Int64) throws {
        try note { notes, stamp in
            let former = try CloudObjects(database).pending(collection.uuid)
            try CloudPendingTable(database: database).remove(collection.uuid)
            try notes.changeCollection(collection.uuid) { stamps in
                if !former.transactions.isEmpty {
                    stamps = CloudStamps(former.object)
                    stamps.touch(RegisterKey(.existence), at: stamp)
                }
                stamps.created = stamps.created ?? stamp
                stamps.touch(RegisterKey(.title), at: stamp)
            }
            for (key, register) in former.object.registers where key.group == .member {
                guard case .object(let asset) = key.item else { continue }
                notes.restored[id, default: [:]][asset] = register
            }
            notes.moved.insert(id)
            notes.changesTree = true
        }
    }

    /// Records a change of an album's members in the transaction's `CloudNotes`.
    func noteMembers(_ change: MembersChange, of album: Int64) throws {
        guard !change.inserted.isEmpty || !change.moved.isEmpty || !change.removed.isEmpty else {
            return
        }
        try note { notes, _ in
            let placed = change.inserted.map(\.asset) + change.moved.map(\.asset)
            notes.placed[album, default: []].formUnion(placed)
            notes.removed[album, default: []].subtract(placed)
            for place in change.removed {
                notes.placed[album]?.remove(place.asset)
                notes.removed[album, default: []].insert(place.asset)
            }
        }
    }

    // MARK: - The end of the transaction

    /// Writes the order keys and stamps of the transaction's changes.
    func flushCloud() throws {
        // Reading the notes, as for a date that must not decrease, is no change.
        guard version != nil, case .some(.some) = cloudNotes else { return }
        try note { notes, stamp in
            try flushOrder(&notes, stamp)
            try notes.write()
        }
        if cloudNotes??.changesTree == true, try CloudTree(self).hidesFolders() {
            isRemote = true
            try CloudTree(self).resolve()
            isRemote = false
        }
    }

    /// Assigns order keys to the members and collections that the transaction inserted or moved,
    /// and records the stamps of its changes to memberships and positions.
    func flushOrder(_ notes: inout CloudNotes, _ stamp: ChangeStamp) throws {
        for album in Set(notes.placed.keys).union(notes.removed.keys).sorted() {
            try flushMembers(of: album, &notes, stamp)
        }
        (notes.placed, notes.removed) = ([:], [:])
        var folders: [Int64: [Int64]] = [:]
        for id in notes.moved {
            guard let record = try collection(id: id) else { continue }
            folders[record.parentID, default: []].append(id)
        }
        notes.moved = []
        for (folder, ids) in folders {
            let keyed = try OrderKeys(childrenOf: folder, in: database).assign(ids)
            if keyed.count > ids.count { try noteNewKeys(.cloudRekeyed) }
            let moved = Set(ids)
            for id in keyed {
                guard let record = try collection(id: id) else { continue }
                if moved.contains(id) {
                    // The place that the person gave it counts, whatever folder hid it before.
                    try CloudPendingTable(database: database).remove(record.uuid)
                } else if try CloudObjects(database).hiddenParent(of: record.uuid) != nil {
                    // It is shown here instead of its own folder, and keeps its register. The tree
                    // gives it back its key.
                    continue
                }
                try notes.changeCollection(record.uuid) {
                    $0.touch(RegisterKey(.parent), at: stamp)
                }
                notes.changesTree = true
            }
        }
    }

    /// Records that the version gives new order keys to rows that no journal entry names.
    private func noteNewKeys(_ setting: LibrarySetting) throws {
        try setting.set(String(currentVersion()), in: database)
    }

    private func flushMembers(
        of album: Int64,
        _ notes: inout CloudNotes,
        _ stamp: ChangeStamp
    ) throws {
        guard let record = try collection(id: album) else { return }
        let table = CloudStampTable(database: database)
        let entry = CloudStamps.Entry(rank: 0, stamp: stamp)
        let placed = Array(notes.placed[album] ?? [])
        let keyed = try OrderKeys(membersOf: album, in: database).assign(placed)
        if keyed.count > placed.count { try noteNewKeys(.cloudRekeyedMembers) }
        for id in keyed {
            guard let asset = try uuid(ofAsset: id) else { continue }
            try table.setMember(entry, album: record.uuid, asset: asset)
        }
        // A purged asset returns to its albums if the purge becomes void.
        for id in notes.removed[album] ?? [] {
            guard let asset = try uuid(ofAsset: id), !notes.departed.contains(asset) else {
                continue
            }
            try table.setMember(entry, album: record.uuid, asset: asset)
        }
    }

    private func uuid(ofAsset id: Int64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT uuid FROM asset WHERE id = ?"),
            arguments: [id]
        )
    }
}
