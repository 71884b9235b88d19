internal import GRDB
internal import PhotoModel

/// The division of an export into pages, which bounds its memory.
///
/// A page ends after a version, so that a transaction is exported as a whole. Registers that a
/// later version changed again are exported with the page of that version.
extension CloudExporter {
    /// Finds the end of the page that follows a version.
    ///
    /// - Parameters:
    ///   - mark: The last version that was exported.
    ///   - entries: The number of journal entries after which the page ends with their version.
    /// - Returns: The last version of the page and its time; nil if all later changes are one page.
    /// - Throws: The errors of the database.
    func endOfPage(
        after mark: Int64,
        entries: Int
    ) throws -> (version: Int64, time: HybridTime)? {
        // The collections with new keys are exported at once.
        guard try !hasNewKeys(since: mark) else { return nil }
        let version = try Int64.fetchOne(
            database,
            sql: """
                SELECT version FROM journalEntry WHERE version > ? ORDER BY version
                LIMIT 1 OFFSET ?
                """,
            arguments: [mark, entries - 1]
        )
        guard let version else { return nil }
        let time = try time(of: version)
        guard time > .zero else { return nil }
        return (version, time)
    }

    /// Returns the time of a version; zero if it has none.
    func time(of version: Int64) throws -> HybridTime {
        let time = try Int64.fetchOne(
            database,
            sql: "SELECT hlc FROM journalVersion WHERE version = ?",
            arguments: [version]
        )
        return HybridTime(rawValue: UInt64(clamping: time ?? 0))
    }

    /// Returns whether a folder ran out of order keys after a version, so that collections that no
    /// journal entry names have new keys.
    func hasNewKeys(since mark: Int64) throws -> Bool {
        try LibrarySetting.cloudRekeyed.number(in: database) ?? 0 > mark
    }

    /// Returns whether an album ran out of order keys after a version, so that members that no
    /// journal entry names have new keys.
    func hasNewMemberKeys(since mark: Int64) throws -> Bool {
        try LibrarySetting.cloudRekeyedMembers.number(in: database) ?? 0 > mark
    }

    /// Returns whether all objects are exported: at first, if such an export was begun, and if the
    /// journal was pruned beyond the last export.
    static func isWhole(
        after mark: Int64,
        _ begun: (through: Int64, object: String)?,
        in database: Database
    ) throws -> Bool {
        try begun != nil || mark == 0 || HistorySummary.start(database) > mark
    }

    /// Returns whether an export of all objects was begun, or is the next export.
    static func isWhole(in database: Database) throws -> Bool {
        let mark = try LibrarySetting.cloudExported.number(in: database) ?? 0
        return try isWhole(after: mark, progress(in: database), in: database)
    }

    /// Returns the progress of an unfinished export of all objects; nil if there is none.
    static func progress(in database: Database) throws -> (through: Int64, object: String)? {
        guard let text = try LibrarySetting.cloudExporting.value(in: database) else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let through = Int64(parts[0]) else { return nil }
        return (through, String(parts[1]))
    }

    /// Returns the number of changes that were not exported.
    ///
    /// If all objects are exported, each remaining object counts as one change, also those in which
    /// only other devices changed something. A twin that is shown has both stamps and pending
    /// operations, and counts once. Otherwise, each version made here counts as one.
    func remainingCount() throws -> Int {
        let mark = try LibrarySetting.cloudExported.number(in: database) ?? 0
        let begun = try Self.progress(in: database)
        guard try Self.isWhole(after: mark, begun, in: database) else {
            return try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM journalVersion WHERE version > ? AND origin IS NULL",
                arguments: [mark]
            ) ?? 0
        }
        return try Int.fetchOne(
            database,
            sql: """
                SELECT (SELECT count(*) FROM cloudStamp
                        WHERE kind = \(CloudStampTable.Kind.asset.rawValue) AND uuid > ?1)
                    + (SELECT count(*) FROM cloudStamp
                        WHERE kind = \(CloudStampTable.Kind.collection.rawValue) AND uuid > ?1)
                    + (SELECT count(DISTINCT uuid) FROM cloudPending
                        WHERE uuid > ?1 AND NOT EXISTS (SELECT 1 FROM cloudStamp
                            WHERE cloudStamp.uuid = cloudPending.uuid
                                AND kind IN (\(CloudStampTable.Kind.asset.rawValue),
                                    \(CloudStampTable.Kind.collection.rawValue))))
                """,
            arguments: [begun?.object ?? ""]
        ) ?? 0
    }
}
