internal import GRDB
package import PhotoModel

/// Albums and folders: their rows.
///
/// The order within folders is in `LibraryTransaction+Children.swift`, the members of albums in
/// `LibraryTransaction+Members.swift`.
extension LibraryTransaction {
    /// The album or folder with a row id, as this transaction sees it; nil for the root folder.
    ///
    /// Count and dates of an album are brought up to date only when the transaction ends.
    package func collection(id: Int64) throws -> CollectionRecord? {
        let statement = try database.cachedStatement(
            sql: CollectionRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(CollectionRecord.init(row:))
    }

    /// The album or folder with a UUID, as this transaction sees it; nil for the root folder.
    package func collection(uuid: String) throws -> CollectionRecord? {
        let statement = try database.cachedStatement(
            sql: CollectionRecord.map.selectSQL + " WHERE uuid = ?"
        )
        return try Row.fetchOne(statement, arguments: [uuid]).map(CollectionRecord.init(row:))
    }

    /// Adds an empty album or folder at the end of its folder.
    ///
    /// Its `id`, `position` and totals are not looked at. Returns the new row id.
    ///
    /// - Throws: `changeNotSupported` when `parentID` is not a folder's.
    @discardableResult
    package func insertCollection(_ record: CollectionRecord) throws -> Int64 {
        try checkFolder(record.parentID)
        var record = record
        record.position = try positionAtEnd(ofFolder: record.parentID)
        record.assetCount = 0
        record.startDate = nil
        record.endDate = nil
        let id = try insert(
            record,
            map: CollectionRecord.map,
            kind: record.kind,
            uuid: record.uuid
        )
        try recordChildren(of: record.parentID)
        return id
    }

    /// Adds an album or folder again that was deleted, under its old row id and at its old position.
    ///
    /// An album has no members yet.
    func reinsertCollection(_ record: CollectionRecord) throws {
        try checkFolder(record.parentID)
        var record = record
        record.assetCount = 0
        record.startDate = nil
        record.endDate = nil
        try database.execute(
            sql: "DELETE FROM tombstone WHERE kind = ? AND objectId = ?",
            arguments: [record.kind.rawValue, record.id]
        )
        _ = try insert(
            record,
            map: CollectionRecord.map,
            kind: record.kind,
            uuid: record.uuid,
            id: record.id
        )
        try recordChildren(of: record.parentID)
    }

    /// Stores the new title and creation date of an album or folder.
    ///
    /// With another title its modification date becomes the transaction's time. Its place in a folder,
    /// its members and its totals have calls of their own; here they stay.
    package func updateCollection(_ record: CollectionRecord) throws {
        guard var new = try collection(id: record.id) else {
            throw Self.noRow("album or folder", record.uuid)
        }
        let old = new
        new.title = record.title
        new.creationDate = record.creationDate
        if new.title != old.title { new.modificationDate = now }
        try store(new, over: old)
    }

    /// Removes an album with its memberships, or an empty folder, and leaves a tombstone.
    ///
    /// The assets stay. What is in a folder goes first.
    ///
    /// - Throws: `changeNotSupported` for a folder that is not empty.
    package func deleteCollection(id: Int64) throws {
        try flush(album: id)
        guard let old = try collection(id: id) else { return }
        guard try old.kind == .album || childIDs(of: id).isEmpty else {
            throw LibraryError(
                .changeNotSupported,
                "The folder “\(old.title)” cannot be deleted: it is not empty.",
                recovery: "Delete or move what is in it first.",
                identifiers: [old.localIdentifier]
            )
        }
        let members = try removeAllMembers(of: id)
        try delete(
            old,
            id: id,
            map: CollectionRecord.map,
            kind: old.kind,
            uuid: old.uuid,
            members: members
        )
        try recordChildren(of: old.parentID)
    }

    // MARK: - For the other parts

    /// Stores all values of an album or folder that differ.
    func store(
        _ new: CollectionRecord,
        over old: CollectionRecord,
        members: MembersChange = MembersChange()
    ) throws {
        try update(
            old,
            to: new,
            id: new.id,
            map: CollectionRecord.map,
            kind: new.kind,
            uuid: new.uuid,
            contentChanged: false,
            members: members
        )
    }

    /// Notes that what is in a folder changed; the root folder has no row that could say so.
    func recordChildren(of folder: Int64) throws {
        guard let old = try collection(id: folder) else { return }
        var new = old
        new.modificationDate = now
        try store(new, over: old)
    }

    /// The album with a row id.
    ///
    /// - Throws: `identifierNotFound` when there is none, `changeNotSupported` for a folder.
    @discardableResult
    func checkAlbum(_ id: Int64) throws -> CollectionRecord {
        guard let record = try collection(id: id) else {
            throw Self.noRow("album", "with the row id \(id)")
        }
        guard record.kind == .album else {
            throw LibraryError(
                .changeNotSupported,
                "“\(record.title)” is a folder: it holds albums and folders, not photos.",
                recovery: "Add photos to an album.",
                identifiers: [record.localIdentifier]
            )
        }
        return record
    }

    /// Makes sure that a row id is a folder's; 0 is the root folder's.
    ///
    /// - Throws: `identifierNotFound` when there is none, `changeNotSupported` for an album.
    func checkFolder(_ id: Int64) throws {
        if id == CollectionRecord.root.id { return }
        guard let record = try collection(id: id) else {
            throw Self.noRow("folder", "with the row id \(id)")
        }
        guard record.kind == .folder else {
            throw LibraryError(
                .changeNotSupported,
                "“\(record.title)” is an album: it holds photos, not albums or folders.",
                recovery: "Choose a folder.",
                identifiers: [record.localIdentifier]
            )
        }
    }
}
