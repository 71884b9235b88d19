internal import GRDB
internal import PhotoModel

/// A run of neighboring groups of one level that are updated together, with the changes in its
/// range.
struct MomentSpan {
    /// The changes at a key.
    struct Event {
        /// Indicates whether a group now begins at the key (true) or no longer begins there
        /// (false); nil if unchanged.
        var begins: Bool?
        /// The dates of added assets.
        var added: [Double] = []
        /// The dates of removed assets.
        var removed: [Double] = []
    }

    /// A group after the update.
    struct Group {
        var start: TimelineKey
        var totals = MomentTotals()
        /// The number of assets that came from each previous group, keyed by index in `rows`.
        var shares = Shares()
        /// Indicates whether an event concerns the group.
        var isTouched = false

        init(start: TimelineKey) { self.start = start }
    }

    /// Counts a group's assets by the previous group they came from.
    ///
    /// Usually there is only one such group.
    struct Shares {
        private(set) var parts: [(row: Int, count: Int)] = []

        /// Increases the count of assets that came from a previous group.
        mutating func add(_ count: Int, ofRow row: Int) {
            if !change(ofRow: row, by: count) { parts.append((row, count)) }
        }

        /// Changes the count of assets that came from a previous group, if that group has a count.
        ///
        /// - Returns: Whether there is a count for that group.
        @discardableResult
        mutating func change(ofRow row: Int, by count: Int) -> Bool {
            guard let index = parts.lastIndex(where: { $0.row == row }) else { return false }
            parts[index].count += count
            return true
        }

        mutating func set(_ count: Int, ofRow row: Int) {
            parts.removeAll { $0.row == row }
            parts.append((row, count))
        }

        /// Returns whether any of the assets are from one of the given previous groups.
        func hasRow(of rows: Set<Int>) -> Bool { parts.contains { rows.contains($0.row) } }
    }

    /// The previous groups in order.
    var rows: [MomentRow] = []
    /// The starts of the new groups in order.
    var starts: [TimelineKey] = []
    /// The start of the first group after the span; nil if there is none.
    private(set) var end: TimelineKey?
    private(set) var events: [(key: TimelineKey, event: Event)] = []

    var isEmpty: Bool { rows.isEmpty && starts.isEmpty }

    /// Adds an event and the group that contains its key; returns false if the key is not adjacent
    /// to the span.
    mutating func takes(
        _ key: TimelineKey,
        _ event: Event,
        _ level: MomentLevel,
        _ timeline: Timeline
    ) throws -> Bool {
        let isFirst = events.isEmpty
        if isFirst {
            // A group that no longer begins becomes part of the preceding one.
            let start =
                event.begins == false
                ? try timeline.start(of: level, before: key)
                : try timeline.start(of: level, holding: key)
            if let start { try takeRow(at: start, level, timeline) }
            if start == nil { end = try timeline.start(of: level, after: key, orAt: true) }
        } else if let end, end <= key, event.begins != false || end != key {
            return false
        }
        // A group may begin at the key itself and then follows in the span.
        while let next = end, next <= key { try takeRow(at: next, level, timeline) }
        switch event.begins {
        case true?:
            starts.append(key)
            starts.sort()
        case false?: starts.removeAll { $0 == key }
        case nil: break
        }
        events.append((key, event))
        return true
    }

    private mutating func takeRow(
        at start: TimelineKey,
        _ level: MomentLevel,
        _ timeline: Timeline
    ) throws {
        guard let row = try timeline.row(level, at: start) else {
            end = try timeline.start(of: level, after: start)
            return
        }
        rows.append(row)
        starts.append(start)
        end = try timeline.start(of: level, after: start)
    }

    /// Returns the index of the new group that contains a key; nil for a key before all groups.
    func group(of key: TimelineKey) -> Int? {
        let next = starts.indexPast({ $0 <= key })
        return next == 0 ? nil : next - 1
    }

    /// Returns the index of the previous group that contained a key; nil for a key before all
    /// groups.
    func row(of key: TimelineKey) -> Int? {
        let next = rows.indexPast({ $0.start <= key })
        return next == 0 ? nil : next - 1
    }

    /// The indexes of previous groups whose assets were all removed or now have other times or
    /// locations.
    var vanished: Set<Int> {
        var removed: [Int: Int] = [:]
        for (key, event) in events where !event.removed.isEmpty {
            if let row = row(of: key) { removed[row, default: 0] += event.removed.count }
        }
        return Set(removed.filter { rows[$0].totals.count <= $1 }.keys)
    }

    /// Returns the index of the new group that takes the place of a vanished group.
    ///
    /// That is the first group that begins in its range, or else the group that contains its start.
    /// Groups at another previous start are excluded.
    func heir(ofRow row: Int) -> Int? {
        let end = row + 1 < rows.count ? rows[row + 1].start : self.end
        let old = Set(rows.map(\.start))
        let first = starts.firstIndex { start in
            start >= rows[row].start && end.map { start < $0 } ?? true
        }
        return [first, group(of: rows[row].start)].compactMap(\.self).first {
            starts[$0] == rows[row].start || !old.contains(starts[$0])
        }
    }

    /// The parts of previous groups that become separate groups, with their ranges and the numbers
    /// of added and removed assets in each.
    var divisions: [(start: TimelineKey, end: TimelineKey?, added: Int, removed: Int)] {
        starts.compactMap { start in
            guard let row = rows.lastIndex(where: { $0.start <= start }), rows[row].start != start
            else { return nil }
            let end = row + 1 < rows.count ? rows[row + 1].start : self.end
            let inside = events.filter { event in
                event.key >= start && end.map { event.key < $0 } ?? true
            }
            return (
                start, end, inside.reduce(0) { $0 + $1.event.added.count },
                inside.reduce(0) { $0 + $1.event.removed.count }
            )
        }
    }

    /// Assigns each previous group to the new group that contains most of its assets.
    ///
    /// The largest shares are assigned first.
    ///
    /// - Returns: For each row, the index of its group; nil for a row of no group.
    static func owners(of groups: [Group], rowCount: Int) -> [Int?] {
        var claims = [Int](repeating: 0, count: rowCount)
        for group in groups {
            for part in group.shares.parts where part.count > 0 { claims[part.row] += 1 }
        }
        var owners = [Int?](repeating: nil, count: rowCount)
        var disputed: [(row: Int, group: Int, count: Int)] = []
        for (index, group) in groups.enumerated() {
            let parts = group.shares.parts.filter { $0.count > 0 }
            if parts.count == 1, claims[parts[0].row] == 1 {
                // Most groups remain as they are.
                owners[parts[0].row] = index
            } else {
                disputed += parts.map { ($0.row, index, $0.count) }
            }
        }
        var taken: Set<Int> = []
        for share in disputed.sorted(by: {
            ($1.count, $0.row, $0.group) < ($0.count, $1.row, $1.group)
        })
        where owners[share.row] == nil && !taken.contains(share.group) {
            owners[share.row] = share.group
            taken.insert(share.group)
        }
        return owners
    }
}

extension Timeline {
    fileprivate func row(_ level: MomentLevel, at key: TimelineKey) throws -> MomentRow? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(MomentRow.columns) FROM moment
                WHERE level = ? AND time = ? AND latitude = ? AND longitude = ?
                """
        )
        let arguments = StatementArguments([level.rawValue.databaseValue] + key.databaseValues)
        return try Row.fetchOne(statement, arguments: arguments).map { MomentRow($0) }
    }

    fileprivate func start(
        of level: MomentLevel,
        after key: TimelineKey,
        orAt isIncluded: Bool
    ) throws -> TimelineKey? {
        if isIncluded, try group(level, at: key) != nil { return key }
        return try start(of: level, after: key)
    }
}
