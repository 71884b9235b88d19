internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Which objects the journal names between two versions.
///
/// Change details count on these: whatever is not among them has the same row, and an album that is not
/// has the same members in the same order.
struct TouchedObjects {
    let database: Database
    /// The version before the first that counts.
    let since: Int64
    /// The last version that counts.
    let through: Int64

    /// Whether the journal still has all of it.
    func isComplete() throws -> Bool {
        try since >= HistorySummary.start(database)
    }

    /// The objects that a fetch's answer may depend on, ascending; nil when they are more than a limit.
    func rows(of plan: FetchPlan, limit: Int) throws -> ContiguousArray<Int64>? {
        guard plan.table == "asset" else { return try collections(limit: limit) }
        guard var ids = try assets(limit: limit) else { return nil }
        if let album = plan.album {
            let members = try members(ofAlbum: album)
            if !members.isEmpty { ids = ContiguousArray(Set(ids).union(members).sorted()) }
        }
        return ids.count > limit ? nil : ids
    }

    /// Assets of which the row or a resource changed, ascending; nil when they are more than a limit.
    func assets(limit: Int = .max) throws -> ContiguousArray<Int64>? {
        try few(Self.assetsSQL, limit: limit)
    }

    /// Albums, folders and moments, ascending; nil when they are more than a limit.
    ///
    /// Of smart albums and moments the last change alone is known: one of a later version is named as
    /// well.
    func collections(limit: Int = .max) throws -> ContiguousArray<Int64>? {
        try few(Self.collectionsSQL, limit: limit)
    }

    /// Assets of which what is seen or heard changed: adjustment data and sidecars are not.
    func assetsWithNewContent() throws -> Set<Int64> {
        try Set(database.rowIDs(Self.contentSQL, [since, through]))
    }

    /// Assets that came to an album, left it, or moved in it.
    private func members(ofAlbum uuid: String) throws -> ContiguousArray<Int64> {
        // An album that is gone has left a tombstone.
        try database.rowIDs(
            """
            SELECT DISTINCT json_extract(place.value, '$[0]')
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

    // The plus keeps SQLite from the index of kinds and objects, in which it would look at all that the
    // journal has: the versions are few.

    // A resource's entry names its asset only where that changed; otherwise its row does.
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

    // What a resource's row or entry does not say any more comes from the other of the two.
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
