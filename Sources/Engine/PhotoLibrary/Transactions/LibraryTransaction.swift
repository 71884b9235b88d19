package import Foundation
package import GRDB
package import PhotoModel

/// One atomic change of a library: rows and their journal together.
///
/// Exists only inside `LibraryStore.write`; holds the writer lock and an open transaction. All
/// changes of objects' rows go through it, so none escapes the journal.
package final class LibraryTransaction {
    /// For reading, and for writing bookkeeping tables that are not journalled.
    package let database: Database
    /// The transaction's time: one for all that it changes.
    package let now: Date
    private var journal: JournalWriter
    /// What is pending for albums; see `settleAlbums`.
    var pendingAlbums = PendingAlbumChanges()
    /// What is pending for smart albums; see `settleSmartAlbums`.
    var smartAlbums = PendingSmartAlbumChanges()
    /// What is pending for moments; see `settleMoments`.
    var moments = PendingMomentChanges()
    /// By what they set; the same few serve all rows.
    private var updates: [UpdateKey: Statement] = [:]
    /// Made when the first asset is read.
    private var assets: AssetRowFinder?
    /// Whether files are to be removed once this is committed.
    var discardsFiles = false
    /// Whether assets were removed for good, whose renditions are to go, too.
    private(set) var removesAssets = false
    private var undoings: [() -> Void] = []
    private var completions: [() -> Void] = []

    init(database: Database, author: String, batch: String? = nil, now: Date) {
        self.database = database
        self.now = now
        journal = JournalWriter(database: database, author: author, time: now, batch: batch)
    }

    /// The version that this transaction will have; nil as long as it changed no object.
    package var version: Int64? { journal.version }

    /// The version that the library will have: this transaction's, or the last one's when it changed
    /// no object so far.
    func currentVersion() throws -> Int64 {
        try version ?? JournalWriter.currentVersion(database)
    }

    /// Notes, before the first change, that this transaction takes back an earlier version.
    ///
    /// It has a version even when nothing was left to take back: the earlier one counts as undone.
    func beginUndoing(_ version: Int64) throws {
        journal.undoes = version
        try journal.beginVersion()
    }

    /// Registers what takes back an effect outside the database, such as a renamed file, should the
    /// transaction fail.
    ///
    /// Run in reverse order, still under the writer lock.
    package func onFailure(_ undo: @escaping () -> Void) { undoings.append(undo) }

    /// Registers what follows a successful commit, still under the writer lock.
    package func onCommit(_ completion: @escaping () -> Void) { completions.append(completion) }

    /// Whether COMMIT itself failed: its record may be on disk all the same, and come back when the
    /// write-ahead log is next read.
    ///
    /// Files that its rows name have to stay until that is settled.
    package private(set) var isCommitUncertain = false

    func undo(isCommitUncertain: Bool) {
        self.isCommitUncertain = isCommitUncertain
        for undoing in undoings.reversed() { undoing() }
    }
    func complete() { for completion in completions { completion() } }

    // MARK: - Assets

    /// Adds an asset; its `id` is not looked at.
    ///
    /// Returns the new row id.
    @discardableResult
    package func insertAsset(_ record: AssetRecord) throws -> Int64 {
        let id = try insert(record, map: AssetRecord.map, kind: .asset, uuid: record.uuid)
        try recordSmartAlbums(of: id, from: nil, to: record)
        recordMoments(of: id, from: nil, to: record)
        return id
    }

    /// The asset with a row id, as this transaction sees it.
    package func asset(id: Int64) throws -> AssetRecord? { try finder().asset(id: id) }

    /// The asset with a UUID, as this transaction sees it.
    package func asset(uuid: String) throws -> AssetRecord? { try finder().asset(uuid: uuid) }

    /// Assets in the order in which very many of them are changed: by date, as most indexes have them.
    ///
    /// A page of an index that is changed in between, again and again, leaves the cache each time and goes to
    /// the write-ahead log; in this order it goes there once.
    func inOrderOfIndexes(_ ids: [Int64]) throws -> [Int64] {
        ids.count < Self.manyAssets ? ids : try finder().inTimeOrder(ids)
    }

    private static let manyAssets = 1_000

    func finder() throws -> AssetRowFinder {
        if let assets { return assets }
        let finder = try AssetRowFinder(database)
        assets = finder
        return finder
    }

    /// Stores an asset's new values; only those that differ are written and journalled, and nothing
    /// is when none does.
    ///
    /// `contentChanged` says whether the pixels or frames that clients see changed.
    package func updateAsset(_ record: AssetRecord, contentChanged: Bool) throws {
        guard let old = try asset(id: record.id) else { throw Self.noRow("asset", record.uuid) }
        try store(record, over: old, contentChanged: contentChanged)
    }

    /// `updateAsset` for who has just read the row.
    func store(_ record: AssetRecord, over old: AssetRecord, contentChanged: Bool) throws {
        try update(
            old,
            to: record,
            id: record.id,
            map: AssetRecord.map,
            kind: .asset,
            uuid: record.uuid,
            contentChanged: contentChanged
        )
        try recordTotals(of: record.id, from: old, to: record)
        try recordSmartAlbums(of: record.id, from: old, to: record)
        recordMoments(of: record.id, from: old, to: record)
    }

    /// Removes an asset's row, and leaves a tombstone.
    ///
    /// Its memberships and resources go first.
    package func deleteAsset(id: Int64) throws {
        guard let old = try asset(id: id) else { return }
        try recordSmartAlbums(of: id, from: old, to: nil)
        recordMoments(of: id, from: old, to: nil)
        removesAssets = true
        try delete(old, id: id, map: AssetRecord.map, kind: .asset, uuid: old.uuid)
    }

    /// Brings an asset's row back under its old row id, in place of its tombstone.
    func reinsertAsset(_ record: AssetRecord) throws {
        try database.execute(
            sql: "DELETE FROM tombstone WHERE kind = ? AND objectId = ?",
            arguments: [ObjectKind.asset.rawValue, record.id]
        )
        _ = try insert(
            record,
            map: AssetRecord.map,
            kind: .asset,
            uuid: record.uuid,
            id: record.id
        )
        try recordSmartAlbums(of: record.id, from: nil, to: record)
        recordMoments(of: record.id, from: nil, to: record)
    }

    // MARK: - Resources

    /// Adds a resource; its `id` is not looked at.
    ///
    /// Returns the new row id.
    @discardableResult
    package func insertResource(_ record: ResourceRecord) throws -> Int64 {
        try notingRAW(of: [record]) {
            try insert(record, map: ResourceRecord.map, kind: .resource, uuid: record.uuid)
        }
    }

    /// The resource with a row id, as this transaction sees it.
    package func resource(id: Int64) throws -> ResourceRecord? {
        let statement = try database.cachedStatement(
            sql: ResourceRecord.selectSQL + " WHERE resource.id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(ResourceRecord.init(row:))
    }

    /// Stores a resource's new values, those that differ.
    package func updateResource(_ record: ResourceRecord) throws {
        guard let old = try resource(id: record.id) else {
            throw Self.noRow("resource", record.uuid)
        }
        try notingRAW(of: [old, record]) {
            try update(
                old,
                to: record,
                id: record.id,
                map: ResourceRecord.map,
                kind: .resource,
                uuid: record.uuid,
                contentChanged: false
            )
        }
    }

    /// Removes a resource's row.
    ///
    /// Its file is the caller's business.
    package func deleteResource(id: Int64) throws {
        guard let old = try resource(id: id) else { return }
        try notingRAW(of: [old]) {
            try delete(old, id: id, map: ResourceRecord.map, kind: .resource, uuid: old.uuid)
        }
    }

    // MARK: - Any table

    /// Adds a row, under a new id when none is given.
    func insert<Record>(
        _ record: Record,
        map: ColumnMap<Record>,
        kind: ObjectKind,
        uuid: String,
        id: Int64? = nil
    ) throws -> Int64 {
        let values = map.values(record)
        let statement = try database.cachedStatement(
            sql: id == nil ? map.insertSQL : map.insertWithIDSQL
        )
        let arguments = (id.map { [$0.databaseValue] } ?? []) + values
        statement.setUncheckedArguments(StatementArguments(arguments))
        try statement.execute()
        let id = database.lastInsertedRowID
        try journal.append(
            .insert,
            of: kind,
            id: id,
            uuid: uuid,
            old: [],
            new: Self.named(map, values),
            contentChanged: true
        )
        return id
    }

    /// Writes what differs; nothing when nothing does and no members changed.
    ///
    /// Where only bookkeeping differs, the row alone is written: nobody sees a change.
    func update<Record>(
        _ old: Record,
        to new: Record,
        id: Int64,
        map: ColumnMap<Record>,
        kind: ObjectKind,
        uuid: String,
        contentChanged: Bool,
        members: MembersChange = MembersChange()
    ) throws {
        let before = map.values(old)
        let after = map.values(new)
        let differing = map.columns.indices.filter { before[$0] != after[$0] }
        guard !differing.isEmpty || !members.isEmpty else { return }
        if !differing.isEmpty {
            try updateStatement(of: differing, map)
                .execute(values: differing.map { after[$0] } + [id.databaseValue], in: database)
        }
        guard !members.isEmpty || differing.contains(where: { !map.columns[$0].isBookkeeping })
        else { return }
        try journal.append(
            .update,
            of: kind,
            id: id,
            uuid: uuid,
            old: differing.map { (map.columns[$0].name, before[$0]) },
            new: differing.map { (map.columns[$0].name, after[$0]) },
            contentChanged: contentChanged,
            members: members
        )
    }

    /// The statement that sets some columns of a row.
    private func updateStatement<Record>(
        of columns: [Int],
        _ map: ColumnMap<Record>
    ) throws -> Statement {
        let key = UpdateKey(table: map.table, columns: columns)
        if let known = updates[key] { return known }
        let list = columns.map { map.columns[$0].name + " = ?" }.joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql: "UPDATE \(map.table) SET \(list) WHERE id = ?"
        )
        updates[key] = statement
        return statement
    }

    private struct UpdateKey: Hashable {
        var table: String
        var columns: [Int]
    }

    /// Removes a row; all but a resource leave a tombstone.
    func delete<Record>(
        _ old: Record,
        id: Int64,
        map: ColumnMap<Record>,
        kind: ObjectKind,
        uuid: String,
        members: MembersChange = MembersChange()
    ) throws {
        try database.execute(sql: "DELETE FROM \(map.table) WHERE id = ?", arguments: [id])
        try journal.append(
            .delete,
            of: kind,
            id: id,
            uuid: uuid,
            old: Self.named(map, map.values(old)),
            new: [],
            contentChanged: true,
            members: members
        )
        guard kind != .resource else { return }
        try database.execute(
            sql: "INSERT INTO tombstone (kind, objectId, uuid, version) VALUES (?, ?, ?, ?)",
            arguments: [kind.rawValue, id, uuid, version]
        )
    }

    /// An object's values for the journal: nulls are left out, they are what is not there.
    private static func named<Record>(
        _ map: ColumnMap<Record>,
        _ values: [DatabaseValue]
    ) -> JournalWriter.Values {
        zip(map.columns, values).compactMap { column, value in
            value.isNull ? nil : (column.name, value)
        }
    }

    static func noRow(_ table: String, _ uuid: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The library has no \(table) with the identifier \(uuid).",
            recovery: "It was deleted meanwhile; fetch again.",
            identifiers: [uuid]
        )
    }
}
