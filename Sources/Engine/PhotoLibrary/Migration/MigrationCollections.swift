internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Creates and updates the albums and folders of a source, each inside its own write transaction.
///
/// A known album gets only the members that were not taken before, each after the member that
/// precedes it at the source. Photos that were removed from the album here stay out. An album that
/// was deleted here is not created again.
struct MigrationCollections {
    let transaction: LibraryTransaction
    let items: MigratedItems
    let sourceID: Int64

    static let sharedItem = "shared albums"

    /// The state of the source at this import.
    let state: SourceState

    init(transaction: LibraryTransaction, kind: MigrationSourceKind, counts: ForeignCounts) throws {
        self.transaction = transaction
        items = MigratedItems(database: transaction.database, kind: kind)
        sourceID = try items.source(identifier: counts.identifier, now: transaction.now)
        state = SourceState(counts)
    }

    /// The result of adding a collection.
    struct Addition {
        /// Indicates whether the collection was created.
        var isCreated = false
        /// The number of members that were never imported into this library.
        var absent = 0
    }

    /// Creates or updates a collection and adds members.
    func add(_ collection: ForeignCollection, members: [String]) throws -> Addition {
        var addition = Addition()
        var facts = MigrationFacts(title: collection.title)
        facts.state = state
        if var row = try items.row(collection.item) {
            // Deleted here since.
            guard var record = try transaction.collection(uuid: row.objectUUID) else {
                return addition
            }
            let isOlder =
                row.facts.state.map {
                    state.isOlder(than: $0, isSameSource: row.sourceID == sourceID)
                } ?? false
            if isOlder {
                (facts.title, facts.state) = (row.facts.title, row.facts.state)
            } else if row.facts.title != collection.title, record.title == row.facts.title ?? "" {
                record.title = collection.title
                try transaction.updateCollection(record)
            }
            if record.kind == .album {
                var found = try assets(of: members, absent: &addition.absent)
                let known = try row.facts.members ?? imported(members, until: row.importedDate)
                if isOlder { found = try withoutRemoved(found, known: Set(known)) }
                let fresh = try transaction.follow(
                    found,
                    known: Set(known),
                    in: record.id
                )
                facts.members = known + fresh
            }
            guard facts != row.facts else { return addition }
            row.facts = facts
            try items.set(collection.item, of: sourceID, to: row)
            return addition
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
            let found = try assets(of: members, absent: &addition.absent)
            facts.members = found.map(\.item)
            try transaction.appendMembers(found.map(\.id), to: record.id)
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
        addition.isCreated = true
        return addition
    }

    /// Returns only the members that an earlier import already added to the album, or whose asset
    /// was last imported from this same state of the source.
    ///
    /// Used for an older state of the source: its other members were removed from the album since.
    private func withoutRemoved(
        _ members: [(item: String, id: Int64)],
        known: Set<String>
    ) throws -> [(item: String, id: Int64)] {
        try members.filter { item, _ in
            try known.contains(item) || items.row(item)?.facts.state == state
        }
    }

    /// Returns the row id of a collection's parent folder, or of the root folder if the library
    /// lacks the parent.
    private func parent(of collection: ForeignCollection) throws -> Int64 {
        guard let parent = collection.parent, let row = try items.row(parent),
            let record = try transaction.collection(uuid: row.objectUUID), record.kind == .folder
        else { return CollectionRecord.root.id }
        return record.id
    }

    /// Returns the album members that were imported no later than `date`, the import date of the
    /// album.
    ///
    /// Used for an album whose row does not list the members that were taken.
    private func imported(_ members: [String], until date: Double) throws -> [String] {
        try members.filter { try items.row($0).map { $0.importedDate <= date } ?? false }
    }

    /// Returns the members that are assets of this library.
    ///
    /// The number of members that were never imported is added to `absent`.
    private func assets(
        of members: [String],
        absent: inout Int
    ) throws -> [(item: String, id: Int64)] {
        var seen: Set<Int64> = []
        var found: [(item: String, id: Int64)] = []
        for item in members {
            if let id = try items.assetID(of: item) {
                if seen.insert(id).inserted { found.append((item, id)) }
            } else if try items.row(item) == nil {
                absent += 1
            }
        }
        return found
    }
}
