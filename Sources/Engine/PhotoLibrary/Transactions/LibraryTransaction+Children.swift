internal import GRDB
internal import PhotoModel

/// What is in folders, and in which order.
///
/// A collection's folder and position are columns of its own row and are journalled there; renumbering
/// a folder is therefore an entry for each of its children. Folders are small, and it takes some
/// thirty insertions at one and the same place.
extension LibraryTransaction {
    /// What is directly in a folder, in its order; 0 is the root folder.
    package func childIDs(of parent: Int64) throws -> [Int64] {
        try SparsePositions(childrenOf: parent, in: database).ids()
    }

    /// Puts collections at the end of a folder, in this order; those that are in it stay where they
    /// are.
    ///
    /// - Throws: As `placeCollections`.
    package func appendCollections(_ ids: [Int64], to parent: Int64) throws {
        try checkFolder(parent)
        for record in try collections(ids, goingTo: parent) where record.parentID != parent {
            var new = record
            new.parentID = parent
            new.position = try positionAtEnd(ofFolder: parent)
            try store(new, over: record)
            try recordChildren(of: record.parentID)
            try recordChildren(of: parent)
        }
    }

    /// Puts collections into a folder, in this order, directly behind one that is in it; nil: in front
    /// of all.
    ///
    /// Those that are in it move there, and so do those of other folders.
    ///
    /// - Throws: `changeNotSupported` when `parent` is no folder, when a folder would come to be inside
    ///   itself, and when `anchor` is not in the folder.
    package func placeCollections(
        _ ids: [Int64],
        in parent: Int64,
        after anchor: Int64?
    ) throws {
        try checkFolder(parent)
        let records = try collections(ids, goingTo: parent)
        guard !records.isEmpty else { return }
        let order = SparsePositions(childrenOf: parent, in: database)
        if let anchor, try order.position(of: anchor) == nil {
            throw LibraryError(
                .changeNotSupported,
                "A place in a folder was named by something that is not in it.",
                recovery: "Fetch what is in the folder again."
            )
        }
        let positions: [Int64]
        switch try order.placement(of: records.map(\.id), after: anchor) {
        case .unchanged: return
        case .positions(let free): positions = free
        case .crowded:
            try renumberChildren(of: parent)
            try placeCollections(ids, in: parent, after: anchor)
            return
        }
        for (record, position) in zip(records, positions) {
            guard let old = try collection(id: record.id) else { continue }
            var new = old
            new.parentID = parent
            new.position = position
            try store(new, over: old)
            if old.parentID != parent { try recordChildren(of: old.parentID) }
        }
        try recordChildren(of: parent)
    }

    /// A position behind all that is in a folder.
    func positionAtEnd(ofFolder folder: Int64) throws -> Int64 {
        let order = SparsePositions(childrenOf: folder, in: database)
        if let position = try order.positionsAtEnd(count: 1)?.first { return position }
        try renumberChildren(of: folder)
        return try order.positionsAtEnd(count: 1)?.first ?? 0
    }

    private func renumberChildren(of folder: Int64) throws {
        let ids = try childIDs(of: folder)
        let positions = SparsePositions.positions(after: nil, before: nil, count: ids.count) ?? []
        for (id, position) in zip(ids, positions) {
            guard let old = try collection(id: id) else { continue }
            var new = old
            new.position = position
            try store(new, over: old)
        }
    }

    /// The records of collections, each once.
    ///
    /// - Throws: `identifierNotFound`; `changeNotSupported` when one of them holds the folder that they
    ///   are to go to.
    private func collections(_ ids: [Int64], goingTo folder: Int64) throws -> [CollectionRecord] {
        var seen: Set<Int64> = []
        let records = try ids.filter { seen.insert($0).inserted }.map { id in
            guard let record = try collection(id: id) else {
                throw Self.noRow("album or folder", "with the row id \(id)")
            }
            return record
        }
        // A damaged library may have a cycle: no folder is looked at twice.
        var above: Set<Int64> = []
        var next = folder
        while above.insert(next).inserted, let record = try collection(id: next) {
            guard seen.contains(record.id) else {
                next = record.parentID
                continue
            }
            throw LibraryError(
                .changeNotSupported,
                "The folder “\(record.title)” cannot be put into itself or into a folder in it.",
                reason: "A folder lies in exactly one other, and the last is the root folder.",
                recovery: "Choose a folder outside of it.",
                identifiers: [record.localIdentifier]
            )
        }
        return records
    }
}
