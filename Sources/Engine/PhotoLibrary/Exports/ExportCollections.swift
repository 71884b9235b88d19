internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Creates and updates the library's albums and folders when an export is imported, inside one
/// write transaction.
///
/// 1. A collection of the library that no import made stays as it is; one that was deleted here is
///    not created again.
/// 2. A known album gets only the members that it did not have at the source when it was imported
///    last, so that photos removed from it here stay out.
struct ExportCollections {
    let transaction: LibraryTransaction
    let library: String?
    let version: Int64?
    private let items: MigratedItems
    private let sourceID: Int64
    private(set) var albums = 0
    private(set) var folders = 0
    private(set) var notes: [MigrationNote] = []
    /// The created collections' row ids, each with the exported collection.
    private var created: [(id: Int64, collection: ForeignCollection)] = []

    init(transaction: LibraryTransaction, library: String?, version: Int64?) throws {
        self.transaction = transaction
        self.library = library
        self.version = version
        items = MigratedItems(database: transaction.database, kind: .photosExport)
        sourceID = try items.source(identifier: library, now: transaction.now)
    }

    /// Creates and updates collections.
    ///
    /// `members` has the items of each album's members, by the album's item.
    mutating func add(_ collections: [ForeignCollection], _ members: [String: [String]]) throws {
        let (ordered, strays) = Self.parentsFirst(collections)
        for stray in strays {
            notes.append(
                MigrationNote(
                    "parentUnknown",
                    "The folder of “\(stray.title)” is not in the export or contains itself; it"
                        + " was put at the top."
                )
            )
        }
        for collection in ordered { try add(collection, members[collection.item] ?? []) }
        // The dates change with each member and child, so they are restored last.
        for (id, collection) in created {
            try transaction.flush(album: id)
            guard let old = try transaction.collection(id: id) else { continue }
            var record = old
            if let date = Self.date(collection.modificationDate) { record.modificationDate = date }
            try transaction.store(record, over: old)
        }
    }

    /// Sorts collections so that folders precede their contents.
    ///
    /// Also returns, as `strays`, the collections put at the top because their folder is unknown or
    /// to break a cycle.
    static func parentsFirst(_ collections: [ForeignCollection]) -> (
        ordered: [ForeignCollection], strays: [ForeignCollection]
    ) {
        let folders = Set(collections.filter { $0.kind == .folder }.map(\.item))
        var children: [String: [ForeignCollection]] = [:]
        var ordered: [ForeignCollection] = []
        var strays: [ForeignCollection] = []
        for collection in collections {
            if let parent = collection.parent {
                if folders.contains(parent) {
                    children[parent, default: []].append(collection)
                } else {
                    strays.append(collection)
                    ordered.append(collection)
                }
            } else {
                ordered.append(collection)
            }
        }
        var index = 0
        var seen = Set(ordered.map(\.item))
        func follow() {
            while index < ordered.count {
                let found = children.removeValue(forKey: ordered[index].item) ?? []
                for child in found where seen.insert(child.item).inserted {
                    ordered.append(child)
                }
                index += 1
            }
        }
        follow()
        // What is left is in a circle.
        for var collection in collections where !seen.contains(collection.item) {
            collection.parent = nil
            seen.insert(collection.item)
            strays.append(collection)
            ordered.append(collection)
            follow()
        }
        return (ordered, strays)
    }

    private static func date(_ seconds: Double?) -> Date? {
        seconds.flatMap { abs($0) < 1e12 ? Date(timeIntervalSinceReferenceDate: $0) : nil }
    }

    // MARK: - One collection

    private mutating func add(_ collection: ForeignCollection, _ members: [String]) throws {
        let kind: ObjectKind = collection.kind == .folder ? .folder : .album
        var state = ExportedAlbum(library: library, version: version, members: [])
        if let row = try items.row(collection.item) {
            return try update(collection, members, row, &state)
        }
        guard try transaction.collection(uuid: collection.item) == nil,
            try !items.isPurged(collection.item, kind)
        else { return }
        var record = CollectionRecord(
            id: 0,
            uuid: collection.item,
            kind: kind,
            title: collection.title,
            parentID: try parent(of: collection),
            position: 0,
            creationDate: Self.date(collection.creationDate) ?? transaction.now
        )
        record.modificationDate = transaction.now
        record.id = try transaction.insertCollection(record)
        if kind == .album {
            let found = try assets(of: members)
            state.members = found.map(\.item)
            try transaction.appendMembers(found.map(\.id), to: record.id)
            if found.count < members.count {
                notes.append(
                    MigrationNote(
                        "membersMissing",
                        "\(members.count - found.count) of \(members.count) photos of the album"
                            + " “\(collection.title)” were not imported."
                    )
                )
            }
            albums += 1
        } else {
            folders += 1
        }
        created.append((record.id, collection))
        try remember(collection, record, state, transaction.now.timeIntervalSinceReferenceDate)
    }

    private func update(
        _ collection: ForeignCollection,
        _ members: [String],
        _ row: MigratedItems.Row,
        _ state: inout ExportedAlbum
    ) throws {
        // Deleted here since.
        guard var record = try transaction.collection(uuid: row.objectUUID) else { return }
        let last = row.facts.exportedAlbum ?? state
        guard !state.isOlder(than: last) else { return }
        if row.facts.title ?? "" != collection.title, record.title == row.facts.title ?? "" {
            record.title = collection.title
            try transaction.updateCollection(record)
        }
        state.members = last.members
        if record.kind == .album {
            state.members += try transaction.follow(
                try assets(of: members),
                known: Set(last.members),
                in: record.id
            )
        }
        guard state != last || row.facts.title ?? "" != collection.title else { return }
        try remember(collection, record, state, row.importedDate)
    }

    private func remember(
        _ collection: ForeignCollection,
        _ record: CollectionRecord,
        _ state: ExportedAlbum,
        _ importedDate: Double
    ) throws {
        var facts = MigrationFacts(title: collection.title)
        facts.exportedAlbum = state
        try items.set(
            collection.item,
            of: sourceID,
            to: MigratedItems.Row(
                objectKind: record.kind,
                objectUUID: record.uuid,
                importedDate: importedDate,
                isComplete: true,
                facts: facts
            )
        )
    }

    /// Returns the row id of a collection's parent folder, or of the root folder if the library
    /// lacks the parent.
    private func parent(of collection: ForeignCollection) throws -> Int64 {
        guard let parent = collection.parent else { return CollectionRecord.root.id }
        let uuid = try items.row(parent)?.objectUUID ?? parent
        guard let record = try transaction.collection(uuid: uuid), record.kind == .folder else {
            return CollectionRecord.root.id
        }
        return record.id
    }

    /// Returns the assets that correspond to album members, each asset once; members without an
    /// asset are omitted.
    private func assets(of members: [String]) throws -> [(item: String, id: Int64)] {
        var seen: Set<Int64> = []
        return try members.compactMap { item in
            let row = try items.row(item)
            guard row == nil || row?.objectKind == .asset,
                let asset = try transaction.asset(uuid: row?.objectUUID ?? item),
                seen.insert(asset.id).inserted
            else { return nil }
            return (item, asset.id)
        }
    }
}
