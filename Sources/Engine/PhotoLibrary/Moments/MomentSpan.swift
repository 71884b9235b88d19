internal import GRDB
internal import PhotoModel

/// Neighbouring groups of one level that are settled together, and what happened among them.
struct MomentSpan {
    /// What happened at a key.
    struct Event {
        /// Whether a group begins there, which did not before, or no longer does; nil: as before.
        var begins: Bool?
        /// Dates of assets that came.
        var added: [Double] = []
        /// Dates of assets that went.
        var removed: [Double] = []
    }

    /// A group as it will be.
    struct Group {
        var start: TimelineKey
        var totals = MomentTotals()
        /// By the place of an earlier group in `rows`, how many of its assets are here.
        var shares: [Int: Int] = [:]
        /// Whether something happened in it.
        var isTouched = false

        init(start: TimelineKey) { self.start = start }
    }

    /// The groups that there were, in order.
    var rows: [MomentRow] = []
    /// Where the groups begin that there will be, in order.
    var starts: [TimelineKey] = []
    /// Where the first group begins that is not in the span; nil for none.
    private(set) var end: TimelineKey?
    private(set) var events: [(key: TimelineKey, event: Event)] = []

    var isEmpty: Bool { rows.isEmpty && starts.isEmpty }

    /// Takes what happened at the next key, and the group that it happened in; false when that is no
    /// neighbour of what the span has.
    mutating func takes(
        _ key: TimelineKey,
        _ event: Event,
        _ level: MomentLevel,
        _ timeline: Timeline
    ) throws -> Bool {
        let isFirst = events.isEmpty
        if isFirst {
            // A group that begins no longer becomes part of the one before it.
            let start =
                event.begins == false
                ? try timeline.start(of: level, before: key)
                : try timeline.start(of: level, holding: key)
            if let start { try takeRow(at: start, level, timeline) }
            if start == nil { end = try timeline.start(of: level, after: key, orAt: true) }
        } else if let end, end <= key, event.begins != false || end != key {
            return false
        }
        // A group in the span may begin at the key itself, and be the next.
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

    /// Which of the groups that there will be a key is in; nil for a key before all of them.
    func group(of key: TimelineKey) -> Int? {
        let next = starts.indexPast({ $0 <= key })
        return next == 0 ? nil : next - 1
    }

    /// Which of the earlier groups a key was in; nil for a key before all of them.
    func row(of key: TimelineKey) -> Int? {
        let next = rows.indexPast({ $0.start <= key })
        return next == 0 ? nil : next - 1
    }

    /// The earlier groups of which every asset went, or is elsewhere in time or place.
    var vanished: Set<Int> {
        var removed: [Int: Int] = [:]
        for (key, event) in events where !event.removed.isEmpty {
            if let row = row(of: key) { removed[row, default: 0] += event.removed.count }
        }
        return Set(removed.filter { rows[$0].totals.count <= $1 }.keys)
    }

    /// Which new group takes the place of one that vanished: the first one that begins in its range, or
    /// the new one that its range is in.
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

    /// The parts of earlier groups that come to be in groups of their own: from where to where, and what
    /// came there.
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

    /// Which group keeps which row: each that of which it has most, the largest shares first.
    static func owners(of groups: [Group]) -> [Int: Int] {
        let shares = groups.enumerated().flatMap { index, group in
            group.shares.map { (row: $0.key, group: index, count: $0.value) }
        }
        var owners: [Int: Int] = [:]
        var taken: Set<Int> = []
        for share in shares.sorted(by: {
            ($1.count, $0.row, $0.group) < ($0.count, $1.row, $1.group)
        })
        where share.count > 0 && owners[share.row] == nil && !taken.contains(share.group) {
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
