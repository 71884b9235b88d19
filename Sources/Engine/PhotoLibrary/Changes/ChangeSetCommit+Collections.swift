internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Operations that create, rename and delete albums and folders.
extension ChangeSetCommit {
    /// Creates an album or folder at the end of the root folder.
    ///
    /// If the request permits it, an existing collection in the root folder with the same kind and
    /// title is reused instead.
    mutating func create(_ creation: CollectionCreation) throws {
        guard creation.kind == .album || creation.kind == .folder else {
            throw ChangeProblem.kind(creation.kind)
        }
        try checkNew(creation.uuid)
        // The writer lock is held. If two programs request the same title, one creates the
        // collection and the other finds it (pains 18).
        if creation.reusesTitled, let found = try oldest(creation.kind, titled: creation.title) {
            reused[creation.uuid] = found
            return
        }
        try transaction.insertCollection(
            CollectionRecord(
                id: 0,
                uuid: creation.uuid,
                kind: creation.kind,
                title: creation.title,
                parentID: CollectionRecord.root.id,
                position: 0,
                creationDate: transaction.now
            )
        )
    }

    private func oldest(_ kind: ObjectKind, titled title: String) throws -> String? {
        let statement = try transaction.database.cachedStatement(
            sql: """
                SELECT uuid FROM collection WHERE kind = ? AND title = ? AND parentId IS NULL
                ORDER BY id LIMIT 1
                """
        )
        return try String.fetchOne(statement, arguments: [kind.rawValue, title])
    }

    /// Changes the title of an album or folder.
    func retitle(_ uuid: String, _ title: String) throws {
        var record = try collection(uuid)
        guard record.id != CollectionRecord.root.id else { throw ChangeProblem.root("renamed") }
        record.title = title
        try transaction.updateCollection(record)
    }

    /// Deletes albums and folders, including all albums and folders inside the deleted folders
    /// (behavior 121), but no assets.
    mutating func deleteCollections(_ uuids: [String]) throws {
        let records = try uuids.map { uuid in
            let record = try collection(uuid)
            guard record.id != CollectionRecord.root.id else { throw ChangeProblem.root("deleted") }
            return record
        }
        // The deepest collections are deleted first, since one of the collections may contain
        // another.
        var order: [CollectionRecord] = []
        var seen: Set<Int64> = []
        var next = records
        while let record = next.popLast() {
            guard seen.insert(record.id).inserted else { continue }
            order.append(record)
            guard record.kind == .folder else { continue }
            next += try transaction.childIDs(of: record.id).compactMap(transaction.collection(id:))
        }
        for record in sortedByDepth(order) {
            try transaction.deleteCollection(id: record.id)
            deleted.insert(record.uuid)
        }
    }

    /// Sorts collections so that each comes before the folder that contains it.
    private func sortedByDepth(_ records: [CollectionRecord]) -> [CollectionRecord] {
        let parents = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.parentID) })
        func depth(_ id: Int64) -> Int {
            var depth = 0
            var next = parents[id]
            // A damaged library may have a cycle.
            while let parent = next, depth <= records.count {
                depth += 1
                next = parents[parent]
            }
            return depth
        }
        return records.map { ($0, depth($0.id)) }.sorted { $0.1 > $1.1 }.map(\.0)
    }
}
