internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Creates and updates the albums and folders of a source, inside one write transaction each.
///
/// An album that is known gets only the members that were imported after it was last brought up to
/// date, so that photos removed from it here stay out. An album that was deleted here is not
/// created again.
struct MigrationCollections {
    let transaction: LibraryTransaction
    let items: MigratedItems
    let sourceID: Int64

    static let sharedItem = "shared albums"

    init(transaction: LibraryTransaction, kind: MigrationSourceKind, identifier: String?) throws {
        self.transaction = transaction
        items = MigratedItems(database: transaction.database, kind: kind)
        sourceID = try items.source(identifier: identifier, now: transaction.now)
    }

    /// Creates or updates a collection and adds members.
    ///
    /// - Returns: The number of collections that were created.
    func add(_ collection: ForeignCollection, members: [String]) throws -> Int {
        let facts = MigrationFacts(title: collection.title)
        if var row = try items.row(collection.item) {
            // Deleted here since.
            guard var record = try transaction.collection(uuid: row.objectUUID) else { return 0 }
            if row.facts.title != collection.title, record.title == row.facts.title ?? "" {
                record.title = collection.title
                try transaction.updateCollection(record)
            }
            if record.kind == .album {
                let known = row.importedDate
                let fresh = try assets(of: members) { $0.importedDate > known }
                try transaction.appendMembers(fresh, to: record.id)
            }
            row.facts = facts
            row.importedDate = transaction.now.timeIntervalSinceReferenceDate
            try items.set(collection.item, of: sourceID, to: row)
            return 0
        }
        let kind: ObjectKind = collection.kind == .folder ? .folder : .album
        var uuid = LocalIdentifier(new: kind).uuid
        if let own = collection.uuid, try transaction.collection(uuid: own) == nil,
            try transaction.asset(uuid: own) == nil, try !items.isPurged(own, kind)
        {
            uuid = own
        }
        var record = CollectionRecord(
            id: 0,
            uuid: uuid,
            kind: kind,
            title: collection.title,
            parentID: try parent(of: collection),
            position: 0,
            creationDate: collection.creationDate
                .map(Date.init(timeIntervalSinceReferenceDate:)) ?? transaction.now
        )
        record.modificationDate = transaction.now
        record.id = try transaction.insertCollection(record)
        if kind == .album {
            try transaction.appendMembers(assets(of: members) { _ in true }, to: record.id)
        }
        try items.set(
            collection.item,
            of: sourceID,
            to: MigratedItems.Row(
                objectKind: kind,
                objectUUID: uuid,
                importedDate: transaction.now.timeIntervalSinceReferenceDate,
                isComplete: true,
                facts: facts
            )
        )
        return 1
    }

    /// Returns the row id of a collection's folder; the root if it was deleted here.
    private func parent(of collection: ForeignCollection) throws -> Int64 {
        guard let parent = collection.parent, let row = try items.row(parent),
            let record = try transaction.collection(uuid: row.objectUUID), record.kind == .folder
        else { return CollectionRecord.root.id }
        return record.id
    }

    private func assets(of members: [String], where isWanted: (MigratedItems.Row) -> Bool) throws
        -> [Int64]
    {
        try members.compactMap { item in
            guard let row = try items.row(item), row.objectKind == .asset, isWanted(row) else {
                return nil
            }
            return try transaction.asset(uuid: row.objectUUID)?.id
        }
    }
}
