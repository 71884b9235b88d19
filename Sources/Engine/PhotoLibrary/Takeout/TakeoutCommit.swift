internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Writes the rows of one batch of an export, inside one write transaction: assets, edits, albums,
/// and the records by which a later import recognizes the files.
struct TakeoutCommit {
    let transaction: LibraryTransaction
    let plan: TakeoutPlan
    let policy: TakeoutPolicy
    let items: TakeoutItems
    private let source: Int64
    /// The name of the record of the album for archived assets.
    private static let archive = "/archive"

    init(transaction: LibraryTransaction, plan: TakeoutPlan, policy: TakeoutPolicy) throws {
        self.transaction = transaction
        self.plan = plan
        self.policy = policy
        items = TakeoutItems(database: transaction.database)
        source = try items.source(at: transaction.now)
    }

    // MARK: - Files

    /// Writes the rows of a batch whose files `commit` has placed.
    mutating func record(_ batch: inout TakeoutBatch, _ commit: inout BatchCommit) throws {
        let titles = Dictionary(
            plan.albums.map { ($0.folder, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for position in batch.entries.indices {
            let entry = batch.entries[position]
            let outcome = entry.outcome ?? commit.outcomes[position]
            batch.entries[position].outcome = outcome
            let facts = plan.facts(of: entry.item)
            guard let uuid = outcome?.localIdentifier.flatMap({ LocalIdentifier($0)?.uuid }) else {
                continue
            }
            let file = plan.files[entry.item.file]
            // What was changed here since an earlier import stays, also the members of albums.
            if outcome?.kind == .duplicate, let known = try items.item(file.commonPath),
                known.uuid == uuid
            {
                let notes = try update(known, entry.item)
                batch.entries[position].notes += notes
                continue
            }
            guard var asset = try transaction.asset(uuid: uuid) else { continue }
            if outcome?.kind == .duplicate, entry.item.original == nil, let facts {
                asset = try fill(asset, facts)
            }
            if outcome?.kind == .imported, let sidecar = entry.sidecar {
                try commit.add(
                    sidecar,
                    type: .sidecar,
                    name: asset.originalFilename + ".xmp",
                    contentType: TakeoutSidecar.contentType,
                    pathExtension: "xmp",
                    isEdit: false,
                    to: asset
                )
            }
            if let album = titles[TakeoutPlan.folder(of: file)] {
                try add([asset.id], toAlbum: album.folder + "/", title: album.title)
            }
            if facts?.isArchived == true {
                try add([asset.id], toAlbum: Self.archive, title: "Archive")
            }
            try items.record(
                file.commonPath,
                kind: .asset,
                uuid: uuid,
                fingerprint: file.fingerprint,
                isComplete: true,
                facts: TakeoutApplied(
                    caption: facts?.caption,
                    isFavorite: facts?.isFavorite ?? false
                ),
                source: source,
                at: transaction.now
            )
        }
    }

    /// Sets those values of an existing asset that are empty.
    private func fill(_ asset: AssetRecord, _ facts: TakeoutFacts) throws -> AssetRecord {
        var filled = asset
        policy.fill(facts, into: &filled)
        guard filled != asset else { return asset }
        filled.modificationDate = transaction.now
        try transaction.updateAsset(filled, contentChanged: false)
        return filled
    }

    /// Updates the asset of a file that an earlier import recorded, perhaps in another form of the
    /// export, and records the file's present form.
    private func update(_ known: TakeoutItems.Item, _ item: TakeoutPlan.Item) throws
        -> [MigrationNote]
    {
        let file = plan.files[item.file]
        var applied = known.facts
        var isKept = false
        if let facts = plan.facts(of: item), item.original == nil,
            let asset = try transaction.asset(uuid: known.uuid)
        {
            applied = TakeoutApplied(caption: facts.caption, isFavorite: facts.isFavorite)
            isKept = try !follow(applied, since: known.facts, asset)
        }
        guard applied != known.facts || file.fingerprint != known.fingerprint else { return [] }
        try items.record(
            file.commonPath,
            kind: .asset,
            uuid: known.uuid,
            fingerprint: file.fingerprint,
            isComplete: known.isComplete,
            facts: applied,
            source: source,
            at: known.importedDate
        )
        return isKept
            ? [
                MigrationNote(
                    "keptYours",
                    "It was changed in Google Photos and in this library; yours was kept."
                )
            ] : []
    }

    /// Follows changes in Google Photos since the last import, except where the library's value was
    /// changed meanwhile.
    ///
    /// - Returns: Whether all changes were followed.
    private func follow(_ new: TakeoutApplied, since old: TakeoutApplied, _ asset: AssetRecord)
        throws -> Bool
    {
        var updated = asset
        var isFollowed = true
        if new.caption != old.caption {
            if asset.caption == old.caption {
                updated.caption = new.caption
                updated.personFacts.insert(.caption)
            } else {
                isFollowed = false
            }
        }
        if new.isFavorite != old.isFavorite {
            if asset.isFavorite == old.isFavorite {
                updated.isFavorite = new.isFavorite
            } else {
                isFollowed = false
            }
        }
        if updated != asset {
            updated.modificationDate = transaction.now
            try transaction.updateAsset(updated, contentChanged: false)
        }
        return isFollowed
    }

    // MARK: - Albums

    /// Adds assets to an album, which is created with its first member.
    ///
    /// An album that was deleted from the library is not created again.
    private func add(_ ids: [Int64], toAlbum name: String, title: String) throws {
        guard let album = try album(name, title: title) else { return }
        try transaction.appendMembers(ids, to: album.id)
    }

    private func album(_ name: String, title: String) throws -> CollectionRecord? {
        if let known = try items.item(name) {
            return try transaction.collection(uuid: known.uuid)
        }
        let uuid = LocalIdentifier(new: .album).uuid
        var record = CollectionRecord(
            id: 0,
            uuid: uuid,
            kind: .album,
            title: title,
            parentID: 0,
            position: 0,
            creationDate: transaction.now
        )
        record.id = try transaction.insertCollection(record)
        // Complete once its members are in their order.
        try items.record(
            name,
            kind: .album,
            uuid: uuid,
            fingerprint: nil,
            isComplete: false,
            facts: TakeoutApplied(),
            source: source,
            at: transaction.now
        )
        return record
    }

    /// Adds the members that are elsewhere in the export, and sorts the members of new albums by
    /// date.
    ///
    /// - Returns: The local identifiers of the albums, by the index of their JSON file.
    func finishAlbums() throws -> [Int: String] {
        var identifiers: [Int: String] = [:]
        for album in plan.albums {
            let name = album.folder + "/"
            let isNew = try items.item(name)?.isComplete != true
            for link in plan.links where isNew && link.folder == album.folder {
                guard let item = try items.item(plan.files[link.file].commonPath),
                    let asset = try transaction.asset(uuid: item.uuid)
                else { continue }
                try add([asset.id], toAlbum: name, title: album.title)
            }
            if let record = try sort(name) { identifiers[album.json] = record.localIdentifier }
        }
        _ = try sort(Self.archive)
        return identifiers
    }

    private func sort(_ name: String) throws -> CollectionRecord? {
        guard let known = try items.item(name),
            let album = try transaction.collection(uuid: known.uuid)
        else { return nil }
        guard !known.isComplete else { return album }
        let members = try transaction.memberIDs(of: album.id).map { id in
            (id: id, date: try transaction.asset(id: id)?.creationDate ?? .distantPast)
        }
        let sorted = members.sorted { ($0.date, $0.id) < ($1.date, $1.id) }.map(\.id)
        if sorted != members.map(\.id) {
            try transaction.placeMembers(sorted, in: album.id, after: nil)
        }
        try items.record(
            name,
            kind: .album,
            uuid: known.uuid,
            fingerprint: nil,
            isComplete: true,
            facts: TakeoutApplied(),
            source: source,
            at: transaction.now
        )
        return album
    }
}
