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
            if entry.isKnown {
                let notes = try update(uuid, entry.item, facts)
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
            let file = plan.files[entry.item.file]
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
        if filled.caption == nil, let caption = facts.caption {
            filled.caption = caption
            filled.personFacts.insert(.caption)
        }
        if facts.isFavorite { filled.isFavorite = true }
        if filled.location == nil, let location = TakeoutPolicy.location(facts, file: nil).0 {
            filled.location = location
            filled.personFacts.insert(.location)
        }
        let isUncertain =
            asset.captureTime == nil || asset.captureTime?.wallTimeSource == .fileTime
            || asset.captureTime?.instantSource == .machineTimeZone
        if isUncertain, let seconds = facts.takenSeconds {
            let (time, isChanged) = policy.captureTime(Double(seconds), file: asset.captureTime)
            if !isChanged {
                filled.captureTime = time
                filled.creationDate = time.instant
            }
        }
        guard filled != asset else { return asset }
        filled.modificationDate = transaction.now
        try transaction.updateAsset(filled, contentChanged: false)
        return filled
    }

    /// Follows changes in Google Photos since the last import, except where the library's value was
    /// changed meanwhile.
    private func update(_ uuid: String, _ item: TakeoutPlan.Item, _ facts: TakeoutFacts?) throws
        -> [MigrationNote]
    {
        let file = plan.files[item.file]
        guard let facts, item.original == nil, let known = try items.item(file.commonPath),
            let asset = try transaction.asset(uuid: uuid)
        else { return [] }
        let new = TakeoutApplied(caption: facts.caption, isFavorite: facts.isFavorite)
        guard new != known.facts else { return [] }
        var updated = asset
        var isKept = false
        if new.caption != known.facts.caption {
            if asset.caption == known.facts.caption {
                updated.caption = new.caption
                updated.personFacts.insert(.caption)
            } else {
                isKept = true
            }
        }
        if new.isFavorite != known.facts.isFavorite {
            if asset.isFavorite == known.facts.isFavorite {
                updated.isFavorite = new.isFavorite
            } else {
                isKept = true
            }
        }
        if updated != asset {
            updated.modificationDate = transaction.now
            try transaction.updateAsset(updated, contentChanged: false)
        }
        try items.record(
            file.commonPath,
            kind: .asset,
            uuid: uuid,
            fingerprint: known.fingerprint,
            isComplete: known.isComplete,
            facts: new,
            source: source,
            at: transaction.now
        )
        return isKept
            ? [
                MigrationNote(
                    "keptYours",
                    "It was changed in Google Photos and in this library; yours was kept."
                )
            ] : []
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
