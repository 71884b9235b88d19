internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Migrates albums and folders, after the assets.
extension MigrationSession {
    /// The maximum number of collections that one step writes.
    ///
    /// A step also ends once it has read `memberGroup` members.
    private static let collectionGroup = 50
    private static let memberGroup = 5000

    /// Reads all collections, and writes the first group; for an export, writes all of them.
    ///
    /// Members are read album by album, so that memory holds those of one album at a time.
    func readCollections() throws(LibraryError) -> [MigrationLine] {
        var lines = try finish(beginCommit())
        guard source.kind != .photosExport else {
            lines += try readExportedCollections()
            phase = .over
            return lines
        }
        reading: while let record = try nextRecord() {
            switch record {
            case .counts, .asset: continue
            case .broken(let problem): lines.append(line(problem))
            case .collection(let collection): take(collection)
            case .members:
                pending.append(record)
                break reading
            }
        }
        awaited = Set(collections.map(\.item))
        return try lines + addCollections(from: 0)
    }

    /// Adds a collection to `collections`, or counts it as skipped if it is a shared album that the
    /// options exclude.
    func take(_ collection: ForeignCollection) {
        if collection.kind == .sharedAlbum, !source.plan.options.includesShared {
            totals.collectionsSkipped["sharedAlbum", default: 0] += 1
        } else {
            collections.append(collection)
        }
    }

    /// Writes the next group of collections.
    func addCollections(from start: Int) throws(LibraryError) -> [MigrationLine] {
        var lines: [MigrationLine] = []
        var (index, count) = (start, 0)
        while index < collections.count, index - start < Self.collectionGroup,
            count < Self.memberGroup
        {
            let collection = collections[index]
            totals.notes += collection.notes.map { MigrationNote($0.code, .note, $0.text) }
            awaited.remove(collection.item)
            let members = try members(of: collection.item, &lines)
            try add(collection, members)
            count += members.count
            index += 1
        }
        guard index == collections.count else {
            phase = .albums(index)
            return lines
        }
        // What follows belongs to albums that the options leave out.
        _ = try members(of: "", &lines)
        phase = .over
        return lines
    }

    private static let membersOutOfOrder = MigrationNote(
        "membersOutOfOrder",
        .error,
        "Some photos of albums came after those of later albums and were left out of them. Import"
            + " the library again, and report this."
    )

    /// Reads the members of a collection, up to the members of the next collection to be written.
    private func members(
        of item: String,
        _ lines: inout [MigrationLine]
    ) throws(LibraryError) -> [String] {
        var members: [String] = []
        while let record = try nextRecord() {
            switch record {
            case .members(let part) where part.collection == item: members += part.assets
            case .members(let part) where awaited.contains(part.collection):
                pending.append(record)
                return members
            case .members(let part):
                // Of an album that the options leave out, unless the order is wrong.
                guard collections.contains(where: { $0.item == part.collection }) else { continue }
                totals.notes.append(Self.membersOutOfOrder)
            case .broken(let problem): lines.append(line(problem))
            case .collection, .counts, .asset: continue
            }
        }
        return members
    }

    /// Adds a note with the number of album members that were not imported or, in a dry run, would
    /// not be imported.
    private func noteMissing(
        _ count: Int,
        of members: [String],
        in collection: ForeignCollection
    ) {
        guard count > 0 else { return }
        let verb = source.plan.options.isDryRun ? "would not be" : "were not"
        totals.notes.append(
            MigrationNote(
                "membersMissing",
                "\(count) of \(members.count) photos of the album “\(collection.title)” \(verb)"
                    + " imported; their lines say why."
            )
        )
    }

    private func add(
        _ collection: ForeignCollection,
        _ members: [String]
    ) throws(LibraryError) {
        guard !source.plan.options.isDryRun else {
            noteMissing(members.count(where: leftOut.contains), of: members, in: collection)
            if collection.kind == .folder { totals.folders += 1 } else { totals.albums += 1 }
            return
        }
        do {
            let added = try store.write(author: author, batch: batchIdentifier) {
                transaction in
                let collections = try MigrationCollections(
                    transaction: transaction,
                    kind: source.kind,
                    counts: source.counts
                )
                var collection = collection
                if collection.kind == .sharedAlbum {
                    let folder = ForeignCollection(
                        item: MigrationCollections.sharedItem,
                        uuid: nil,
                        kind: .folder,
                        title: "Shared Albums",
                        parent: nil
                    )
                    _ = try collections.add(folder, members: [])
                    collection.parent = folder.item
                }
                return try collections.add(collection, members: members)
            }
            noteMissing(added.absent, of: members, in: collection)
            guard added.isCreated else { return }
            if collection.kind == .folder { totals.folders += 1 } else { totals.albums += 1 }
        } catch { throw LibraryError(error, library: store.bundle.root) }
    }
}
