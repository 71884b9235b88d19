internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reverts versions as a new change.
///
/// 1. First, every object is compared with the state that the versions left. If any of its changed
///    values has changed since, nothing is done. For a created album or folder, these are all
///    values, and the album's members.
/// 2. Created assets move to Recently Deleted, and created albums and folders are deleted. Deleted
///    or changed objects are restored with their previous row ids, positions and members.
/// 3. Edits are undone and redone as rows and files: the files that an edit replaced are still on
///    disk.
/// 4. A file that became a separate asset moves back, and that asset is deleted; see
///    `Undo+Splits.swift`.
/// 5. Permanently deleted assets, and files that joined an existing asset, cannot be undone and
///    make the whole undo fail.
struct Undo {
    let transaction: LibraryTransaction
    let target: UndoTarget
    let bundle: LibraryBundle
    private var changes: [HistoryEffect.Key: NetChange] = [:]
    /// The keys of `changes` in the order of their first entries.
    private var order: [HistoryEffect.Key] = []

    init(
        _ target: UndoTarget,
        in transaction: LibraryTransaction,
        of bundle: LibraryBundle
    ) throws {
        self.transaction = transaction
        self.target = target
        self.bundle = bundle
        for version in target.versions {
            let rows = try Row.fetchCursor(
                transaction.database,
                sql: """
                    SELECT \(JournalEntry.columns) FROM journalEntry WHERE version = ? ORDER BY id
                    """,
                arguments: [version]
            )
            while let row = try rows.next() {
                let entry = try JournalEntry(row: row, in: transaction.database)
                let key = HistoryEffect.Key(kind: entry.kind, id: entry.objectID)
                if changes[key] == nil {
                    order.append(key)
                    changes[key] = NetChange(first: entry)
                } else {
                    changes[key]?.add(entry)
                }
            }
        }
    }

    /// The net changes of the versions, one per object, in the order of the objects' first entries.
    var all: [NetChange] { order.compactMap { changes[$0] } }

    /// Reverts the versions.
    ///
    /// - Throws: `changeNotSupported` if that is not possible; the transaction must then be rolled
    ///   back.
    func run() throws {
        let assets = all.filter { $0.kind == .asset }
        let collections = all.filter { $0.kind == .album || $0.kind == .folder }
        try checkFiles(all)
        try checkAssets(assets)
        try checkCollections(collections)
        let splits = try Splits(all, in: transaction)
        try checkSplits(splits, assets)
        try transaction.beginUndoing(target.last)
        try reinsert(splits, assets)
        try reinsert(collections.filter { $0.existedBefore && !$0.existsAfter })
        for change in collections where change.existedBefore && change.existsAfter {
            try undo(collection: change)
        }
        try checkTree(collections)
        for change in collections where change.kind == .album && change.existedBefore {
            try undoMembers(of: change)
        }
        try delete(collections.filter { !$0.existedBefore && $0.existsAfter })
        try undo(files: all)
        try undo(assets: assets.filter { !splits.made.contains($0.id) })
        try deleteAssets(of: splits)
        try undo(edits: all.filter(isOfEdit), of: assets)
    }

    // MARK: - Assets

    private func checkFiles(_ changes: [NetChange]) throws {
        let made = Set(changes.filter { $0.kind == .asset && !$0.existedBefore }.map(\.id))
        let splits = try Splits(changes, in: transaction)
        for change in changes where change.kind == .asset && change.existedBefore {
            guard change.existsAfter || splits.undone.contains(change.id) else {
                throw impossible(
                    "\(Self.name(change.old)) was permanently deleted",
                    "Import its file again.",
                    change
                )
            }
        }
        for change in changes where change.kind == .resource {
            let asset = change.new["assetId"] ?? change.old["assetId"]
            if !change.existedBefore, case .integer(let id)? = asset, made.contains(id) { continue }
            if !change.existedBefore, !change.existsAfter { continue }
            if isOfEdit(change) {
                try checkEdit(change)
                continue
            }
            if change.existedBefore, change.existsAfter {
                try checkFile(change)
                continue
            }
            let file = Self.name(change.existsAfter ? change.new : change.old)
            throw impossible(
                "\(file) was added to a photo that existed before",
                "Delete that photo if you do not want it.",
                change
            )
        }
    }

    private func checkAssets(_ changes: [NetChange]) throws {
        for change in changes where change.existedBefore && change.existsAfter {
            guard let asset = try transaction.asset(id: change.id) else {
                throw changed(change.uuid, "was permanently deleted", change)
            }
            let now = AssetRecord.map.journaled(asset, columns: change.columns)
            try check(change, now: now, name: asset.originalFilename)
        }
    }

    private func undo(assets: [NetChange]) throws {
        var bursts: Set<String> = []
        for change in assets where change.existedBefore && change.existsAfter {
            guard let asset = try transaction.asset(id: change.id),
                var record = try record(asset, with: restored(change))
            else { continue }
            // As for every change of properties; moving to Recently Deleted and back does not
            // count.
            if change.new["modificationDate"] != nil { record.modificationDate = transaction.now }
            if change.contentChanged { record.contentVersion += 1 }
            try transaction.store(record, over: asset, contentChanged: change.contentChanged)
            if let burst = record.burstIdentifier { bursts.insert(burst) }
        }
        // Assets deleted meanwhile need no undo.
        let made = try assets.filter { !$0.existedBefore }.map(\.id)
            .filter { try transaction.asset(id: $0) != nil }
        try transaction.trashAssets(made)
        for burst in bursts.sorted() { try transaction.keepOneKeyFrame(of: burst) }
    }

    /// Returns the record of an asset with given values in some columns.
    private func record(
        _ asset: AssetRecord,
        with values: JournalEntry.Values
    ) throws -> AssetRecord? {
        if let record = asset.settingFlags(values) { return record }
        return try AssetRecord.map.row(
            id: asset.id,
            AssetRecord.map.journaled(asset).merging(values) { $1 },
            in: transaction.database
        ).map(AssetRecord.init(row:))
    }

    // MARK: - Albums and folders

    private func checkCollections(_ changes: [NetChange]) throws {
        for change in changes where change.existsAfter {
            let record = try transaction.collection(id: change.id)
            guard let record else { throw changed(change.uuid, "was deleted", change) }
            let name = "“\(record.title)”"
            let now = CollectionRecord.map.journaled(record)
            let columns = change.existedBefore ? change.columns : NetChange.columns(of: now)
            try check(change, columns: columns, now: now, name: name)
            if change.kind == .album { try checkMembers(change, name: name) }
        }
    }

    private func checkMembers(_ change: NetChange, name: String) throws {
        let conflict = changed(name, "got other photos or another order", change)
        guard change.existedBefore else {
            guard try hasMembersOfCreation(change) else { throw conflict }
            return
        }
        if change.isRenumbered {
            let left = try transaction.journaledObject(
                kind: .album,
                id: change.id,
                through: target.last
            )
            guard try left?.members.ordered == transaction.memberIDs(of: change.id) else {
                throw conflict
            }
            return
        }
        let order = SparsePositions(membersOf: change.id, in: transaction.database)
        for (asset, place) in change.places where try transaction.asset(id: asset) != nil {
            guard try order.position(of: asset) == place.new else { throw conflict }
        }
    }

    /// Returns whether a created album has the members that the versions gave it, in their order.
    ///
    /// Permanently deleted assets do not count, and the twin that is shown instead of an asset
    /// counts as that asset.
    private func hasMembersOfCreation(_ change: NetChange) throws -> Bool {
        var left = change.addedAssets
        if change.isRenumbered {
            let added = Set(left)
            let object = try transaction.journaledObject(
                kind: .album,
                id: change.id,
                through: target.last
            )
            left = object?.members.ordered.filter(added.contains) ?? []
        }
        let now = try transaction.memberIDs(of: change.id)
        guard left != now else { return true }
        var known: Set<Int64> = []
        let shown = try left.compactMap(shownRow).filter { known.insert($0).inserted }
        return shown == now
    }

    /// Returns the row id of an asset, or of the twin that is shown instead of it; nil if neither
    /// exists.
    private func shownRow(ofAsset id: Int64) throws -> Int64? {
        if try transaction.asset(id: id) != nil { return id }
        let database = transaction.database
        let uuid = try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT uuid FROM tombstone WHERE kind = ? AND objectId = ?"
            ),
            arguments: [ObjectKind.asset.rawValue, id]
        )
        return try uuid.flatMap { try CloudTwinTable(database: database).representative(of: $0) }
            .flatMap { try transaction.asset(uuid: $0)?.id }
    }

    /// Restores deleted collections, folders before their contents.
    private func reinsert(_ changes: [NetChange]) throws {
        var waiting = changes
        while !waiting.isEmpty {
            var later: [NetChange] = []
            for change in waiting {
                let row = try CollectionRecord.map.row(
                    id: change.id,
                    change.old,
                    in: transaction.database
                )
                guard let record = try row.map(CollectionRecord.init(row:)) else { continue }
                // Another computer of the cloud library undid the deletion as well.
                guard try transaction.collection(uuid: record.uuid) == nil else {
                    throw changed("“\(record.title)”", "was restored", change)
                }
                let parent = record.parentID
                if try parent == CollectionRecord.root.id
                    || transaction.collection(id: parent) != nil
                {
                    try transaction.reinsertCollection(record)
                } else {
                    later.append(change)
                }
            }
            guard later.count < waiting.count else {
                throw changed(Self.name(later[0].old), "lost its folder", later[0])
            }
            waiting = later
        }
    }

    private func undo(collection change: NetChange) throws {
        guard let old = try transaction.collection(id: change.id) else { return }
        let values = CollectionRecord.map.journaled(old).merging(restored(change)) { $1 }
        let row = try CollectionRecord.map.row(
            id: old.id,
            values,
            in: transaction.database
        )
        guard var record = try row.map(CollectionRecord.init(row:)) else { return }
        guard record != old else { return }
        try transaction.checkFolder(record.parentID)
        if record.title != old.title { record.modificationDate = transaction.now }
        try transaction.store(record, over: old)
        try transaction.recordChildren(of: old.parentID)
        try transaction.recordChildren(of: record.parentID)
    }

    /// Throws an error if a folder that returned to its place is now in itself.
    ///
    /// One version may have moved several folders, so all of them must have returned before.
    private func checkTree(_ changes: [NetChange]) throws {
        for change in changes where change.columns.contains("parentId") {
            guard let moved = try transaction.collection(id: change.id) else { continue }
            // A damaged library may have another cycle, so each folder is visited only once.
            var above: Set<Int64> = []
            var next = moved.parentID
            while above.insert(next).inserted, let record = try transaction.collection(id: next) {
                guard record.id != moved.id else {
                    throw changed("the folder of “\(moved.title)”", "was moved into it", change)
                }
                next = record.parentID
            }
        }
    }

    private func undoMembers(of change: NetChange) throws {
        let order = SparsePositions(membersOf: change.id, in: transaction.database)
        var places = change.places.mapValues(\.old)
        if change.isRenumbered {
            let before = try transaction.journaledObject(
                kind: .album,
                id: change.id,
                through: (target.versions.first ?? target.last) - 1
            )
            let positions = before?.members.positions ?? [:]
            places = Dictionary(
                uniqueKeysWithValues: try Set(positions.keys)
                    .union(transaction.memberIDs(of: change.id)).map { ($0, positions[$0]) }
            )
        }
        for (asset, old) in places.sorted(by: { $0.key < $1.key }) {
            let now = try order.position(of: asset)
            // An asset that was permanently deleted meanwhile is not restored.
            guard now != old, try transaction.asset(id: asset) != nil else { continue }
            try transaction.place(asset, in: change.id, from: now, to: old)
        }
    }

    /// Deletes created collections, the contents of folders before the folders.
    private func delete(_ changes: [NetChange]) throws {
        var waiting = changes
        while !waiting.isEmpty {
            let full = try waiting.filter { try !transaction.childIDs(of: $0.id).isEmpty }
            let names = Set(full.map(\.id))
            for change in waiting where !names.contains(change.id) {
                try transaction.deleteCollection(id: change.id)
            }
            guard full.count < waiting.count else {
                throw changed(Self.name(full[0].new), "got albums or folders", full[0])
            }
            waiting = full
        }
    }

    // MARK: - Values

    /// Returns the values that the undo restores, by column.
    func restored(_ change: NetChange) -> JournalEntry.Values {
        JournalEntry.Values(
            uniqueKeysWithValues: change.columns.map { ($0, change.old[$0] ?? .null) }
        )
    }

    /// Throws an error if a value has changed since the versions, in the given columns or in those
    /// that the undo restores.
    func check(
        _ change: NetChange,
        columns: [String]? = nil,
        now: JournalEntry.Values,
        name: String
    ) throws {
        let other = (columns ?? change.columns).filter { column in
            !(change.new[column] ?? .null).matches(now[column] ?? .null)
                && !change.kind.unchecked.contains(column)
        }
        guard other.isEmpty else {
            throw changed(name, "(\(other.joined(separator: ", "))) was changed", change)
        }
    }

    private var problem: String {
        target.isUndoing
            ? "The undone change cannot be redone" : "The last change cannot be undone"
    }

    static func name(_ values: JournalEntry.Values) -> String {
        for column in ["originalFilename", "title"] {
            if case .text(let text)? = values[column] { return text }
        }
        return "Something"
    }

    func changed(_ name: String, _ what: String, _ change: NetChange) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "\(problem): \(name) \(what) afterwards.",
            recovery: "Change it manually.",
            identifiers: [change.uuid + change.kind.identifierSuffix]
        )
    }

    func impossible(
        _ what: String,
        _ recovery: String,
        _ change: NetChange
    ) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "\(problem): \(what).",
            recovery: recovery,
            identifiers: change.kind == .resource
                ? [] : [change.uuid + change.kind.identifierSuffix]
        )
    }
}

extension AssetRecord {
    /// Returns the record with new values in a few common columns; nil if any other column has a
    /// new value.
    ///
    /// The common columns affect no other column, and are those of most changes to very many
    /// assets. Other columns need a whole row.
    fileprivate func settingFlags(_ values: JournalEntry.Values) -> AssetRecord? {
        var record = self
        for (column, value) in values {
            switch (column, value) {
            case ("trashedDate", .null): record.trashedDate = nil
            case ("trashedDate", .integer(let seconds)):
                record.trashedDate = Date(timeIntervalSinceReferenceDate: Double(seconds))
            case ("trashedDate", .real(let seconds)):
                record.trashedDate = Date(timeIntervalSinceReferenceDate: seconds)
            case ("isFavorite", .integer(let flag)): record.isFavorite = flag != 0
            case ("isHidden", .integer(let flag)): record.isHidden = flag != 0
            default: return nil
            }
        }
        return record
    }
}
