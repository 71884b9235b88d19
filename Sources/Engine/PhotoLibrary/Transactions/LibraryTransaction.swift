package import Foundation
package import GRDB
package import PhotoModel

/// An atomic change of a library, which writes rows together with their journal entries.
///
/// Exists only inside `LibraryStore.write`, with the writer lock and an open transaction. All
/// changes of objects' rows go through it, so that none is missing in the journal.
package final class LibraryTransaction {
    /// The database, for reading and for writing bookkeeping tables that are not journaled.
    package let database: Database
    /// The time that applies to all changes of the transaction: that of the commit, or for a change
    /// made elsewhere the time at its origin.
    package let now: Date
    private var journal: JournalWriter
    /// The pending changes of albums; see `flushAlbums`.
    var pendingAlbums = PendingAlbumChanges()
    /// The pending changes of smart albums; see `flushSmartAlbums`.
    var smartAlbums = PendingSmartAlbumChanges()
    /// The pending changes of moments; see `flushMoments`.
    var moments = PendingMomentChanges()
    /// Indicates whether very many new assets are grouped later; see `flushMoments`.
    var defersMoments = false
    /// The pending stamps of a library that joined a cloud library; see `flushCloud`.
    ///
    /// nil until the first change, and then nil inside if the library has not joined.
    var cloudNotes: CloudNotes??
    /// Indicates whether the changes are those of another device, so that nothing is stamped and
    /// no date of a modification is set.
    var isRemote: Bool
    /// Indicates whether positions change without a change of the order.
    var isRenumbering = false
    /// The update statements by the columns that they set; the same few serve all rows.
    private var updates: [UpdateKey: Statement] = [:]
    /// The reader of asset rows, created with the first asset that is read.
    private var assets: AssetRowFinder?
    /// Indicates whether files must be removed after the commit.
    var discardsFiles = false
    /// Indicates whether assets were permanently deleted, so that their renditions must be removed
    /// as well.
    private(set) var removesAssets = false
    private var undoings: [() -> Void] = []
    private var completions: [() -> Void] = []
    private var lastSteps: [() throws -> Void] = []

    /// Creates the transaction of a commit at a time; `origin` describes a change made elsewhere.
    init(
        database: Database,
        author: String,
        batch: String? = nil,
        origin: RemoteOrigin? = nil,
        now: Date
    ) {
        self.database = database
        self.now = origin?.time ?? now
        isRemote = origin != nil
        journal = JournalWriter(
            database: database,
            author: origin?.author ?? author,
            time: now,
            batch: batch,
            origin: origin
        )
    }

    /// The version of this transaction; nil until it changes an object.
    package var version: Int64? { journal.version }

    /// Returns this transaction's version, or the library's last one if no object has changed yet.
    func currentVersion() throws -> Int64 {
        try version ?? JournalWriter.currentVersion(database)
    }

    /// Returns the time of this transaction in the order of all devices.
    func commitTime() throws -> HybridTime {
        try journal.beginVersion()
        return journal.clock
    }

    /// Makes the times of later changes here later than that of this transaction's origin, also if
    /// no object has changed.
    func observeOrigin() throws { try journal.observeOrigin() }

    /// Records, before the first change, that this transaction undoes an earlier version.
    ///
    /// The transaction has a version even if nothing was left to undo, since the earlier version
    /// counts as undone.
    func beginUndoing(_ version: Int64) throws {
        journal.undoes = version
        try journal.beginVersion()
    }

    /// Registers a closure that reverts an effect outside the database, such as a renamed file, if
    /// the transaction fails.
    ///
    /// The closures run in reverse order under the writer lock.
    package func onFailure(_ undo: @escaping () -> Void) { undoings.append(undo) }

    /// Registers a closure that runs after a successful commit, under the writer lock.
    package func onCommit(_ completion: @escaping () -> Void) { completions.append(completion) }

    /// Registers a closure that runs in the transaction, after everything else was written.
    ///
    /// It must not change objects.
    func beforeCommit(_ step: @escaping () throws -> Void) { lastSteps.append(step) }

    /// Runs the closures that were registered for the end of the transaction.
    func runLastSteps() throws { for step in lastSteps { try step() } }

    /// Indicates whether COMMIT itself failed, so that its frames may be on disk and become
    /// effective when the write-ahead log is next read.
    ///
    /// Files that its rows reference must stay until that is resolved.
    package private(set) var isCommitUncertain = false

    func undo(isCommitUncertain: Bool) {
        self.isCommitUncertain = isCommitUncertain
        for undoing in undoings.reversed() { undoing() }
    }
    func complete() { for completion in completions { completion() } }

    // MARK: - Assets

    /// Inserts an asset; the record's `id` is ignored.
    ///
    /// Returns the new row id.
    @discardableResult
    package func insertAsset(_ record: AssetRecord) throws -> Int64 {
        let id = try insert(record, map: AssetRecord.map, kind: .asset, uuid: record.uuid)
        try recordSmartAlbums(of: id, from: nil, to: record)
        recordMoments(of: id, from: nil, to: record)
        return id
    }

    /// Returns the asset with a row id in this transaction.
    package func asset(id: Int64) throws -> AssetRecord? { try finder().asset(id: id) }

    /// Returns the asset with a UUID in this transaction.
    package func asset(uuid: String) throws -> AssetRecord? { try finder().asset(uuid: uuid) }

    /// Sorts assets for changes of very many of them: by date, which is the order of most indexes.
    ///
    /// In another order, an index page may leave the cache after each change and be written to the
    /// write-ahead log repeatedly. In this order it is written once.
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

    /// Stores an asset's new values; only values that differ are written and journaled.
    ///
    /// `contentChanged` states whether the pixels or frames that clients see changed.
    package func updateAsset(_ record: AssetRecord, contentChanged: Bool) throws {
        guard let old = try asset(id: record.id) else { throw Self.noRow("asset", record.uuid) }
        try store(record, over: old, contentChanged: contentChanged)
    }

    /// Stores an asset's new values like `updateAsset`, for callers that have just read the row.
    func store(_ record: AssetRecord, over old: AssetRecord, contentChanged: Bool) throws {
        var record = record
        if record.modificationDate < old.modificationDate, try hasJoinedCloud() {
            record.modificationDate = old.modificationDate
        }
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

    /// Deletes an asset's row and leaves a tombstone.
    ///
    /// Its memberships and resources must be deleted first.
    package func deleteAsset(id: Int64) throws {
        guard let old = try asset(id: id) else { return }
        try recordSmartAlbums(of: id, from: old, to: nil)
        recordMoments(of: id, from: old, to: nil)
        try noteDeparture(ofAsset: old)
        removesAssets = true
        try delete(old, id: id, map: AssetRecord.map, kind: .asset, uuid: old.uuid)
    }

    /// Restores an asset's row with its previous row id, and removes its tombstone.
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

    /// Inserts a resource; the record's `id` is ignored.
    ///
    /// Returns the new row id.
    @discardableResult
    package func insertResource(_ record: ResourceRecord) throws -> Int64 {
        try notingRAW(of: [record]) {
            try insert(record, map: ResourceRecord.map, kind: .resource, uuid: record.uuid)
        }
    }

    /// Returns the resource with a row id in this transaction.
    package func resource(id: Int64) throws -> ResourceRecord? {
        let statement = try database.cachedStatement(
            sql: ResourceRecord.selectSQL + " WHERE resource.id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(ResourceRecord.init(row:))
    }

    /// Stores those of a resource's new values that differ.
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

    /// Deletes a resource's row.
    ///
    /// The caller handles its file.
    package func deleteResource(id: Int64) throws {
        guard let old = try resource(id: id) else { return }
        try notingRAW(of: [old]) {
            try delete(old, id: id, map: ResourceRecord.map, kind: .resource, uuid: old.uuid)
        }
    }

    // MARK: - Any table

    /// Inserts a row, with a new id if none is given.
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
        try statement.execute(
            values: id.map { [$0.databaseValue] + values } ?? values,
            in: database
        )
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
        try noteInsertion(record, id: id)
        return id
    }

    /// Writes the values that differ; does nothing if there are none and no members changed.
    ///
    /// If only bookkeeping values differ, only the row is written, without a version.
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
        let journaled = differing.filter { !map.columns[$0].isDerived }
        var members = members
        if kind == .album, journaled.count < differing.count {
            members.totals = differing.map { map.columns[$0] }.filter(\.isDerived).map(\.name)
        }
        guard !members.isEmpty || journaled.contains(where: { !map.columns[$0].isBookkeeping })
        else { return }
        try journal.append(
            .update,
            of: kind,
            id: id,
            uuid: uuid,
            old: journaled.map { (map.columns[$0].name, before[$0]) },
            new: journaled.map { (map.columns[$0].name, after[$0]) },
            contentChanged: contentChanged,
            members: members
        )
        try noteUpdate(from: old, to: new, columns: journaled.lazy.map { map.columns[$0].name })
    }

    /// Returns the statement that sets some columns of a row.
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

    /// Deletes a row; all objects except resources leave a tombstone.
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
        try noteDeletion(old)
        guard kind != .resource else { return }
        try database.execute(
            sql: "INSERT INTO tombstone (kind, objectId, uuid, version) VALUES (?, ?, ?, ?)",
            arguments: [kind.rawValue, id, uuid, version]
        )
    }

    /// Returns an object's values for the journal without derived ones and without nulls, since
    /// missing values are null.
    private static func named<Record>(
        _ map: ColumnMap<Record>,
        _ values: [DatabaseValue]
    ) -> JournalWriter.Values {
        zip(map.columns, values).compactMap { column, value in
            value.isNull || column.isDerived ? nil : (column.name, value)
        }
    }

    static func noRow(_ table: String, _ uuid: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The library has no \(table) with the identifier \(uuid).",
            recovery: "It has been deleted; fetch again.",
            identifiers: [uuid]
        )
    }
}
