internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// What objects were that have no row any more.
///
/// The journal has all of their values; of one whose history was pruned, its tombstone has the identifier.
extension LibraryView.Reading {
    /// The asset that had a row id; nil when there was none, or it was not the client's to see.
    func formerAsset(_ id: Int64) throws -> AssetRecord? {
        guard !access.isNone, let former = try former(id, kinds: [.asset]),
            access.permits(asset: former.uuid, isHidden: false)
        else { return nil }
        if let values = former.values,
            let row = try AssetRecord.map.row(id: id, values, in: database)
        {
            let record = try AssetRecord(row: row)
            return access.permits(asset: record.uuid, isHidden: record.isHidden) ? record : nil
        }
        return AssetRecord(
            id: id,
            uuid: former.uuid,
            mediaType: .unknown,
            originalFilename: "",
            contentType: "",
            addedDate: Date(timeIntervalSinceReferenceDate: 0)
        )
    }

    /// The album or folder that had a row id; nil when there was none, or it was not the client's to see.
    func formerCollection(_ id: Int64) throws -> CollectionRecord? {
        guard access.permitsCollections,
            let former = try former(id, kinds: [.album, .folder])
        else { return nil }
        if let values = former.values,
            let row = try CollectionRecord.map.row(id: id, values, in: database)
        {
            return try CollectionRecord(row: row)
        }
        return CollectionRecord(
            id: id,
            uuid: former.uuid,
            kind: former.kind,
            title: "",
            parentID: CollectionRecord.root.id,
            position: 0,
            creationDate: Date(timeIntervalSinceReferenceDate: 0)
        )
    }

    private struct Former {
        var kind: ObjectKind
        var uuid: String
        /// What it had when it was deleted; nil when the journal does not know any more.
        var values: JournalEntry.Values?
    }

    private func former(_ id: Int64, kinds: [ObjectKind]) throws -> Former? {
        for kind in kinds {
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(JournalEntry.columns) FROM journalEntry
                        WHERE kind = ? AND objectId = ? ORDER BY version DESC, id DESC LIMIT 1
                        """
                ),
                arguments: [kind.rawValue, id]
            )
            if let entry = try row.map(JournalEntry.init(row:)), entry.change == .delete {
                return Former(kind: kind, uuid: entry.uuid, values: entry.old)
            }
            let uuid = try String.fetchOne(
                database.cachedStatement(
                    sql: "SELECT uuid FROM tombstone WHERE kind = ? AND objectId = ?"
                ),
                arguments: [kind.rawValue, id]
            )
            if let uuid { return Former(kind: kind, uuid: uuid) }
        }
        return nil
    }
}
