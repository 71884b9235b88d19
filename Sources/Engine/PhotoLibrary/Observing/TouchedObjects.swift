internal import GRDB
internal import LibraryService
internal import PhotoModel

/// The objects that journal entries between two versions refer to.
///
/// Change details rely on this: an object that is not among them has the same row, and an album
/// that is not has the same members in the same order.
struct TouchedObjects {
    let database: Database
    /// The version before the first one considered.
    let since: Int64
    /// The last version considered.
    let through: Int64

    /// Returns whether the journal still contains all versions in the range.
    func isComplete() throws -> Bool {
        try since >= HistorySummary.start(database)
    }

    /// Returns the changed objects that a fetch's result may depend on, ascending; nil if there are
    /// more than `limit`.
    func rows(of plan: FetchPlan, limit: Int) throws -> ContiguousArray<Int64>? {
        guard plan.table == "asset" else { return try collections(limit: limit) }
        guard var ids = try assets(limit: limit) else { return nil }
        if let album = plan.album {
            let members = try members(ofAlbum: album)
            if !members.isEmpty { ids = ContiguousArray(Set(ids).union(members).sorted()) }
        }
        return ids.count > limit ? nil : ids
    }

    /// Returns the assets whose row or resources changed, ascending; nil if there are more than
    /// `limit`.
    func assets(limit: Int = .max) throws -> ContiguousArray<Int64>? {
        try few(Self.assetsSQL, limit: limit)
    }

    /// Returns the changed albums, folders and moments, ascending; nil if there are more than
    /// `limit`.
    ///
    /// For smart albums and moments only the latest change is known, so those changed in a later
    /// version are included.
    func collections(limit: Int = .max) throws -> ContiguousArray<Int64>? {
        try few(Self.collectionsSQL, limit: limit)
    }

    /// Returns the assets whose visible or audible content changed, ignoring adjustment data and
    /// sidecars.
    func assetsWithNewContent() throws -> Set<Int64> {
        try Set(database.rowIDs(Self.contentSQL, [since, through]))
    }

    /// Returns the assets that were added to, removed from, or moved within an album.
    private func members(ofAlbum uuid: String) throws -> ContiguousArray<Int64> {
        // A deleted album has left a tombstone.
        try database.rowIDs(
            """
            SELECT DISTINCT CASE typeof(json_extract(place.value, '$[0]'))
                WHEN 'text' THEN coalesce(
                    (SELECT id FROM asset WHERE uuid = json_extract(place.value, '$[0]')),
                    (SELECT max(objectId) FROM tombstone
                        WHERE uuid = json_extract(place.value, '$[0]')
                            AND kind = \(ObjectKind.asset.rawValue)), 0)
                ELSE json_extract(place.value, '$[0]') END
            FROM journalEntry AS entry,
                json_each('["$.inserted","$.removed","$.moved"]') AS list,
                json_each(entry.members, list.value) AS place
            WHERE entry.kind = \(ObjectKind.album.rawValue)
                AND entry.objectId IN (SELECT id FROM collection WHERE uuid = ?3
                    UNION ALL SELECT objectId FROM tombstone
                    WHERE uuid = ?3 AND kind = \(ObjectKind.album.rawValue))
                AND entry.version > ?1 AND entry.version <= ?2 AND entry.members IS NOT NULL
            """,
            [since, through, uuid]
        )
    }

    private func few(_ sql: String, limit: Int) throws -> ContiguousArray<Int64>? {
        let bound = limit == .max ? Int64.max : Int64(limit) + 1
        let ids = try database.rowIDs(sql, [since, through, bound])
        return ids.count > limit ? nil : ids
    }

    // MARK: - Statements

    // The plus signs prevent SQLite from using the index of kinds and objects, which would scan the
    // whole journal, whereas the versions are few.

    // A resource's entry contains its asset only if that changed; otherwise the asset is in the
    // resource's row.
    static let assetsSQL = """
        SELECT objectId FROM journalEntry
        WHERE version > ?1 AND version <= ?2 AND +kind = \(ObjectKind.asset.rawValue)
        UNION SELECT resource.assetId FROM journalEntry AS entry
            CROSS JOIN resource ON resource.id = entry.objectId
        WHERE version > ?1 AND version <= ?2 AND +entry.kind = \(ObjectKind.resource.rawValue)
        UNION SELECT json_extract(oldValues, '$.assetId') FROM journalEntry
        WHERE version > ?1 AND version <= ?2 AND +kind = \(ObjectKind.resource.rawValue)
            AND change <> \(JournalChange.insert.rawValue)
            AND json_extract(oldValues, '$.assetId') IS NOT NULL
        ORDER BY 1 LIMIT ?3
        """

    static let collectionsSQL = """
        SELECT objectId FROM journalEntry
        WHERE version > ?1 AND version <= ?2
            AND +kind IN (\(ObjectKind.album.rawValue), \(ObjectKind.folder.rawValue))
        UNION SELECT -subtype FROM smartAlbum WHERE version > ?1
        UNION SELECT -1000 - id FROM moment WHERE version > ?1
        UNION SELECT -1000 - id FROM formerMoment WHERE version > ?1
        ORDER BY 1 LIMIT ?3
        """

    // Values missing in a resource's row are taken from its entry, and vice versa.
    static let contentSQL = """
        SELECT objectId FROM journalEntry
        WHERE version > ?1 AND version <= ?2 AND +kind = \(ObjectKind.asset.rawValue)
            AND contentChanged
        UNION SELECT assetId FROM (
            SELECT coalesce(resource.assetId, json_extract(oldValues, '$.assetId'),
                    json_extract(newValues, '$.assetId')) AS assetId,
                coalesce(resource.type, json_extract(oldValues, '$.type'),
                    json_extract(newValues, '$.type')) AS type
            FROM journalEntry AS entry
                LEFT JOIN resource ON resource.id = entry.objectId
            WHERE version > ?1 AND version <= ?2
                AND +entry.kind = \(ObjectKind.resource.rawValue)
            UNION ALL SELECT json_extract(oldValues, '$.assetId'), 0 FROM journalEntry
            WHERE version > ?1 AND version <= ?2
                AND +kind = \(ObjectKind.resource.rawValue)
                AND change = \(JournalChange.update.rawValue)
        ) WHERE assetId IS NOT NULL AND type NOT IN (\(others))
        """

    private static let others = [ResourceType.adjustmentData, .sidecar].map { String($0.rawValue) }
        .joined(separator: ", ")
}
