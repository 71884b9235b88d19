internal import GRDB
package import PhotoModel

/// Reads and changes the rows of albums and folders.
///
/// `LibraryTransaction+Children.swift` contains the order within folders, and
/// `LibraryTransaction+Members.swift` the members of albums.
extension LibraryTransaction {
    /// Returns the album or folder with a given row id, as this transaction sees it; nil for the
    /// root folder.
    ///
    /// An album's count and dates are updated only at the end of the transaction.
    package func collection(id: Int64) throws -> CollectionRecord? {
        let statement = try database.cachedStatement(
            sql: CollectionRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(CollectionRecord.init(row:))
    }

    /// Returns the album or folder with a given UUID, as this transaction sees it; nil for the root
    /// folder.
    package func collection(uuid: String) throws -> CollectionRecord? {
        let statement = try database.cachedStatement(
            sql: CollectionRecord.map.selectSQL + " WHERE uuid = ?"
        )
        return try Row.fetchOne(statement, arguments: [uuid]).map(CollectionRecord.init(row:))
    }

    /// Inserts an empty album or folder at the end of its folder.
    ///
    /// The record's `id`, `position` and totals are ignored. Returns the new row id.
    ///
    /// - Throws: `changeNotSupported` if `parentID` is not that of a folder.
    @discardableResult
    package func insertCollection(_ record: CollectionRecord) throws -> Int64 {
        try checkFolder(record.parentID)
        var record = try withKnownDates(record)
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

    /// Inserts a deleted album or folder again, with its former row id and position.
    ///
    /// A reinserted album has no members until they are restored separately.
    func reinsertCollection(_ record: CollectionRecord) throws {
        try checkFolder(record.parentID)
        var record = try withKnownDates(record)
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
    /// A changed title sets the modification date to the transaction's time. The position in a
    /// folder, the members and the totals are not changed; other methods change them.
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

    /// Deletes an album or an empty folder, and leaves a tombstone.
    ///
    /// An album's memberships are deleted, but not its assets. A folder's contents must be deleted
    /// first.
    ///
    /// - Throws: `changeNotSupported` for a folder that is not empty.
    package func deleteCollection(id: Int64) throws {
        try flush(album: id)
        guard let old = try collection(id: id) else { return }
        guard try old.kind == .album || childIDs(of: id).isEmpty else {
            throw LibraryError(
                .changeNotSupported,
                "The folder “\(old.title)” cannot be deleted: it is not empty.",
                recovery: "Delete or move its contents first.",
                identifiers: [old.localIdentifier]
            )
        }
        try noteDeparture(of: old)
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

    // MARK: - Shared helpers

    /// Updates the values of an album or folder that differ from `old`.
    func store(
        _ new: CollectionRecord,
        over old: CollectionRecord,
        members: MembersChange = MembersChange()
    ) throws {
        var new = new
        if new.modificationDate < old.modificationDate, try hasJoinedCloud() {
            new.modificationDate = old.modificationDate
        }
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

    /// Records that the children of a folder changed, by setting the folder's modification date.
    ///
    /// Does nothing for the root folder, which has no row.
    func recordChildren(of folder: Int64) throws {
        guard !isRemote, let old = try collection(id: folder) else { return }
        var new = old
        new.modificationDate = now
        try store(new, over: old)
    }

    /// Returns the album with a given row id.
    ///
    /// - Throws: `identifierNotFound` if it does not exist, `changeNotSupported` for a folder.
    @discardableResult
    func checkAlbum(_ id: Int64) throws -> CollectionRecord {
        guard let record = try collection(id: id) else {
            throw Self.noRow("album", "with the row id \(id)")
        }
        guard record.kind == .album else {
            throw LibraryError(
                .changeNotSupported,
                "“\(record.title)” is a folder: it contains albums and folders, not photos.",
                recovery: "Add photos to an album.",
                identifiers: [record.localIdentifier]
            )
        }
        return record
    }

    /// Throws an error unless the row id is 0 (the root folder) or the id of a folder.
    ///
    /// - Throws: `identifierNotFound` if it does not exist, `changeNotSupported` for an album.
    func checkFolder(_ id: Int64) throws {
        if id == CollectionRecord.root.id { return }
        guard let record = try collection(id: id) else {
            throw Self.noRow("folder", "with the row id \(id)")
        }
        guard record.kind == .folder else {
            throw LibraryError(
                .changeNotSupported,
                "“\(record.title)” is an album: it contains photos, not albums or folders.",
                recovery: "Choose a folder.",
                identifiers: [record.localIdentifier]
            )
        }
    }
}
