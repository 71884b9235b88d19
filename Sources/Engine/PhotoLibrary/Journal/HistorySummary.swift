internal import Foundation
package import GRDB
package import LibraryService
internal import PhotoModel

/// The changes of the journal's versions as clients see them.
package enum HistorySummary {
    /// Returns the oldest version after which the journal contains all changes.
    package static func start(_ database: Database) throws -> Int64 {
        try LibrarySetting.historyStart.number(in: database) ?? 0
    }

    /// Returns the stamp of a version; nil if the version does not exist.
    ///
    /// The stamp distinguishes the version from others with the same number, since a library that
    /// was restored to an older state assigns numbers again.
    package static func stamp(of version: Int64, _ database: Database) throws -> HistoryStamp? {
        try Double.fetchOne(
            database.cachedStatement(sql: "SELECT time FROM journalVersion WHERE version = ?"),
            arguments: [version]
        ).map { HistoryStamp(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    /// Returns the versions after `since` up to `through`, oldest first, each with its changes
    /// combined per object.
    ///
    /// The cost is proportional to the entries of these versions. The caller must compare `since`
    /// with `start` to determine whether the journal reaches back far enough.
    ///
    /// - Parameters:
    ///   - database: A read transaction.
    ///   - since: The version before the first.
    ///   - through: The last version; nil for the current one.
    ///   - limit: The maximum number of versions.
    ///   - excludesHidden: Whether hidden assets count as absent, so that hiding an asset is a
    ///     deletion and unhiding it an insertion.
    /// - Returns: The versions; a version without changes that clients see has an empty list.
    /// - Throws: `corrupt` if an entry cannot be read.
    package static func versions(
        _ database: Database,
        since: Int64,
        through: Int64? = nil,
        limit: Int,
        excludesHidden: Bool = false
    ) throws -> [HistoryVersion] {
        var versions = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT version, time, author, undoes FROM journalVersion
                    WHERE version > ? AND version <= ? ORDER BY version LIMIT ?
                    """
            ),
            arguments: [since, through ?? .max, limit]
        ).map { row in
            HistoryVersion(
                version: row[0],
                time: Date(timeIntervalSinceReferenceDate: row[1]),
                author: row[2],
                undoes: row[3],
                changes: []
            )
        }
        var previous = try stamp(of: since, database)
        for index in versions.indices {
            versions[index].previous = previous
            previous = versions[index].stamp
            versions[index].changes = try changes(
                database,
                in: versions[index].version,
                excludesHidden: excludesHidden
            )
        }
        return versions
    }

    private static func changes(
        _ database: Database,
        in version: Int64,
        excludesHidden: Bool
    ) throws -> [HistoryChange] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(JournalEntry.columns) FROM journalEntry WHERE version = ? ORDER BY id
                    """
            ),
            arguments: [version]
        )
        var effects: [HistoryEffect.Key: HistoryEffect] = [:]
        var order: [HistoryEffect.Key] = []
        while let row = try rows.next() {
            let entry = try JournalEntry(row: row, in: database)
            var key = HistoryEffect.Key(kind: entry.kind, id: entry.objectID)
            if entry.kind == .resource {
                guard let asset = try assetID(of: entry, database) else { continue }
                key = HistoryEffect.Key(kind: .asset, id: asset)
            }
            if effects[key] == nil {
                order.append(key)
                effects[key] = HistoryEffect()
            }
            effects[key]?.add(entry)
        }
        return try order.compactMap { key in
            guard var effect = effects[key],
                let uuid = try effect.uuid ?? assetUUID(key.id, database)
            else { return nil }
            if excludesHidden, key.kind == .asset {
                try effect.excludeHidden {
                    try isHidden(key.id, after: version, database)
                } _: {
                    try isPresent(key.id, after: version, database)
                }
            }
            return effect.change(of: key.kind, uuid: uuid)
        }
    }

    /// Returns the row id of the asset that owns the resource of a journal entry.
    private static func assetID(of entry: JournalEntry, _ database: Database) throws -> Int64? {
        if case .integer(let id)? = entry.new["assetId"] ?? entry.old["assetId"] { return id }
        return try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT assetId FROM resource WHERE id = ?"),
            arguments: [entry.objectID]
        )
    }

    /// Returns whether an asset was hidden after a version.
    ///
    /// The next entry that states it has the value as the former one; otherwise, it is that of the
    /// row.
    private static func isHidden(
        _ asset: Int64,
        after version: Int64,
        _ database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT coalesce(
                        (SELECT json_extract(oldValues, '$.isHidden') FROM journalEntry
                            WHERE kind = \(ObjectKind.asset.rawValue) AND objectId = ?1
                                AND version > ?2
                                AND json_extract(oldValues, '$.isHidden') IS NOT NULL
                            ORDER BY version, id LIMIT 1),
                        (SELECT isHidden FROM asset WHERE id = ?1), 1)
                    """
            ),
            arguments: [asset, version]
        ) ?? true
    }

    /// Returns whether an asset existed outside of Recently Deleted after a version.
    ///
    /// As for `isHidden`, the next entry that states it decides; a permanent deletion has no date
    /// of an asset that was not in Recently Deleted.
    private static func isPresent(
        _ asset: Int64,
        after version: Int64,
        _ database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT coalesce(
                        (SELECT coalesce(json_type(oldValues, '$.trashedDate'), 'null') = 'null'
                            FROM journalEntry
                            WHERE kind = \(ObjectKind.asset.rawValue) AND objectId = ?1
                                AND version > ?2
                                AND (change = \(JournalChange.delete.rawValue)
                                    OR json_type(oldValues, '$.trashedDate') IS NOT NULL)
                            ORDER BY version, id LIMIT 1),
                        (SELECT trashedDate IS NULL FROM asset WHERE id = ?1), 0)
                    """
            ),
            arguments: [asset, version]
        ) ?? false
    }

    /// Returns the UUID of an asset, even if the asset no longer exists.
    ///
    /// Used if a version has entries only for the resources of the asset.
    private static func assetUUID(_ id: Int64, _ database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT uuid FROM asset WHERE id = ?1 UNION ALL
                    SELECT uuid FROM tombstone WHERE kind = \(ObjectKind.asset.rawValue)
                        AND objectId = ?1
                    """
            ),
            arguments: [id]
        )
    }
}
