internal import Foundation
internal import GRDB
internal import PhotoModel

/// Takes versions back, as a change of its own.
///
/// 1. First every object is compared with what the versions left: when something else was changed there
///    since, nothing is done.
/// 2. New assets go to Recently Deleted, new albums and folders away; what was deleted or changed comes
///    back as it was, with the same row ids, positions and members.
/// 3. Edits come and go as rows and files: what an edit replaced is still on disk.
/// 4. A file that became an asset of its own goes back to where it was, and that asset away; see
///    `Undo+Splits.swift`.
/// 5. What cannot come back stops all of it: assets that were deleted for good, and files that joined an
///    asset that was there before.
struct Undo {
    let transaction: LibraryTransaction
    let target: UndoTarget
    private var changes: [HistoryEffect.Key: NetChange] = [:]
    /// Keys of `changes` in the order of their first entries.
    private var order: [HistoryEffect.Key] = []

    init(_ target: UndoTarget, in transaction: LibraryTransaction) throws {
        self.transaction = transaction
        self.target = target
        for version in target.versions {
            let rows = try Row.fetchCursor(
                transaction.database,
                sql: """
                    SELECT \(JournalEntry.columns) FROM journalEntry WHERE version = ? ORDER BY id
                    """,
                arguments: [version]
            )
            while let row = try rows.next() {
                let entry = try JournalEntry(row: row)
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

    /// What the versions did to each object, in the order of their first entries.
    var all: [NetChange] { order.compactMap { changes[$0] } }

    /// Takes them back.
    ///
    /// - Throws: `changeNotSupported` when that is not possible; then the transaction has to fail.
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
                    "\(Self.name(change.old)) was deleted for good",
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
                "\(file) became a part of a photo that was there before",
                "Delete that photo if it is not wanted.",
                change
            )
        }
    }

    private func checkAssets(_ changes: [NetChange]) throws {
        for change in changes where change.existedBefore && change.existsAfter {
            guard let asset = try transaction.asset(id: change.id) else {
                throw changed(change.uuid, "was deleted for good", change)
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
            // As every change of properties does; moving to Recently Deleted and back does not.
            if change.new["modificationDate"] != nil { record.modificationDate = transaction.now }
            if change.contentChanged { record.contentVersion += 1 }
            try transaction.store(record, over: asset, contentChanged: change.contentChanged)
            if let burst = record.burstIdentifier { bursts.insert(burst) }
        }
        // What was deleted meanwhile needs no undoing.
        let made = try assets.filter { !$0.existedBefore }.map(\.id)
            .filter { try transaction.asset(id: $0) != nil }
        try transaction.trashAssets(made)
        for burst in bursts.sorted() { try transaction.keepOneKeyFrame(of: burst) }
    }

    /// An asset with other values of some columns.
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
            guard change.existedBefore else { continue }
            let now = CollectionRecord.map.journaled(record)
            try check(change, now: now, name: "“\(record.title)”")
            if change.kind == .album { try checkMembers(change, name: "“\(record.title)”") }
        }
    }

    private func checkMembers(_ change: NetChange, name: String) throws {
        let conflict = changed(name, "got other photos, or another order,", change)
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

    /// Brings back what was deleted, folders before what is in them.
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
            // An asset that was removed for good meanwhile does not come back.
            guard now != old, try transaction.asset(id: asset) != nil else { continue }
            try transaction.place(asset, in: change.id, from: now, to: old)
        }
    }

    /// Removes what was made, what is in folders before them.
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

    /// What was before, by column.
    func restored(_ change: NetChange) -> JournalEntry.Values {
        JournalEntry.Values(
            uniqueKeysWithValues: change.columns.map { ($0, change.old[$0] ?? .null) }
        )
    }

    func check(_ change: NetChange, now: JournalEntry.Values, name: String) throws {
        let other = change.columns.filter { column in
            !(change.new[column] ?? .null).matches(now[column] ?? .null)
                && !change.kind.bookkeeping.contains(column)
        }
        guard other.isEmpty else {
            throw changed(name, "(\(other.joined(separator: ", "))) was changed", change)
        }
    }

    private var problem: String {
        target.isUndoing
            ? "What was undone cannot be done again" : "The last change cannot be undone"
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
            "\(problem): \(name) \(what) since.",
            recovery: "Change it by hand.",
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
    /// The record with other values of columns that most changes of very many assets are about, and that say
    /// nothing of others; nil for any other column, which takes a whole row to set.
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
