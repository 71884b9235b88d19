internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Creates the operations of local changes that were not exported yet.
///
/// Each register is exported once, with its current value and the stamp of its last change, since a
/// value that was replaced would never win. Purged and deleted objects are exported from the
/// pending operations that the library keeps of them.
struct CloudExporter {
    /// The maximum number of operations per transaction in an export of all objects.
    ///
    /// In such an export, one stamp may cover a whole import.
    private static let operationsPerTransaction = 1_000

    let database: Database
    private let objects: CloudObjects
    private let table: CloudStampTable
    private let finder: AssetRowFinder
    private let twins: CloudTwinTable

    init(_ database: Database) throws {
        self.database = database
        finder = try AssetRowFinder(database)
        twins = CloudTwinTable(database: database)
        objects = CloudObjects(database)
        table = CloudStampTable(database: database)
    }

    static let notJoined = LibraryError(
        .changeNotSupported,
        "The library is not part of a cloud library.",
        recovery: "Join one first."
    )

    /// Exports the changes since the last export, or a part of them.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of objects in an export of all objects.
    ///   - entries: The number of journal entries after which a part of another export ends with
    ///     their version.
    /// - Returns: The changes; nil if there are none.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library.
    func export(limit: Int, entries: Int) throws -> LibraryStore.CloudExport? {
        guard let membership = try CloudMembership(database) else { throw Self.notJoined }
        let own = membership.devices
        let mark = try LibrarySetting.cloudExported.number(in: database) ?? 0
        let begun = try Self.progress(in: database)
        let current = try JournalWriter.currentVersion(database)
        let isWhole = try Self.isWhole(after: mark, begun, in: database)
        let page = try isWhole ? nil : endOfPage(after: mark, entries: entries)
        let through = begun?.through ?? page?.version ?? current
        guard through > mark else { return nil }
        let after = mark == 0 ? HybridTime.zero : try time(of: mark)
        var changed =
            isWhole
            ? try objects(after: begun?.object ?? "", limit: limit)
            : try changedObjects(since: mark, through: through)
        if try !isWhole && hasNewKeys(since: mark) {
            changed = try Set(changed).union(placedCollections(after: after, by: own)).sorted()
        }
        let keepers = isWhole ? [] : try keepers(since: mark, through: through, except: changed)
        let end = page?.time ?? HybridTime(rawValue: .max)
        let last = ChangeStamp(time: try time(of: through), device: membership.device)
        var result = CloudObjects.Operations()
        for (uuid, isChanged) in changed.map({ ($0, true) }) + keepers.map({ ($0, false) }) {
            for var operations in try self.operations(of: uuid) {
                let isNew = operations.byStamp.contains { stamp, list in
                    stamp.time > after && stamp.time <= end
                        && list.contains(where: \.isCreation)
                }
                operations.byStamp = operations.byStamp.filter { stamp, _ in
                    // What a person set before an import precedes the creation by one.
                    own.contains(stamp.device) && stamp.time <= end
                        && (stamp.time > after || isNew && stamp.time == after)
                }
                if isChanged || !operations.byStamp.isEmpty,
                    let modification = operations.modification
                {
                    // With the creation, so that a device which receives a new object has its date.
                    operations.add(modification, at: operations.byStamp.keys.min() ?? last)
                }
                result.byStamp.merge(operations.byStamp) { $0 + $1 }
                result.contents.formUnion(operations.contents)
            }
        }
        let next = isWhole && changed.count == limit ? changed.last : nil
        if isWhole, next == nil {
            let moved = try MovedMemberships(database).operations().byStamp.filter { stamp, _ in
                own.contains(stamp.device) && stamp.time > after
            }
            result.byStamp.merge(moved) { $0 + $1 }
        }
        var transactions = result.transactions
        if isWhole { transactions = transactions.flatMap(Self.split) }
        let named = Set(transactions.flatMap { $0.operations.flatMap(\.contents) })
        return LibraryStore.CloudExport(
            transactions: transactions,
            contents: named.intersection(result.contents).sorted(),
            through: through,
            next: next,
            isComplete: next == nil && (isWhole || through == current)
        )
    }

    /// Returns up to `limit` UUIDs of objects that follow a UUID, in ascending order.
    private func objects(after uuid: String, limit: Int) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT uuid FROM (
                    SELECT * FROM (SELECT uuid FROM cloudStamp
                        WHERE kind = \(CloudStampTable.Kind.asset.rawValue) AND uuid > ?1
                        ORDER BY uuid LIMIT ?2)
                    UNION SELECT * FROM (SELECT uuid FROM cloudStamp
                        WHERE kind = \(CloudStampTable.Kind.collection.rawValue) AND uuid > ?1
                        ORDER BY uuid LIMIT ?2)
                    UNION SELECT * FROM (SELECT DISTINCT uuid FROM cloudPending WHERE uuid > ?1
                        ORDER BY uuid LIMIT ?2))
                ORDER BY uuid LIMIT ?2
                """,
            arguments: [uuid, limit]
        )
    }

    private static func split(_ transaction: CloudTransaction) -> [CloudTransaction] {
        let operations = transaction.operations
        return stride(from: 0, to: operations.count, by: operationsPerTransaction).map { start in
            var part = transaction
            part.operations = Array(operations[start...].prefix(operationsPerTransaction))
            return part
        }
    }

    /// Returns the UUIDs of objects that this device changed in a range of versions, in ascending
    /// order.
    ///
    /// A changed file belongs to all assets that had it since, and each of them may have been
    /// purged. Its entries name them: the last one of a file that is gone contains all its values.
    private func changedObjects(since mark: Int64, through end: Int64) throws -> [String] {
        try String.fetchAll(
            database,
            sql: Self.entriesSQL + """
                , change AS MATERIALIZED (
                    SELECT oldValues ->> 'assetId' AS formerOwner, newValues ->> 'assetId' AS owner
                    FROM (SELECT DISTINCT objectId FROM entry
                        WHERE kind = \(ObjectKind.resource.rawValue)) AS file
                    CROSS JOIN journalEntry ON kind = \(ObjectKind.resource.rawValue)
                        AND journalEntry.objectId = file.objectId AND version > ?1),
                owner AS MATERIALIZED (
                    SELECT assetId AS id FROM entry JOIN resource ON resource.id = entry.objectId
                    WHERE kind = \(ObjectKind.resource.rawValue)
                    UNION SELECT formerOwner FROM change
                    UNION SELECT owner FROM change)
                SELECT uuid FROM entry WHERE kind <> \(ObjectKind.resource.rawValue)
                UNION
                SELECT uuid FROM asset WHERE id IN (SELECT id FROM owner)
                UNION
                SELECT uuid FROM tombstone WHERE kind = \(ObjectKind.asset.rawValue)
                    AND objectId IN (SELECT id FROM owner)
                """,
            arguments: [mark, end]
        ).sorted()
    }

    /// Returns the UUIDs of objects that are not in the library and keep registers of albums that
    /// changed in a range of versions, in ascending order.
    ///
    /// An asset that was purged keeps its memberships itself. Those of twins, one of which is in
    /// the library, are exported with the albums as well.
    private func keepers(
        since mark: Int64,
        through end: Int64,
        except changed: [String]
    ) throws -> [String] {
        var keepers = try String.fetchSet(
            database,
            sql: Self.entriesSQL + """
                SELECT pending.uuid FROM entry, json_each(entry.members) AS list,
                    json_each(list.value) AS member, cloudPending AS pending
                WHERE entry.members IS NOT NULL
                    AND list.key IN ('inserted', 'removed', 'moved')
                    AND pending.uuid =
                        CASE WHEN member.type = 'array' THEN member.value ->> 0 END
                    AND \(Self.isAwaySQL)
                """,
            arguments: [mark, end]
        )
        if try hasNewMemberKeys(since: mark) {
            // No entry names the members. Their stamps tell which of them belong to the page.
            try keepers.formUnion(
                String.fetchSet(
                    database,
                    sql: """
                        SELECT uuid FROM (SELECT DISTINCT uuid FROM cloudPending) AS pending
                        WHERE \(Self.isAwaySQL)
                        """
                )
            )
        }
        return keepers.subtracting(changed).sorted()
    }

    /// A SQL condition for objects in `pending` that are not in the library, not even as a twin.
    ///
    /// An alias of an asset without twins is from a cloud library that the library left.
    private static let isAwaySQL = """
        NOT EXISTS (SELECT 1 FROM asset WHERE uuid = pending.uuid)
        AND NOT EXISTS (SELECT 1 FROM collection WHERE uuid = pending.uuid)
        AND NOT (EXISTS (SELECT 1 FROM cloudStamp
                WHERE kind = \(CloudStampTable.Kind.alias.rawValue) AND uuid = pending.uuid)
            AND EXISTS (SELECT 1 FROM cloudStamp
                WHERE kind = \(CloudStampTable.Kind.twin.rawValue) AND uuid = pending.uuid))
        """

    private static let entriesSQL = """
        WITH entry AS MATERIALIZED (
            SELECT kind, objectId, uuid, members FROM journalEntry
            WHERE version IN (
                SELECT version FROM journalVersion
                WHERE version > ?1 AND version <= ?2 AND origin IS NULL))

        """

    /// Returns the UUIDs of albums and folders whose folder or order key this device changed after
    /// a time.
    ///
    /// If a folder ran out of order keys, all collections in it have new ones. No journal entry
    /// names them, and the collection that caused it may have left the folder since.
    private func placedCollections(
        after: HybridTime,
        by own: Set<CloudID>
    ) throws -> [String] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT uuid, stamps FROM cloudStamp
                WHERE kind = \(CloudStampTable.Kind.collection.rawValue)
                """
        )
        var placed: [String] = []
        while let row = try rows.next() {
            let (uuid, data): (String, Data) = (row[0], row[1])
            let entry = try CloudStamps(decoding: data).entries[RegisterKey(.parent)]
            guard let stamp = entry?.stamp, own.contains(stamp.device), stamp.time > after else {
                continue
            }
            placed.append(uuid)
        }
        return placed
    }

    private func operations(of uuid: String) throws -> [CloudObjects.Operations] {
        if try twins.contains(uuid) {
            // The row has the union, but each asset is published under its own name.
            return try TwinClass(of: CloudID.of(uuid), in: database)?.operations ?? []
        }
        return [try operations(ofOne: uuid)]
    }

    private func operations(ofOne uuid: String) throws -> CloudObjects.Operations {
        if let asset = try finder.asset(uuid: uuid) {
            return try objects.operations(
                of: asset,
                table.stamps(of: .asset, uuid) ?? CloudStamps()
            ).adding(CloudColumns.modification(asset.modificationDate, of: uuid))
        }
        if let collection = try collection(uuid) {
            return try objects.operations(
                of: collection,
                table.stamps(of: .collection, uuid) ?? CloudStamps()
            ).adding(CloudColumns.modification(collection.modificationDate, of: uuid))
        }
        return try objects.pending(uuid).operations
    }

    private func collection(_ uuid: String) throws -> CollectionRecord? {
        try Row.fetchOne(
            database.cachedStatement(sql: CollectionRecord.map.selectSQL + " WHERE uuid = ?"),
            arguments: [uuid]
        ).map(CollectionRecord.init(row:))
    }
}

extension CloudOperation {
    /// Indicates whether the operation creates an object.
    fileprivate var isCreation: Bool { if case .create = self { true } else { false } }
}
