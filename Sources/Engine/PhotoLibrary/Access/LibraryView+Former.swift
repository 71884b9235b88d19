internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Earlier states of objects that were deleted or became hidden from the client.
///
/// The journal holds all of their values. Where the history was pruned, the identifier comes from
/// the row or its tombstone.
extension LibraryView.Reading {
    /// Returns an asset as it was when the client could last see it.
    ///
    /// - Parameters:
    ///   - id: The row id of an asset that the client cannot see now.
    ///   - since: The version of the reply that contained the asset; nil to skip the search.
    /// - Returns: Nil if the client could not see the asset at that version or later. States before
    ///   the client's first reply are never returned.
    /// - Throws: `corrupt` if the journal cannot be read.
    func formerAsset(_ id: Int64, since: Int64?) throws -> AssetRecord? {
        guard let since, !access.isNone else { return nil }
        let hidden = try row(ofAsset: id)
        let deleted = hidden == nil ? try former(id, kinds: [.asset]) : nil
        guard let uuid = hidden?.uuid ?? deleted?.uuid, access.permits(asset: uuid, isHidden: false)
        else { return nil }
        let first = max(since, firstVersion)
        let isKnown = try first >= HistorySummary.start(database)
        if isKnown || deleted?.values != nil,
            let values = hidden.map(AssetRecord.map.journaled) ?? deleted?.values
        {
            return try lastVisible(id, values, since: first)
        }
        return AssetRecord(
            id: id,
            uuid: uuid,
            mediaType: .unknown,
            originalFilename: "",
            contentType: "",
            addedDate: Date(timeIntervalSinceReferenceDate: 0)
        )
    }

    /// Searches the journal backward for the last state of an asset that the client could see.
    ///
    /// - Parameters:
    ///   - id: The asset's row id.
    ///   - values: Its last values.
    ///   - since: The version at which the search ends.
    /// - Returns: Nil if the client could see none of its states.
    /// - Throws: `corrupt` if the journal cannot be read.
    private func lastVisible(
        _ id: Int64,
        _ values: JournalEntry.Values,
        since: Int64
    ) throws -> AssetRecord? {
        var values = values
        if let record = try visible(id, values) { return record }
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(JournalEntry.columns) FROM journalEntry
                    WHERE kind = ? AND objectId = ? AND version > ? ORDER BY version DESC, id DESC
                    """
            ),
            arguments: [ObjectKind.asset.rawValue, id, since]
        )
        while let row = try rows.next() {
            let entry = try JournalEntry(row: row, in: database)
            switch entry.change {
            // Undoing a deletion inserts the row again; the deletion's entry has the earlier
            // values.
            case .insert: continue
            case .delete: values = entry.old
            case .update: values.merge(entry.old) { $1 }
            }
            if let record = try visible(id, values) { return record }
        }
        return nil
    }

    private func visible(_ id: Int64, _ values: JournalEntry.Values) throws -> AssetRecord? {
        guard let row = try AssetRecord.map.row(id: id, values, in: database) else { return nil }
        let record = try AssetRecord(row: row)
        return access.permits(asset: record.uuid, isHidden: record.isHidden) ? record : nil
    }

    /// Returns the deleted album or folder that had the given row id; nil if there was none or the
    /// client may not see it.
    func formerCollection(_ id: Int64) throws -> CollectionRecord? {
        guard access.permitsCollections,
            let former = try former(id, kinds: [.album, .folder])
        else { return nil }
        if let values = former.values,
            let row = try CollectionRecord.map.row(id: id, values, in: database)
        {
            var record = try CollectionRecord(row: row)
            try setTotals(of: &record, members: former.members)
            return record
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
        /// The values at the time of the deletion; nil if the journal no longer has them.
        var values: JournalEntry.Values?
        /// The members of an album at the time of its deletion.
        var members: [Int64] = []
    }

    /// Computes the totals of a deleted album from its members that are currently visible.
    ///
    /// The journal does not contain the totals.
    private func setTotals(of album: inout CollectionRecord, members: [Int64]) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT creationDate FROM asset WHERE id = ? AND isVisible = 1"
        )
        (album.assetCount, album.startDate, album.endDate) = (0, nil, nil)
        for member in members {
            guard let row = try Row.fetchOne(statement, arguments: [member]) else { continue }
            album.assetCount += 1
            let seconds: Double? = row[0]
            guard let date = seconds.map(Date.init(timeIntervalSinceReferenceDate:)) else {
                continue
            }
            album.startDate = min(album.startDate ?? date, date)
            album.endDate = max(album.endDate ?? date, date)
        }
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
            if let entry = try row.map({ try JournalEntry(row: $0, in: database) }),
                entry.change == .delete
            {
                return Former(
                    kind: kind,
                    uuid: entry.uuid,
                    values: entry.old,
                    members: entry.members?.removed.map(\.asset) ?? []
                )
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
