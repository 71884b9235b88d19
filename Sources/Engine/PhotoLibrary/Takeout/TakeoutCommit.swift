internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Writes the database rows of one batch of a Takeout import inside a write transaction.
///
/// The rows are assets, edits, albums, and the records by which a later import recognizes the
/// files.
struct TakeoutCommit {
    let transaction: LibraryTransaction
    let plan: TakeoutPlan
    let policy: TakeoutPolicy
    let items: TakeoutItems
    let origins: TakeoutOrigins
    /// The row ids of the accounts in `migrationSource`.
    private let sources: [TakeoutAccount: Int64]
    /// An asset to add to an album.
    private struct Addition {
        var album: TakeoutRecordName
        var title: String
        var asset: String
        var isKnown: Bool
    }

    /// The assets to add to albums, in the order of the files.
    private var additions: [Addition] = []
    /// The name under which the album for archived assets is recorded.
    private static let archive = TakeoutRecordName(account: .first, item: "/archive")

    init(
        transaction: LibraryTransaction,
        plan: TakeoutPlan,
        policy: TakeoutPolicy,
        origins: TakeoutOrigins
    ) throws {
        self.transaction = transaction
        self.plan = plan
        self.policy = policy
        self.origins = origins
        items = TakeoutItems(database: transaction.database)
        sources = try origins.record(in: items, at: transaction.now)
    }

    // MARK: - Files

    /// Writes the rows of a batch whose files `commit` has moved into the library.
    mutating func record(_ batch: inout TakeoutBatch, _ commit: inout BatchCommit) throws {
        for position in batch.entries.indices {
            if commit.wrongGuesses.contains(position) { batch.entries[position].separate() }
            let entry = batch.entries[position]
            let outcome = entry.outcome ?? commit.outcomes[position]
            batch.entries[position].outcome = outcome
            let facts = plan.facts(of: entry.item)
            guard let uuid = outcome?.localIdentifier.flatMap({ LocalIdentifier($0)?.uuid }) else {
                continue
            }
            let file = plan.files[entry.item.file]
            guard var asset = try transaction.asset(uuid: uuid) else { continue }
            if outcome?.kind == .duplicate, entry.item.original == nil, facts?.isTrashed == false,
                let live = try restored(asset)
            {
                asset = live
                batch.entries[position].outcome = .duplicate(ofAsset: uuid, isTrashed: false)
            }
            let name = origins.name(of: entry.item.file, plan)
            var known = try items.item(name.item)
            if outcome?.kind != .duplicate || known?.uuid != uuid {
                // The asset of an edited copy follows the one of its original.
                if entry.item.original == nil,
                    let note = try earlierCopy(known, of: file, besides: uuid)
                {
                    batch.entries[position].notes.append(note)
                }
                known = nil
            }
            var applied: TakeoutApplied
            if let known {
                // What was changed here since an earlier import stays.
                let (followed, notes) = try follow(known.facts, entry.item, asset)
                batch.entries[position].notes += notes
                applied = followed
            } else {
                if outcome?.kind == .duplicate, entry.item.original == nil, let facts {
                    asset = try fill(asset, facts)
                }
                applied = TakeoutApplied(facts)
                if outcome?.kind == .imported {
                    applied.trashed = asset.trashedDate?.timeIntervalSinceReferenceDate
                }
                remember(asset, isNew: outcome?.kind != .duplicate, in: &applied)
            }
            if outcome?.reason == ExternalRender.keptYours {
                batch.entries[position].notes.append(Self.keptYours(["edit"]))
            }
            if let digest = entry.medium?.file.digest.hexadecimal { applied.sha256 = digest }
            if let sidecar = entry.sidecar, outcome?.kind != .failed {
                let (digest, isAdded) = try add(
                    sidecar,
                    replacing: known?.facts.sidecar,
                    to: asset,
                    &commit
                )
                applied.sidecar = digest
                if isAdded {
                    batch.entries[position].notes.append(
                        MigrationNote(
                            "keptNotShown",
                            "People and the origin are kept in an XMP file, but not shown."
                        )
                    )
                }
            }
            let isKnown = known != nil
            func join(_ album: TakeoutRecordName, _ title: String) {
                additions.append(
                    Addition(album: album, title: title, asset: uuid, isKnown: isKnown)
                )
            }
            if facts?.isArchived == true { join(Self.archive, "Archive") }
            if let album = plan.album(in: plan.folder(of: entry.item.file)) {
                join(origins.name(of: album), album.title)
            }
            // Unverified bytes never replace what is recorded about the same bytes.
            let fingerprint =
                file.integrity == .sound
                ? file.fingerprint : known?.fingerprint ?? file.unverifiedFingerprint
            guard applied != known?.facts || fingerprint != known?.fingerprint else { continue }
            try items.record(
                name.item,
                kind: .asset,
                uuid: uuid,
                fingerprint: fingerprint,
                isComplete: known?.isComplete ?? true,
                facts: applied,
                source: sources[name.account] ?? 0,
                at: known?.importedDate ?? transaction.now
            )
        }
        try addMembers()
    }

    /// Returns a note about the asset that an earlier import created from the file without
    /// verifying its bytes, if they differ from those of the present import.
    ///
    /// - Parameters:
    ///   - former: The record of the earlier import.
    ///   - file: The file that is imported now.
    ///   - uuid: The UUID of the asset with the present bytes.
    /// - Returns: The note, or nil if there is no such asset or the present bytes are not verified.
    /// - Throws: An error of the database.
    private func earlierCopy(
        _ former: TakeoutItems.Item?,
        of file: TakeoutFile,
        besides uuid: String
    ) throws -> MigrationNote? {
        guard let former, former.uuid != uuid, file.integrity == .sound,
            TakeoutFile.isUnverified(former.fingerprint), file.mayEqual(former.fingerprint),
            let asset = try transaction.asset(uuid: former.uuid), asset.trashedDate == nil
        else { return nil }
        return MigrationNote(
            "earlierCopyDiffers",
            "An archive that could not be read to its end had other bytes under this name, so the"
                + " photo that was imported from it may be damaged: \(asset.localIdentifier)."
                + " Compare both and delete the damaged one."
        )
    }

    /// Records an asset's date and location in `applied` as the values that the import set.
    ///
    /// For an asset that existed before, a value is recorded only if it matches Google's or is an
    /// empty location.
    private func remember(_ asset: AssetRecord, isNew: Bool, in applied: inout TakeoutApplied) {
        let found = TakeoutApplied.Place.self
        if isNew { return applied.remember(asset) }
        if let taken = applied.taken, let date = asset.creationDate,
            abs(date.timeIntervalSince1970 - Double(taken)) <= TakeoutPolicy.largestResidue
        {
            applied.date = date.timeIntervalSinceReferenceDate
        }
        if applied.place?.isNear(asset.location) == true || asset.location == nil {
            applied.location = asset.location.map(found.init)
        }
    }

    /// Adds the sidecar that the import wrote, unless the asset already has the sidecar.
    ///
    /// - Returns: Its SHA-256, and whether it was added.
    private func add(
        _ sidecar: StagedFile,
        replacing former: String?,
        to asset: AssetRecord,
        _ commit: inout BatchCommit
    ) throws -> (digest: String, isAdded: Bool) {
        let digest = sidecar.digest.hexadecimal
        let present = try transaction.resources(ofAsset: asset.id)
        guard !present.contains(where: { $0.sha256 == digest }) else { return (digest, false) }
        for resource in present where resource.type == .sidecar && resource.sha256 == former {
            try transaction.retire(resource)
        }
        try commit.add(
            sidecar,
            type: .sidecar,
            name: TakeoutSidecar.name,
            contentType: TakeoutSidecar.contentType,
            pathExtension: "xmp",
            isEdit: false,
            to: asset
        )
        return (digest, true)
    }

    /// Fills in the missing or uncertain values of an existing asset from Google's description, and
    /// returns the asset.
    private func fill(_ asset: AssetRecord, _ facts: TakeoutFacts) throws -> AssetRecord {
        var filled = asset
        policy.fill(facts, into: &filled)
        guard filled != asset else { return asset }
        filled.modificationDate = transaction.now
        try transaction.updateAsset(filled, contentChanged: false)
        return filled
    }

    /// Restores an asset that a file in the trash of an export moved to Recently Deleted; nil for
    /// another asset.
    ///
    /// A deletion in this library stays.
    private func restored(_ asset: AssetRecord) throws -> AssetRecord? {
        guard asset.trashedDate != nil,
            try items.facts(ofAsset: asset.uuid).contains(where: { $0.hasTrashed(asset) })
        else { return nil }
        var restored = asset
        restored.trashedDate = nil
        restored.modificationDate = transaction.now
        try transaction.updateAsset(restored, contentChanged: false)
        return restored
    }

    /// Updates an asset with the values that changed in Google Photos since the last import.
    ///
    /// A value that was also changed in the library is kept.
    private func follow(
        _ known: TakeoutApplied,
        _ item: TakeoutPlan.Item,
        _ asset: AssetRecord
    ) throws -> (TakeoutApplied, [MigrationNote]) {
        guard let facts = plan.facts(of: item), item.original == nil else { return (known, []) }
        var applied = known
        var record = asset
        let kept = applied.follow(facts, into: &record, policy, at: transaction.now)
        if record != asset {
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: false)
        }
        guard !kept.isEmpty else { return (applied, []) }
        return (applied, [Self.keptYours(kept)])
    }

    private static func keptYours(_ names: [String]) -> MigrationNote {
        MigrationNote(
            "keptYours",
            "It was changed in Google Photos and in this library; yours was kept: "
                + names.joined(separator: ", ") + "."
        )
    }

    // MARK: - Albums

    /// A member of an album, with the properties by which the album is sorted.
    private struct Member {
        var id: Int64
        var uuid: String
        var date: Double
        var filename: String

        func precedes(_ other: Member) -> Bool {
            (date, filename, id) < (other.date, other.filename, other.id)
        }
    }

    /// Adds the collected assets to their albums, and creates albums that do not exist yet.
    ///
    /// An album that was deleted from the library is not created again, and members that were
    /// removed from an album are not added again.
    private mutating func addMembers() throws {
        let added = Dictionary(grouping: additions, by: \.album)
        additions = []
        for (name, wanted) in added.sorted(by: { $0.key.item < $1.key.item }) {
            guard let title = wanted.first?.title, let album = try album(name, title: title),
                let known = try items.item(name.item)
            else { continue }
            // The members of an album that an earlier version imported are not known one by one.
            let isListed = known.facts.members != nil
            var taken = Set(known.facts.members ?? [])
            let fresh = wanted.filter { member in
                (isListed || !member.isKnown) && taken.insert(member.asset).inserted
            }.map(\.asset)
            guard !fresh.isEmpty else { continue }
            try add(fresh, to: album, named: name, known)
        }
    }

    private func add(
        _ fresh: [String],
        to album: CollectionRecord,
        named name: TakeoutRecordName,
        _ known: TakeoutItems.Item
    ) throws {
        let ids = try fresh.compactMap { try transaction.asset(uuid: $0)?.id }
        var facts = known.facts
        let stored = facts.members ?? []
        let before = known.isComplete ? try members(of: album.id) : []
        let present = Set(before.map(\.id))
        let taken = Set(stored)
        let order = before.map(\.uuid).filter(taken.contains)
        let isUntouched = order == stored.filter(Set(order).contains)
        if known.isComplete, isUntouched {
            let all = taken.union(fresh)
            var list = before
            let new = try members(withIDs: ids.filter { !present.contains($0) })
            for member in new.sorted(by: { $0.precedes($1) }) {
                let place =
                    list.firstIndex { member.precedes($0) && all.contains($0.uuid) }
                    ?? list.endIndex
                try transaction.placeMembers(
                    [member.id],
                    in: album.id,
                    after: place > 0 ? list[place - 1].id : nil
                )
                list.insert(member, at: place)
            }
            let left = Set(list.map(\.uuid))
            facts.members =
                list.map(\.uuid).filter(all.contains) + stored.filter { !left.contains($0) }
        } else {
            try transaction.appendMembers(ids, to: album.id)
            facts.members = stored + fresh
        }
        try record(name, known, facts, isComplete: known.isComplete)
    }

    private func record(
        _ name: TakeoutRecordName,
        _ known: TakeoutItems.Item,
        _ facts: TakeoutApplied,
        isComplete: Bool
    ) throws {
        try items.record(
            name.item,
            kind: .album,
            uuid: known.uuid,
            fingerprint: nil,
            isComplete: isComplete,
            facts: facts,
            source: sources[name.account] ?? 0,
            at: known.importedDate
        )
    }

    private func members(of album: Int64) throws -> [Member] {
        try Row.fetchAll(
            transaction.database.cachedStatement(
                sql: """
                    SELECT a.id, a.uuid, a.creationDate, a.originalFilename
                    FROM albumAsset j JOIN asset a ON a.id = j.assetId
                    WHERE j.albumId = ? ORDER BY j.position, a.id
                    """
            ),
            arguments: [album]
        ).map(Self.member)
    }

    private func members(withIDs ids: [Int64]) throws -> [Member] {
        let statement = try transaction.database.cachedStatement(
            sql: "SELECT id, uuid, creationDate, originalFilename FROM asset WHERE id = ?"
        )
        return try ids.compactMap { id in
            try Row.fetchOne(statement, arguments: [id]).map(Self.member)
        }
    }

    private static func member(_ row: Row) -> Member {
        let date: Double? = row[2]
        return Member(
            id: row[0],
            uuid: row[1],
            date: date ?? -.infinity,
            filename: row[3]
        )
    }

    private func album(_ name: TakeoutRecordName, title: String) throws -> CollectionRecord? {
        if let known = try items.item(name.item) {
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
        var facts = TakeoutApplied()
        facts.members = []
        try items.record(
            name.item,
            kind: .album,
            uuid: uuid,
            fingerprint: nil,
            isComplete: false,
            facts: facts,
            source: sources[name.account] ?? 0,
            at: transaction.now
        )
        return record
    }

    /// Adds to each album the assets whose files are in other folders of the export, and sorts new
    /// albums by date.
    ///
    /// - Returns: The local identifiers of the albums, by the index of their JSON file.
    mutating func finishAlbums() throws -> [Int: String] {
        for link in plan.links {
            guard let album = plan.album(in: link.folder),
                let item = try items.item(origins.name(of: link.file, plan).item),
                try transaction.asset(uuid: item.uuid) != nil
            else { continue }
            additions.append(
                Addition(
                    album: origins.name(of: album),
                    title: album.title,
                    asset: item.uuid,
                    isKnown: true
                )
            )
        }
        try addMembers()
        var identifiers: [Int: String] = [:]
        for album in plan.albums {
            if let record = try sort(origins.name(of: album)) {
                identifiers[album.json] = record.localIdentifier
            }
        }
        _ = try sort(Self.archive)
        return identifiers
    }

    /// Sorts the members of a new album by date.
    private func sort(_ name: TakeoutRecordName) throws -> CollectionRecord? {
        guard let known = try items.item(name.item),
            let album = try transaction.collection(uuid: known.uuid)
        else { return nil }
        guard !known.isComplete else { return album }
        let members = try members(of: album.id)
        let sorted = members.sorted { $0.precedes($1) }
        if sorted.map(\.id) != members.map(\.id) {
            try transaction.placeMembers(sorted.map(\.id), in: album.id, after: nil)
        }
        var facts = known.facts
        let present = sorted.map(\.uuid)
        let taken = facts.members ?? present
        let (isPresent, isTaken) = (Set(present), Set(taken))
        facts.members = present.filter(isTaken.contains) + taken.filter { !isPresent.contains($0) }
        try record(name, known, facts, isComplete: true)
        return album
    }
}
