internal import Foundation
internal import GRDB
internal import PhotoModel

/// Updates moments, clusters and years when assets are added, removed or changed.
///
/// 1. The timeline is already up to date; the rows of the groups are not.
/// 2. A group can begin or stop beginning only at a few keys near a changed asset, so only those
///    are examined, regardless of the library's size.
/// 3. A run of groups adjacent to such keys is updated together. If groups only grew, shrank or
///    merged, totals are computed from the rows and the changes. If a group was divided, its assets
///    are counted.
/// 4. A group's row, and so its identifier, passes to the new group with most of its assets.
struct MomentUpdater {
    /// The addition, removal or change of one asset.
    struct Change {
        var old: Entry?
        var new: Entry?
    }

    /// The position of an asset in the timeline, and its date.
    struct Entry {
        var key: TimelineKey
        var date: Double
    }

    let database: Database
    /// The library version to assign to changed groups.
    let version: Int64
    private let timeline: Timeline
    private let rule: MomentRule

    init(database: Database, version: Int64) {
        self.database = database
        self.version = version
        timeline = Timeline(database: database)
        rule = MomentRule(timeline: timeline)
    }

    /// Updates all levels after changes of some assets.
    func update(_ changes: [Change]) throws {
        let keys = Set(changes.flatMap { [$0.old?.key, $0.new?.key].compactMap(\.self) })
        let near = try neighbours(of: keys)
        let moments = try apply(.moment, changes, at: near)
        var starts = near
        for key in near.union(moments) {
            if let start = try timeline.start(of: .moment, holding: key) { starts.insert(start) }
        }
        for key in moments {
            if let start = try timeline.start(of: .moment, before: key) { starts.insert(start) }
        }
        _ = try apply(.cluster, changes, at: starts)
        _ = try apply(.year, changes, at: near)
    }

    /// Regroups all assets; groups keep their identifiers where possible.
    ///
    /// A group is touched if a change concerns it or if it differs from before.
    func rebuild(after changes: [Change] = []) throws {
        let tally = try MomentTally(database)
        for level in MomentLevel.allCases {
            try write(
                tally.groups(level, after: changes),
                over: tally.rows[level] ?? [],
                level
            )
        }
    }

    /// Returns the keys at which a moment or year may start, or may no longer start, after changes
    /// at the given keys.
    private func neighbours(of keys: Set<TimelineKey>) throws -> Set<TimelineKey> {
        var near = keys
        for key in keys {
            if let next = try timeline.first(after: key) {
                near.insert(next)
                // Usually the next asset has a location as well.
                if !next.hasPlace, key.hasPlace, let place = try timeline.firstPlace(from: next) {
                    near.insert(place)
                }
            }
        }
        return near
    }

    // MARK: - One level

    /// Updates the groups of a level.
    ///
    /// - Parameters:
    ///   - level: The level; all levels before it are up to date.
    ///   - changes: The changes of assets.
    ///   - candidates: The keys at which groups can begin or stop beginning.
    /// - Returns: The keys at which groups now begin or no longer begin.
    /// - Throws: SQLite's error.
    private func apply(
        _ level: MomentLevel,
        _ changes: [Change],
        at candidates: Set<TimelineKey>
    ) throws -> Set<TimelineKey> {
        var flipped: [TimelineKey: Bool] = [:]
        for key in candidates {
            let was = try timeline.group(level, at: key) != nil
            let begins = try timeline.hasAsset(at: key) && rule.begins(level, at: key)
            if was != begins { flipped[key] = begins }
        }
        var events: [TimelineKey: MomentSpan.Event] = [:]
        for (key, begins) in flipped { events[key, default: .init()].begins = begins }
        for change in changes {
            if let old = change.old { events[old.key, default: .init()].removed.append(old.date) }
            if let new = change.new { events[new.key, default: .init()].added.append(new.date) }
        }
        var span = MomentSpan()
        for (key, event) in events.sorted(by: { $0.key < $1.key }) {
            if try !span.takes(key, event, level, timeline) {
                try write(span, level)
                span = MomentSpan()
                _ = try span.takes(key, event, level, timeline)
            }
        }
        try write(span, level)
        return Set(flipped.keys)
    }

    /// Writes the groups of a span.
    private func write(_ span: MomentSpan, _ level: MomentLevel) throws {
        guard !span.isEmpty else { return }
        try write(isDivided(span) ? counted(span) : summed(span), over: span.rows, level)
    }

    /// Replaces the stored groups with new groups.
    private func write(
        _ groups: [MomentSpan.Group],
        over rows: [MomentRow],
        _ level: MomentLevel
    ) throws {
        let owners = MomentSpan.owners(of: groups, rowCount: rows.count)
        var kept = [Int?](repeating: nil, count: groups.count)
        for (row, group) in owners.enumerated() {
            if let group { kept[group] = row } else { try remove(rows[row]) }
        }
        for (index, group) in groups.enumerated() {
            guard let row = kept[index].map({ rows[$0] }) else {
                try insert(group, level)
                continue
            }
            if group.isTouched || row.start != group.start || row.totals != group.totals {
                try update(row, to: group)
            }
        }
    }

    /// Returns whether the assets of any previous group are now split among different groups.
    private func isDivided(_ span: MomentSpan) throws -> Bool {
        for part in span.divisions {
            if part.removed > 0 { return true }
            var count = 0
            try walk(from: part.start, to: part.end) { _, _ in count += 1 }
            if count > part.added { return true }
        }
        return false
    }

    /// Returns the new groups of a span, with totals computed from the rows of the previous groups
    /// and the changes.
    ///
    /// Requires that no previous group is divided; see `counted(_:)` for the other case.
    private func summed(_ span: MomentSpan) throws -> [MomentSpan.Group] {
        var groups = span.starts.map { MomentSpan.Group(start: $0) }
        let vanished = span.vanished
        for (index, row) in span.rows.enumerated() {
            guard !vanished.contains(index) else {
                if let heir = span.heir(ofRow: index) {
                    groups[heir].shares.set(row.totals.count, ofRow: index)
                }
                continue
            }
            guard let group = span.group(of: row.start) ?? span.starts.indices.first else {
                continue
            }
            groups[group].totals.add(row.totals)
            groups[group].shares.set(row.totals.count, ofRow: index)
            if groups[group].totals.count > row.totals.count { groups[group].isTouched = true }
        }
        var unknown: Set<Int> = []
        for (key, event) in span.events {
            guard let group = span.group(of: key) ?? span.starts.indices.first else { continue }
            for date in event.added {
                groups[group].totals.add(key, date: date)
                groups[group].isTouched = true
            }
            if let row = span.row(of: key), vanished.contains(row) { continue }
            for date in event.removed {
                if !groups[group].totals.remove(key, date: date) { unknown.insert(group) }
                groups[group].isTouched = true
            }
        }
        for index in unknown {
            let end = index + 1 < span.starts.count ? span.starts[index + 1] : span.end
            (groups[index].totals.startDate, groups[index].totals.endDate) = try dates(
                from: groups[index].start,
                to: end
            )
        }
        return groups
    }

    /// Returns the new groups of a span, with totals counted from the timeline.
    private func counted(_ span: MomentSpan) throws -> [MomentSpan.Group] {
        var groups = span.starts.map { MomentSpan.Group(start: $0) }
        guard let first = span.starts.first else { return groups }
        var (group, row) = (-1, -1)
        try walk(from: first, to: span.end) { key, date in
            while group + 1 < span.starts.count, span.starts[group + 1] <= key { group += 1 }
            while row + 1 < span.rows.count, span.rows[row + 1].start <= key { row += 1 }
            groups[group].totals.add(key, date: date)
            if row >= 0 { groups[group].shares.add(1, ofRow: row) }
        }
        var left: Set<Int> = []
        for (key, event) in span.events {
            if !event.added.isEmpty, let group = span.group(of: key) {
                groups[group].isTouched = true
            }
            if !event.removed.isEmpty, let row = span.row(of: key) { left.insert(row) }
        }
        guard !left.isEmpty else { return groups }
        for index in groups.indices where groups[index].shares.hasRow(of: left) {
            groups[index].isTouched = true
        }
        return groups
    }

    private func walk(
        from start: TimelineKey,
        to end: TimelineKey?,
        _ body: (TimelineKey, Double) -> Void
    ) throws {
        let limit = end == nil ? "" : "AND (time, latitude, longitude) < (?4, ?5, ?6)"
        let sql = """
            SELECT time, latitude, longitude, date FROM timeline
            WHERE (time, latitude, longitude) >= (?1, ?2, ?3) \(limit)
            ORDER BY time, latitude, longitude
            """
        let reader = try StatementReader(
            database,
            sql,
            start.arguments + (end?.arguments ?? [])
        )
        while try reader.step() { body(TimelineKey(reader), reader.real(3)) }
    }

    private func dates(
        from start: TimelineKey,
        to end: TimelineKey?
    ) throws -> (start: Double, end: Double) {
        var totals = MomentTotals()
        try walk(from: start, to: end) { totals.add($0, date: $1) }
        return (totals.startDate, totals.endDate)
    }

    // MARK: - Rows

    private func insert(_ group: MomentSpan.Group, _ level: MomentLevel) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO moment (uuid, version, time, latitude, longitude, assetCount, startDate,
                    endDate, placeCount, x, y, z, level)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        statement.setUncheckedArguments(
            StatementArguments(
                [UUID().uuidString.databaseValue] + values(group) + [level.rawValue.databaseValue]
            )
        )
        try statement.execute()
    }

    private func update(_ row: MomentRow, to group: MomentSpan.Group) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE moment SET version = ?, time = ?, latitude = ?, longitude = ?,
                    assetCount = ?, startDate = ?, endDate = ?, placeCount = ?, x = ?, y = ?, z = ?
                WHERE id = ?
                """
        )
        statement.setUncheckedArguments(
            StatementArguments(values(group) + [row.id.databaseValue])
        )
        try statement.execute()
    }

    private func values(_ group: MomentSpan.Group) -> [DatabaseValue] {
        let totals = group.totals
        return [version.databaseValue] + group.start.databaseValues + [
            totals.count.databaseValue, totals.startDate.databaseValue,
            totals.endDate.databaseValue, totals.placeCount.databaseValue,
            totals.x.databaseValue, totals.y.databaseValue, totals.z.databaseValue,
        ]
    }

    private func remove(_ row: MomentRow) throws {
        try database.cachedStatement(sql: "DELETE FROM moment WHERE id = ?")
            .execute(arguments: [row.id])
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO formerMoment (id, version) VALUES (?, ?)"
        ).execute(arguments: [row.id, version])
    }
}

extension MomentRow {
    /// Returns the groups of a level in order.
    static func all(_ level: MomentLevel, _ database: Database) throws -> [MomentRow] {
        let reader = try StatementReader(
            database,
            "SELECT \(columns) FROM moment WHERE level = ? ORDER BY time, latitude, longitude",
            [level.rawValue]
        )
        var rows: [MomentRow] = []
        while try reader.step() { rows.append(MomentRow(reader)) }
        return rows
    }
}
