internal import Foundation
package import GRDB
package import LibraryService
internal import PhotoModel

/// What the journal's versions did, as clients see it.
package enum HistorySummary {
    /// The oldest version after which all changes are in the journal.
    package static func start(_ database: Database) throws -> Int64 {
        try LibrarySetting.historyStart.number(in: database) ?? 0
    }

    /// What tells a version from others of its number; nil where there is no such version.
    package static func stamp(of version: Int64, _ database: Database) throws -> HistoryStamp? {
        try Double.fetchOne(
            database.cachedStatement(sql: "SELECT time FROM journalVersion WHERE version = ?"),
            arguments: [version]
        ).map { HistoryStamp(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    /// The versions after one up to another, oldest first, each with what it did to each object, all in
    /// all.
    ///
    /// Costs what is in them. Whether the journal reaches back so far is the caller's question: compare
    /// with `start`.
    ///
    /// - Parameters:
    ///   - database: A read transaction.
    ///   - since: The version before the first.
    ///   - through: The last version; nil for the present one.
    ///   - limit: How many versions at most.
    /// - Returns: The versions; one that changed nothing that clients see has no changes.
    /// - Throws: `corrupt` when an entry cannot be read.
    package static func versions(
        _ database: Database,
        since: Int64,
        through: Int64? = nil,
        limit: Int
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
            versions[index].changes = try changes(database, in: versions[index].version)
        }
        return versions
    }

    private static func changes(
        _ database: Database,
        in version: Int64
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
            let entry = try JournalEntry(row: row)
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
            guard let effect = effects[key],
                let uuid = try effect.uuid ?? assetUUID(key.id, database)
            else { return nil }
            return effect.change(of: key.kind, uuid: uuid)
        }
    }

    /// The asset that a resource's entry is about.
    private static func assetID(of entry: JournalEntry, _ database: Database) throws -> Int64? {
        if case .integer(let id)? = entry.new["assetId"] ?? entry.old["assetId"] { return id }
        return try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT assetId FROM resource WHERE id = ?"),
            arguments: [entry.objectID]
        )
    }

    /// The UUID of an asset of which only resources changed, also when it is gone by now.
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
