internal import LibraryService
internal import PhotoModel

/// Operations that edit the members of an album or the children of a folder, and their order.
extension ChangeSetCommit {
    /// Edits the members of an album.
    func editMembers(of uuid: String, _ edit: ListEdit) throws {
        let album = try collection(uuid, kind: .album)
        let steps = try edit.steps.map { step in
            try step.resolved { uuids, isNew in
                let places = try uuids.map(assetPlace)
                if isNew { try checkShown(places, uuids) }
                return places.map(\.id)
            }
        }
        let editing = try ListEditing(steps) {
            try edit.basis.map(Array.init) ?? transaction.visibleMemberIDs(of: album.id)
        }
        var members = AlbumMembers(transaction: transaction, album: album.id)
        try editing.merge(into: &members)
    }

    /// Edits the children of a folder.
    ///
    /// Added collections leave their previous folders. Removed collections move to the end of the
    /// root folder, since every collection is in exactly one folder (behavior 76).
    func editChildren(of uuid: String, _ edit: ListEdit) throws {
        let folder = try collection(uuid, kind: .folder)
        let steps = try edit.steps.map { step in
            try step.resolved { uuids, _ in
                try uuids.map { uuid in
                    let record = try collection(uuid)
                    guard record.id != CollectionRecord.root.id else {
                        throw ChangeProblem.root("added to a folder, or removed from one")
                    }
                    return record.id
                }
            }
        }
        let editing = try ListEditing(steps) {
            try edit.basis.map(Array.init) ?? transaction.childIDs(of: folder.id)
        }
        var children = FolderChildren(transaction: transaction, folder: folder.id)
        try editing.merge(into: &children)
    }

    /// Throws an error if any of the assets is in Recently Deleted.
    private func checkShown(_ places: [(id: Int64, isTrashed: Bool)], _ uuids: [String]) throws {
        let trashed = zip(uuids, places).filter(\.1.isTrashed).map(\.0)
        guard let first = trashed.first else { return }
        let suffix = ObjectKind.asset.identifierSuffix
        throw deleted.contains(first)
            ? ChangeProblem.deletedBefore("asset", first, suffix: suffix)
            : ChangeProblem.trashed(trashed.map { $0 + suffix })
    }
}

extension ListEdit.Step {
    /// Returns the step with row ids in place of UUIDs.
    ///
    /// `resolve` converts UUIDs to row ids. Its second argument is true if the objects are to be
    /// added to the list.
    fileprivate func resolved(_ resolve: ([String], _ isNew: Bool) throws -> [Int64]) rethrows
        -> ListEditing.Step
    {
        switch self {
        case .add(let uuids): .add(try resolve(uuids, true))
        case .insert(let uuids, let indexes): .insert(try resolve(uuids, true), at: indexes)
        case .remove(let uuids): .remove(try resolve(uuids, false))
        case .removeAt(let indexes): .removeAt(indexes)
        case .replace(let indexes, let uuids): .replace(at: indexes, with: try resolve(uuids, true))
        case .move(let indexes, let target): .move(from: indexes, to: target)
        }
    }
}

/// The members of an album as an editable list.
private struct AlbumMembers: EditedList {
    let transaction: LibraryTransaction
    let album: Int64

    func contains(_ id: Int64) throws -> Bool {
        try SparsePositions(membersOf: album, in: transaction.database).position(of: id) != nil
    }

    func remove(_ ids: [Int64]) throws { try transaction.removeMembers(ids, from: album) }
    func append(_ ids: [Int64]) throws { try transaction.appendMembers(ids, to: album) }
    func place(_ ids: [Int64], after neighbour: Int64?) throws {
        try transaction.placeMembers(ids, in: album, after: neighbour)
    }
}

/// The children of a folder as an editable list.
private struct FolderChildren: EditedList {
    let transaction: LibraryTransaction
    let folder: Int64

    func contains(_ id: Int64) throws -> Bool {
        try transaction.collection(id: id)?.parentID == folder
    }

    func remove(_ ids: [Int64]) throws {
        let leaving = try ids.filter(contains)
        guard !leaving.isEmpty else { return }
        guard folder != CollectionRecord.root.id else { throw ChangeProblem.taking(outOf: leaving) }
        try transaction.appendCollections(leaving, to: CollectionRecord.root.id)
    }

    func append(_ ids: [Int64]) throws { try transaction.appendCollections(ids, to: folder) }
    func place(_ ids: [Int64], after neighbour: Int64?) throws {
        try transaction.placeCollections(ids, in: folder, after: neighbour)
    }
}
