internal import GRDB
internal import PhotoModel

/// Groups the timeline in one pass, and computes group starts, totals and overlaps with previous
/// groups.
///
/// Clusters and years begin with a moment, so their totals are the sums of their moments.
struct MomentTally {
    /// The previous groups of each level, in order.
    private(set) var rows: [MomentLevel: [MomentRow]] = [:]
    private var starts = MomentStarts()
    private var moments: [(start: TimelineKey, totals: MomentTotals)] = []
    private var overlaps: [MomentLevel: Overlaps] = [:]

    /// The weight, in a new group's shares, of an asset that was already in the previous group's
    /// range.
    ///
    /// An asset that came to the range has weight 1, so that a group all of whose assets got other
    /// dates still has an heir.
    private static let staying = 1 << 20

    /// Reads the timeline and the previous groups.
    init(_ database: Database) throws {
        for level in MomentLevel.allCases {
            let found = try MomentRow.all(level, database)
            rows[level] = found
            overlaps[level] = Overlaps(starts: found.map(\.start))
        }
        var counters = MomentLevel.allCases.compactMap { overlaps[$0] }
        let reader = try StatementReader(
            database,
            """
            SELECT time, latitude, longitude, date FROM timeline
            ORDER BY time, latitude, longitude
            """,
            []
        )
        var totals = MomentTotals()
        var place: MomentTotals.Place?
        while try reader.step() {
            let key = TimelineKey(reader)
            if starts.add(key) {
                if let last = moments.indices.last { moments[last].totals = totals }
                totals = MomentTotals()
                moments.append((key, totals))
            }
            if !key.hasPlace {
                place = nil
            } else if place?.isPlace(of: key) != true {
                place = MomentTotals.Place(key)
            }
            totals.add(place, date: reader.real(3))
            for index in counters.indices { counters[index].add(key, moment: moments.count - 1) }
        }
        if let last = moments.indices.last { moments[last].totals = totals }
        for (level, counter) in zip(MomentLevel.allCases, counters) { overlaps[level] = counter }
    }

    /// Returns the new groups of a level.
    ///
    /// A group is touched if assets were added to it, or if it overlaps a previous group from which
    /// assets were removed.
    func groups(_ level: MomentLevel, after changes: [MomentUpdater.Change]) -> [MomentSpan.Group] {
        var groups = (starts.keys[level] ?? []).map { MomentSpan.Group(start: $0) }
        // The start of a cluster may have been decided after later starts.
        groups.sort { $0.start < $1.start }
        var groupOfMoment: [Int] = []
        for moment in moments {
            var group = groupOfMoment.last ?? 0
            while group + 1 < groups.count, groups[group + 1].start <= moment.start { group += 1 }
            groupOfMoment.append(group)
            groups[group].totals.add(moment.totals)
        }
        for part in overlaps[level]?.parts ?? [] {
            groups[groupOfMoment[part.moment]].shares
                .add(part.count * Self.staying, ofRow: part.row)
        }
        let former = rows[level] ?? []
        var left: Set<Int> = []
        for change in changes {
            let (old, new) = (change.old?.key, change.new?.key)
            if let new {
                let group = groups.indexPast { $0.start <= new } - 1
                guard group >= 0 else { continue }
                groups[group].isTouched = true
                let row = former.indexPast { $0.start <= new } - 1
                if new != old, row >= 0 {
                    groups[group].shares.change(ofRow: row, by: 1 - Self.staying)
                }
            }
            if let old {
                let row = former.indexPast { $0.start <= old } - 1
                if row >= 0 { left.insert(row) }
            }
        }
        guard !left.isEmpty else { return groups }
        for index in groups.indices where groups[index].shares.hasRow(of: left) {
            groups[index].isTouched = true
        }
        return groups
    }

    /// The number of assets that each moment shares with each previous group of a level.
    private struct Overlaps {
        private(set) var parts: [(moment: Int, row: Int, count: Int)] = []
        private let starts: [TimelineKey]
        private var row = -1

        init(starts: [TimelineKey]) { self.starts = starts }

        mutating func add(_ key: TimelineKey, moment: Int) {
            while row + 1 < starts.count, starts[row + 1] <= key { row += 1 }
            guard row >= 0 else { return }
            if let last = parts.indices.last, parts[last].moment == moment, parts[last].row == row {
                parts[last].count += 1
            } else {
                parts.append((moment, row, 1))
            }
        }
    }
}
