internal import Foundation
internal import GRDB
internal import PhotoModel

/// Prunes the journal up to its horizon: the earlier entries of each object become one insertion
/// with the resulting values and members.
///
/// 1. Works in slices, each a transaction. After each slice, baseline plus journal still yields the
///    rows.
/// 2. `historyStart` moves first, so that the journal is complete from there on.
/// 3. The entries of deleted objects are removed; their tombstones and the versions stay.
/// 4. An object with inconsistent entries is left unchanged for `verify` to report.
/// 5. Costs as much as the pruned entries: `prunedEntry` records the progress, and a collapsed
///    entry is read again only when another is merged into it.
struct HistoryPruning {
    static let entriesPerSlice = 500

    /// The database, used in an immediate transaction while the writer lock is held.
    let database: Database
    /// The maximum number of entries that a slice prunes, and the maximum number of versions by
    /// which a slice advances the start of the history.
    var limit = Self.entriesPerSlice

    /// Returns whether there is anything to prune.
    static func isDue(_ database: Database, before cutoff: Date) throws -> Bool {
        let start = try HistorySummary.start(database)
        if try target(database, start: start, cutoff: cutoff) > start { return true }
        // Ids grow with versions, so the next entry is the oldest.
        let next = try Int64.fetchOne(
            database,
            sql: "SELECT version FROM journalEntry WHERE id > ? ORDER BY id LIMIT 1",
            arguments: [LibrarySetting.prunedEntry.number(in: database) ?? 0]
        )
        return next.map { $0 <= start } ?? false
    }

    /// Prunes one slice of the entries committed up to a time.
    ///
    /// - Returns: Whether there may be more.
    func slice(before cutoff: Date) throws -> Bool {
        let start = try HistorySummary.start(database)
        let horizon = try Self.target(database, start: start, cutoff: cutoff)
        let target = min(horizon, start + Int64(limit))
        if target > start {
            try LibrarySetting.historyStart.set(String(target), in: database)
            try database.execute(
                sql: "DELETE FROM formerMoment WHERE version <= ?",
                arguments: [target]
            )
            try LibraryTransaction.discardFormerFiles(through: target, in: database)
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, version, kind, objectId FROM journalEntry WHERE id > ?
                ORDER BY id LIMIT \(limit)
                """,
            arguments: [LibrarySetting.prunedEntry.number(in: database) ?? 0]
        )
        let entries = rows.prefix { ($0[1] as Int64) <= target }
        guard let last = entries.last else { return target < horizon }
        var seen: Set<HistoryEffect.Key> = []
        for row in entries {
            guard let kind = ObjectKind(rawValue: row[2]) else { continue }
            let key = HistoryEffect.Key(kind: kind, id: row[3])
            if seen.insert(key).inserted { try collapse(key, through: target) }
        }
        try LibrarySetting.prunedEntry.set(String(last[0] as Int64), in: database)
        return entries.count == limit || target < horizon
    }

    /// Returns the version before the first one that was committed after `cutoff`; the current
    /// version if none was committed after it.
    private static func target(_ database: Database, start: Int64, cutoff: Date) throws -> Int64 {
        let young = try Int64.fetchOne(
            database,
            sql: """
                SELECT version FROM journalVersion WHERE version > ? AND time > ?
                ORDER BY version LIMIT 1
                """,
            arguments: [start, cutoff.timeIntervalSinceReferenceDate]
        )
        return try young.map { $0 - 1 } ?? JournalWriter.currentVersion(database)
    }

    private func collapse(_ key: HistoryEffect.Key, through target: Int64) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(JournalEntry.columns) FROM journalEntry
                    WHERE kind = ? AND objectId = ? AND version <= ? ORDER BY version, id
                    """
            ),
            arguments: [key.kind.rawValue, key.id, target]
        )
        if rows.count == 1, rows[0]["change"] == JournalChange.insert.rawValue { return }
        var object: JournaledObject?
        var first: Int64?
        var ids: [Int64] = []
        for row in rows {
            guard let entry = try? JournalEntry(row: row, in: database) else { return }
            let applied = JournaledObject.applying(entry, to: object)
            guard applied.follows else { return }
            object = applied.object
            if entry.change == .insert { first = entry.id }
            ids.append(entry.id)
        }
        if let object, let first {
            let names = JournalNames(database)
            var values = object.values.filter { $1 != .null && !key.kind.derived.contains($0) }
            try names.nameParent(in: &values)
            let sorted = values.sorted { $0.key < $1.key }
            try database.cachedStatement(
                sql: "UPDATE journalEntry SET newValues = ?, members = ? WHERE id = ?"
            ).execute(arguments: [
                JournalValue.encode(sorted.map { ($0.key, $0.value.databaseValue) }),
                object.members.insertion.text(naming: names), first,
            ])
        }
        let statement = try database.cachedStatement(sql: "DELETE FROM journalEntry WHERE id = ?")
        for id in ids where object == nil || id != first {
            try statement.execute(arguments: [id])
        }
    }
}
