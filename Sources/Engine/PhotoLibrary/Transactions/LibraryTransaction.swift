package import Foundation
package import GRDB
package import PhotoModel

/// An atomic change of a library, which writes rows and their journal entries.
///
/// Exists only inside `LibraryStore.write`, with the writer lock and an open transaction. All
/// changes of objects' rows go through it, so that none is missing in the journal.
package final class LibraryTransaction {
    /// The database connection, for reading and for writing bookkeeping tables that are not
    /// journaled.
    package let database: Database
    /// The time of all changes in the transaction.
    ///
    /// It is the time of the commit or, for changes made on another device, the time at which they
    /// were made there.
    package let now: Date
    private var journal: JournalWriter
    /// The pending changes of albums; see `flushAlbums`.
    var pendingAlbums = PendingAlbumChanges()
    /// The pending changes of smart albums; see `flushSmartAlbums`.
    var smartAlbums = PendingSmartAlbumChanges()
    /// The pending changes of moments; see `flushMoments`.
    var moments = PendingMomentChanges()
    /// Indicates whether the grouping of very many new assets into moments is left to a later
    /// transaction; see `flushMoments`.
    var defersMoments = false
    /// The pending sync data of this transaction (change stamps and order positions) if the library
    /// belongs to a cloud library; see `flushCloud`.
    ///
    /// The outer optional is nil until the first change. The inner optional is nil if the library
    /// has not joined a cloud library.
    var cloudNotes: CloudNotes??
    /// Indicates whether the changes were made on another device.
    ///
    /// They then get no stamps of this device, and modification dates are not set.
    var isRemote: Bool
    /// Indicates whether positions are being renumbered, which does not change the order.
    var isRenumbering = false
    /// The cached update statements, by the columns that they set.
    private var updates: [UpdateKey: Statement] = [:]
    /// The reader of asset rows, created with the first asset that is read.
    private var assets: AssetRowFinder?
    /// Indicates whether files of purged resources must be removed after the commit.
    var discardsFiles = false
    /// Indicates whether assets were permanently deleted.
    ///
    /// Their renditions must then be removed as well.
    private(set) var removesAssets = false
    private var undoings: [() -> Void] = []
    private var completions: [() -> Void] = []
    private var lastSteps: [() throws -> Void] = []

    /// Creates a transaction with the time of its commit.
    ///
    /// `origin` describes changes that were made on another device.
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

    /// Returns the time of this transaction on the hybrid logical clock, which orders the changes
    /// of all devices.
    func commitTime() throws -> HybridTime {
        try journal.beginVersion()
        return journal.clock
    }

    /// Advances the clock past the time of this transaction's origin, even if no object has
    /// changed.
    ///
    /// Later changes on this device therefore get later times.
    func observeOrigin() throws { try journal.observeOrigin() }

    /// Records that this transaction undoes an earlier version.
    ///
    /// Must be called before the first change. The transaction has a version even if nothing was
    /// left to undo, since the earlier version counts as undone.
    func beginUndoing(_ version: Int64) throws {
        journal.undoes = version
        try journal.beginVersion()
    }

    /// Registers a closure that reverts an effect outside the database, such as a renamed file, if
    /// the transaction fails.
    ///
    /// The closures run in reverse order under the writer lock.
    package func onFailure(_ undo: @escaping () -> Void) { undoings.append(undo) }

    /// Registers a closure that runs after a successful commit, while the writer lock is still
    /// held.
    package func onCommit(_ completion: @escaping () -> Void) { completions.append(completion) }

    /// Registers a closure that runs at the end of the transaction, after all other writes and
    /// before the commit.
    ///
    /// It must not change objects.
    func beforeCommit(_ step: @escaping () throws -> Void) { lastSteps.append(step) }

    /// Runs the closures that were registered for the end of the transaction.
    func runLastSteps() throws { for step in lastSteps { try step() } }

    /// Indicates whether the COMMIT statement itself failed.
    ///
    /// Its frames may then be on disk, and may become effective when the write-ahead log is next
    /// read. Files that the transaction's rows reference must stay until this is resolved.
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

    /// Returns the asset with a given row id, as this transaction sees it; nil if there is none.
    package func asset(id: Int64) throws -> AssetRecord? { try finder().asset(id: id) }

    /// Returns the asset with a given UUID, as this transaction sees it; nil if there is none.
    package func asset(uuid: String) throws -> AssetRecord? { try finder().asset(uuid: uuid) }

    /// Sorts row ids of assets by date, which is the order of most indexes.
    ///
    /// Fewer ids than `manyAssets` are returned unchanged.
    ///
    /// Use it before a change of many assets. In another order, an index page may leave the cache
    /// after each change and be written to the write-ahead log repeatedly. In this order it is
    /// written once.
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

    /// Updates the values of an asset that differ from `old`.
    ///
    /// For callers that have just read the old record; see `updateAsset`.
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

    /// Inserts a deleted asset's row again with its former row id, and removes the tombstone.
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

    /// Returns the resource with a given row id, as this transaction sees it; nil if there is none.
    package func resource(id: Int64) throws -> ResourceRecord? {
        let statement = try database.cachedStatement(
            sql: ResourceRecord.selectSQL + " WHERE resource.id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(ResourceRecord.init(row:))
    }

    /// Stores the changed values of a resource.
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
    /// The caller is responsible for the resource's file.
    package func deleteResource(id: Int64) throws {
        guard let old = try resource(id: id) else { return }
        try notingRAW(of: [old]) {
            try delete(old, id: id, map: ResourceRecord.map, kind: .resource, uuid: old.uuid)
        }
    }

    // MARK: - Any table

    /// Inserts a row and journals it; the row gets a new id unless one is given.
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

    /// Writes and journals the values that differ from the old record; for an album, also journals
    /// added, removed and moved members.
    ///
    /// Does nothing if there are neither. If only bookkeeping values differ, only the row is
    /// written, without a version.
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
        let differing = map.differences(from: old, to: new)
        guard !differing.isEmpty || !members.isEmpty else { return }
        if !differing.isEmpty {
            try updateStatement(of: differing.map(\.place), map)
                .execute(values: differing.map(\.after) + [id.databaseValue], in: database)
        }
        let journaled = differing.filter { !map.columns[$0.place].isDerived }
        var members = members
        if kind == .album, journaled.count < differing.count {
            members.totals = differing.map { map.columns[$0.place] }.filter(\.isDerived).map(\.name)
        }
        guard
            !members.isEmpty || journaled.contains(where: { !map.columns[$0.place].isBookkeeping })
        else { return }
        try journal.append(
            .update,
            of: kind,
            id: id,
            uuid: uuid,
            old: journaled.map { (map.columns[$0.place].name, $0.before) },
            new: journaled.map { (map.columns[$0.place].name, $0.after) },
            contentChanged: contentChanged,
            members: members
        )
        try noteUpdate(
            from: old,
            to: new,
            columns: journaled.lazy.map { map.columns[$0.place].name }
        )
    }

    /// Returns the cached statement that updates the given columns of a row.
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

    /// Deletes a row, journals the deletion, and inserts a tombstone unless the object is a
    /// resource.
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

    /// Returns an object's values for the journal, without derived values and nulls.
    ///
    /// A value that is missing in the journal is null.
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
