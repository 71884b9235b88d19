internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Joins a library to a cloud library.
///
/// The contents of all albums and folders get order keys. All values that differ from the defaults
/// get change stamps.
struct CloudJoining {
    private let transaction: LibraryTransaction
    private let database: Database
    private let device: CloudID
    private let table: CloudStampTable

    init(_ transaction: LibraryTransaction, device: CloudID) {
        self.transaction = transaction
        self.device = device
        database = transaction.database
        table = CloudStampTable(database: database)
    }

    func run(library: String) throws {
        guard try LibrarySetting.cloudLibrary.value(in: database) == nil else {
            throw LibraryError(
                .changeNotSupported,
                "The library is already part of a cloud library.",
                recovery: "Leave that one first."
            )
        }
        let now = try transaction.commitTime()
        for folder in try folders() {
            try OrderKeys(childrenOf: folder, in: database).assignAll()
        }
        let assets = try Row.fetchCursor(database, sql: AssetRecord.map.selectSQL)
        while let row = try assets.next() { try stamp(try AssetRecord(row: row), now) }
        for row in try Row.fetchAll(database, sql: CollectionRecord.map.selectSQL) {
            try stamp(try CollectionRecord(row: row), now)
        }
        try LibrarySetting.cloudLibrary.set(library, in: database)
        try LibrarySetting.cloudDevice.set(device.hexadecimal, in: database)
    }

    private func folders() throws -> [Int64] {
        [0]
            + (try Int64.fetchAll(
                database,
                sql: "SELECT id FROM collection WHERE kind = ?",
                arguments: [ObjectKind.folder.rawValue]
            ))
    }

    // MARK: - Stamps

    /// The times at which an object's columns were last set, according to the journal.
    private struct History {
        var created: HybridTime?
        var columns: [String: HybridTime] = [:]
    }

    private func stamp(_ asset: AssetRecord, _ now: HybridTime) throws {
        let history = try history(of: .asset, asset.id)
        let added = min(now, Self.time(of: asset.addedDate))
        let modified = min(now, max(added, Self.time(of: asset.modificationDate)))
        let created = min(now, history.created ?? added)
        var stamps = CloudStamps()
        stamps.created = ChangeStamp(time: created, device: device)
        // What was changed later replaces the values of the creation.
        let changed = CloudColumns.initialGroups.filter { group in
            MergeTable.columns(of: group, in: "asset").contains { history.columns[$0] != nil }
        }
        for key in CloudStamps.keys(of: asset) + changed.map({ RegisterKey($0) }) {
            let columns = MergeTable.columns(of: key.group, in: "asset")
            let known = columns.compactMap { history.columns[$0] }.max()
            let time = known ?? (Self.isFromFile(key.group, in: asset) ? created : modified)
            var stamp = ChangeStamp(time: min(now, time), device: device)
            if stamp == stamps.created, CloudStamps.isSetByPerson(key.group, in: asset) {
                stamp = CloudStamps.stamp(before: stamp)
            }
            stamps.touch(key, rank: CloudColumns.rank(of: key.group, in: asset), at: stamp)
        }
        for resource in try transaction.resources(ofAsset: asset.id) where !resource.isOfEdit {
            stamps.touch(
                RegisterKey(.original, .object(try CloudID.of(resource.uuid))),
                at: ChangeStamp(time: created, device: device)
            )
        }
        try table.set(stamps, of: .asset, asset.uuid)
    }

    /// Returns whether the values of a group are assumed to come from the asset's file and not from
    /// a person.
    ///
    /// They get the time of the creation, so that they lose against what a person changes in a twin
    /// of the asset (`TwinUnion`).
    private static func isFromFile(_ group: RegisterGroup, in asset: AssetRecord) -> Bool {
        switch group {
        case .facts, .time, .content: true
        case .keyword: !asset.personFacts.contains(.keywords)
        default: CloudColumns.fact(of: group).map { !asset.personFacts.contains($0) } ?? false
        }
    }

    private func stamp(_ collection: CollectionRecord, _ now: HybridTime) throws {
        let history = try history(of: collection.kind, collection.id)
        let first = min(now, Self.time(of: collection.creationDate))
        let modified = min(now, max(first, Self.time(of: collection.modificationDate)))
        let created = ChangeStamp(time: min(now, history.created ?? first), device: device)
        func stamp(_ column: String) -> ChangeStamp {
            ChangeStamp(time: min(now, history.columns[column] ?? modified), device: device)
        }
        var stamps = CloudStamps()
        stamps.created = created
        stamps.touch(RegisterKey(.title), at: stamp("title"))
        stamps.touch(
            RegisterKey(.parent),
            at: max(
                ChangeStamp(
                    time: min(now, history.columns["position"] ?? created.time),
                    device: device
                ),
                ChangeStamp(
                    time: min(now, history.columns[JournalNames.parent] ?? created.time),
                    device: device
                )
            )
        )
        try table.set(stamps, of: .collection, collection.uuid)
        guard collection.kind == .album else { return }
        try OrderKeys(membersOf: collection.id, in: database).assignAll()
        let members = try String.fetchAll(
            database,
            sql: """
                SELECT uuid FROM albumAsset JOIN asset ON asset.id = assetId WHERE albumId = ?
                """,
            arguments: [collection.id]
        )
        let entry = CloudStamps.Entry(
            rank: 0,
            stamp: ChangeStamp(time: modified, device: device)
        )
        for asset in members { try table.setMember(entry, album: collection.uuid, asset: asset) }
    }

    private func history(of kind: ObjectKind, _ id: Int64) throws -> History {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT change, newValues, hlc, time FROM journalEntry JOIN journalVersion USING (version)
                    WHERE kind = ? AND objectId = ? ORDER BY version, journalEntry.id
                    """
            ),
            arguments: [kind.rawValue, id]
        )
        var history = History()
        while let row = try rows.next() {
            let clock: Int64? = row[2]
            let time =
                clock.map { HybridTime(rawValue: UInt64(clamping: $0)) }
                ?? Self.time(of: Date(timeIntervalSinceReferenceDate: row[3]))
            if row[0] == JournalChange.insert.rawValue {
                // Pruning merges later values into the insertion, so it only dates the creation.
                history = History(created: time)
                continue
            }
            guard let text: String = row[1] else { continue }
            for column in try JournalValue.decode(text).keys { history.columns[column] = time }
        }
        return history
    }

    /// Converts a date to a time of the hybrid clock.
    private static func time(of date: Date) -> HybridTime {
        var clock = HybridClock()
        return clock.next(now: date.millisecondsSince1970)
    }
}
