internal import GRDB
internal import PhotoModel

/// Reads and changes the children of folders and their order.
///
/// A collection's folder and position are columns of its own row. So renumbering a folder's
/// children creates a journal entry for each child. This is acceptable: folders are small, and only
/// about thirty insertions at the same place make renumbering necessary.
extension LibraryTransaction {
    /// Returns the row ids of a folder's direct children in order; 0 is the root folder.
    package func childIDs(of parent: Int64) throws -> [Int64] {
        try SparsePositions(childrenOf: parent, in: database).ids()
    }

    /// Appends collections to a folder in the given order; existing children keep their positions.
    ///
    /// - Throws: The errors of `placeCollections`.
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

    /// Places collections in a folder in the given order, directly after the child `anchor`.
    ///
    /// If `anchor` is nil, they are placed first. Collections that are already in the folder or in
    /// other folders are moved.
    ///
    /// - Throws: `changeNotSupported` if `parent` is not a folder, if a folder would contain
    ///   itself, or if `anchor` is not in the folder.
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
                "A position in a folder refers to an object that is not in it.",
                recovery: "Fetch the contents of the folder again."
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

    /// Returns a position after all children of a folder, and renumbers the children if no position
    /// is free.
    func positionAtEnd(ofFolder folder: Int64) throws -> Int64 {
        let order = SparsePositions(childrenOf: folder, in: database)
        if let position = try order.positionsAtEnd(count: 1)?.first { return position }
        try renumberChildren(of: folder)
        return try order.positionsAtEnd(count: 1)?.first ?? 0
    }

    private func renumberChildren(of folder: Int64) throws {
        isRenumbering = true
        defer { isRenumbering = false }
        let ids = try childIDs(of: folder)
        let positions = SparsePositions.positions(after: nil, before: nil, count: ids.count) ?? []
        for (id, position) in zip(ids, positions) {
            guard let old = try collection(id: id) else { continue }
            var new = old
            new.position = position
            try store(new, over: old)
        }
    }

    /// Returns the records of collections that are to be placed in a folder, without duplicates.
    ///
    /// - Throws: `identifierNotFound`; `changeNotSupported` if one of them contains the target
    ///   folder.
    private func collections(_ ids: [Int64], goingTo folder: Int64) throws -> [CollectionRecord] {
        var seen: Set<Int64> = []
        let records = try ids.filter { seen.insert($0).inserted }.map { id in
            guard let record = try collection(id: id) else {
                throw Self.noRow("album or folder", "with the row id \(id)")
            }
            return record
        }
        // A damaged library may have a cycle, so each folder is visited only once.
        var above: Set<Int64> = []
        var next = folder
        while above.insert(next).inserted, let record = try collection(id: next) {
            guard seen.contains(record.id) else {
                next = record.parentID
                continue
            }
            throw LibraryError(
                .changeNotSupported,
                "The folder “\(record.title)” cannot be moved into itself or into a folder in it.",
                reason: "Folders must form a tree under the root folder.",
                recovery: "Choose a folder outside of it.",
                identifiers: [record.localIdentifier]
            )
        }
        return records
    }
}
