internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

extension RemoteTransaction {
    /// The state of an asset while received operations are applied to it.
    private struct Merge {
        var record: AssetRecord
        var stamps: CloudStamps
        var contentChanged = false
        /// The received purge that takes effect, and its own stamp.
        ///
        /// It takes effect because it names the current stamp of the asset's trash register.
        var purge: (operation: CloudOperation, stamp: ChangeStamp)?

        /// The register groups whose initial values, those of the creation, were changed.
        var changedGroups: [RegisterGroup] {
            CloudColumns.initialGroups.filter { stamps.entries[RegisterKey($0)] != nil }
        }
    }

    // MARK: - Present assets

    func merge(_ parts: [CloudTransaction], into asset: AssetRecord) throws {
        var merge = Merge(
            record: asset,
            stamps: try table.stamps(of: .asset, asset.uuid) ?? CloudStamps()
        )
        // Purges come last, since they depend on the trash.
        for part in parts {
            for operation in part.operations {
                switch operation {
                case .create(_, let creation):
                    if let created = merge.stamps.created, created <= part.stamp { continue }
                    merge.stamps.created = part.stamp
                    merge.record = try CloudColumns.apply(
                        constants: creation.constants,
                        to: merge.record,
                        changed: merge.changedGroups
                    )
                case .set(_, let key, let rank, let value):
                    let register = Register(
                        rank: key.group.isRanked ? rank : 0,
                        stamp: part.stamp,
                        value: value
                    )
                    try set(key, register, in: &merge)
                default: break
                }
            }
        }
        for part in parts {
            for case .purge(let id, let trash, let date) in part.operations {
                try set(RegisterKey(.trash), Register(stamp: trash, value: date), in: &merge)
                guard merge.stamps.entries[RegisterKey(.trash)]?.stamp == trash else { continue }
                merge.purge = (.purge(id, trash: trash, date: date), part.stamp)
            }
        }
        if merge.contentChanged { merge.record.contentVersion += 1 }
        if merge.record != asset {
            try transaction.store(
                merge.record,
                over: asset,
                contentChanged: merge.contentChanged
            )
        }
        if let purge = merge.purge {
            try transaction.keep(
                merge.record,
                merge.stamps,
                purge: purge.operation,
                at: purge.stamp
            )
            try removeRows(of: merge.record)
        } else {
            try table.set(merge.stamps, of: .asset, asset.uuid)
        }
    }

    private func set(_ key: RegisterKey, _ new: Register, in merge: inout Merge) throws {
        if key.group == .modification {
            guard let date = CloudColumns.date(of: new.value) else { return }
            merge.record.modificationDate = max(merge.record.modificationDate, date)
            return
        }
        if let entry = merge.stamps.entries[key] {
            let files =
                [.content, .original].contains(key.group)
                ? try transaction.resources(ofAsset: merge.record.id) : []
            let current = Register(
                rank: entry.rank,
                stamp: entry.stamp,
                value: try CloudObjects.value(of: key, in: merge.record, files)
            )
            guard new.supersedes(current) else { return }
        }
        switch (key.group, key.item, new.value) {
        case (.original, .object(let id), _):
            try setOriginal(id, new.value.resources.first, of: merge.record)
            merge.contentChanged = true
        case (.content, _, .version(_, let files)):
            try setEdit(files, of: merge.record)
            merge.contentChanged = true
        case (.keyword, .word, _): merge.record.personFacts.insert(.keywords)
        default: break
        }
        guard try Self.apply(key, new.value, to: &merge.record) else { return }
        merge.stamps.entries[key] = CloudStamps.Entry(rank: new.rank, stamp: new.stamp)
    }

    /// Sets those columns of a record that make up a register.
    ///
    /// - Returns: False for a register of a later version.
    private static func apply(
        _ key: RegisterKey,
        _ value: RegisterValue,
        to record: inout AssetRecord
    ) throws -> Bool {
        switch (key.group, key.item, value) {
        case (.original, .object, _): break
        case (.keyword, .word(let word), .flag(let isPresent)):
            record.keywords.removeAll { $0 == word && !isPresent }
            if isPresent, !record.keywords.contains(word) { record.keywords.append(word) }
        case (.trash, _, .none): record.trashedDate = nil
        case (.content, _, .version(let bytes, _)):
            record = try CloudColumns.apply(bytes, of: .content, to: record)
        case (let group, .whole, .bytes(let bytes)) where CloudColumns.assetGroups.contains(group):
            record = try CloudColumns.apply(bytes, of: group, to: record)
        default: return false
        }
        return true
    }

    /// Merges operations on an asset, which were kept while the asset was purged, into its row.
    ///
    /// If the asset left again, they are kept as before.
    func merge(_ parts: [CloudTransaction], intoReturned uuid: String) throws {
        let hasTwins = try twins.contains(uuid)
        if !hasTwins, let asset = try transaction.asset(uuid: uuid) {
            try merge(parts, into: asset)
            return
        }
        if hasTwins { try noteTwins(of: CloudID.of(uuid)) }
        for part in parts { try pending.add(part, to: uuid) }
    }

    // MARK: - New assets

    /// Inserts a received asset.
    ///
    /// `hasAlias` states whether the library may have a record that a twin is shown in place of
    /// this asset.
    func insertAsset(
        _ object: CloudObject,
        _ creation: Creation,
        _ id: CloudID,
        hasAlias: Bool = true
    ) throws {
        var record = try Self.record(of: id, creation, object.created, object.registers)
        record.id = try transaction.insertAsset(record)
        let originals = object.registers.filter { $0.key.group == .original }
            .flatMap { $0.value.value.resources }
        for file in ArrivingAsset.sorted(originals, as: creation) {
            try insert(file, of: record, isEdit: false)
        }
        let edit = object.registers[RegisterKey(.content)]?.value.resources ?? []
        for file in edit { try insert(file, of: record, isEdit: true) }
        try table.set(CloudStamps(object), of: .asset, record.uuid)
        // A library that left a cloud library keeps its aliases.
        if hasAlias { try twins.setRepresentative(nil, of: record.uuid) }
    }

    /// Returns the record of a new asset with the values of its creation and its registers.
    ///
    /// `created` is the stamp of the creation.
    static func record(
        of id: CloudID,
        _ creation: Creation?,
        _ created: ChangeStamp?,
        _ registers: some Sequence<(key: RegisterKey, value: Register)>
    ) throws -> AssetRecord {
        var draft = CloudColumns.Draft(newAsset: id.uuid)
        if let creation { try draft.apply(constants: creation.constants) }
        var words: [(word: String, stamp: ChangeStamp)] = []
        var modified: Date?
        for (key, register) in registers {
            switch (key.group, key.item, register.value) {
            case (_, .word(let word), .flag(true)): words.append((word, register.stamp))
            case (.modification, .whole, let value): modified = CloudColumns.date(of: value)
            case (.content, _, .version(let bytes, _)): try draft.apply(bytes, of: .content)
            case (let group, .whole, .bytes(let bytes))
            where CloudColumns.assetGroups.contains(group):
                try draft.apply(bytes, of: group)
            default: break
            }
        }
        var record = try draft.record()
        record.keywords = words.sorted {
            ($0.stamp.time, $0.word) < ($1.stamp.time, $1.word)
        }.map(\.word)
        if words.contains(where: { $0.stamp != created }) {
            record.personFacts.insert(.keywords)
        }
        // The latest date wins, and that of a migrated photo may be before its addition.
        record.modificationDate = modified ?? .distantPast
        return record
    }

    // MARK: - Files

    private func setOriginal(_ id: CloudID, _ file: CloudResource?, of asset: AssetRecord) throws {
        if let file, file.id == id {
            try insert(file, of: asset, isEdit: false)
        } else {
            for resource in try transaction.resources(ofAsset: asset.id)
            where resource.uuid == id.uuid && !resource.isOfEdit {
                try transaction.retire(resource)
            }
        }
    }

    private func setEdit(_ files: [CloudResource], of asset: AssetRecord) throws {
        let names = Set(files.map(\.id.uuid))
        for resource in try transaction.resources(ofAsset: asset.id)
        where resource.isOfEdit && !names.contains(resource.uuid) {
            try transaction.retire(resource)
        }
        for file in files { try insert(file, of: asset, isEdit: true) }
    }

    /// Inserts a row for a file, or assigns the file's existing row to the asset.
    func insert(_ file: CloudResource, of asset: AssetRecord, isEdit: Bool) throws {
        let record = try ResourceRecord(file, of: asset, isEdit: isEdit)
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM resource WHERE uuid = ?"),
            arguments: [record.uuid]
        )
        if let known, var present = try transaction.resource(id: known) {
            present.assetID = asset.id
            present.assetUUID = asset.uuid
            present.type = record.type
            // A later reader of the other device may have found other properties.
            present.originalFilename = record.originalFilename
            present.contentType = record.contentType
            present.pixelSize = record.pixelSize
            try transaction.updateResource(present)
            return
        }
        let id = try transaction.insertResource(record)
        // A file that left with a purge or an edit is still here.
        try database.cachedStatement(sql: "DELETE FROM formerFile WHERE path = ?")
            .execute(arguments: [record.path])
        guard database.changesCount == 0 else { return }
        try database.cachedStatement(sql: "UPDATE resource SET presence = 1 WHERE id = ?")
            .execute(arguments: [id])
    }

    /// Deletes an asset's rows; its files are kept until the purge is final.
    func removeRows(of asset: AssetRecord) throws {
        for album in try transaction.albumIDs(of: asset.id) {
            try transaction.removeMembers([asset.id], from: album)
        }
        for resource in try transaction.resources(ofAsset: asset.id) {
            try transaction.retire(resource)
        }
        try transaction.deleteAsset(id: asset.id)
    }
}
