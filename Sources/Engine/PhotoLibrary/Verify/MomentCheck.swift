internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Checks that the timeline, moments, clusters and years match the assets.
///
/// A repair rebuilds all of these; moments keep their identifiers where possible.
struct MomentCheck {
    let store: LibraryStore

    func slice(repairs: Bool) throws -> Verifier.Slice {
        let wrong = try store.read { database in
            if try Self.isTimelineWrong(database) { return true }
            // While very many assets arrive, they are grouped later.
            return try LibraryTransaction.areMomentsGrouped(database)
                && Self.areGroupsWrong(database)
        }
        var slice = Verifier.Slice()
        guard wrong else { return slice }
        let isRepaired = repairs && store.readOnlyReason == nil
        if isRepaired { try store.alone { try LibraryTransaction.rebuildMoments($0) } }
        slice.findings = [
            Finding(
                .damage,
                kind: "wrongMoments",
                message: "The moments do not match their photos.",
                advice: isRepaired ? "They were rebuilt." : "Run photos verify --repair.",
                isRepaired: isRepaired
            )
        ]
        return slice
    }

    private static func isTimelineWrong(_ database: Database) throws -> Bool {
        let counts = try Row.fetchOne(
            database,
            sql: """
                SELECT (SELECT count(*) FROM timeline),
                    (SELECT count(*) FROM asset WHERE isVisible = 1 AND creationDate IS NOT NULL),
                    EXISTS (\(Schema.timelineRows) EXCEPT SELECT * FROM timeline)
                """
        )
        guard let counts else { return true }
        return (counts[0] as Int) != counts[1] || counts[2]
    }

    /// Indicates whether the stored groups differ from those that are recomputed from the timeline.
    private static func areGroupsWrong(_ database: Database) throws -> Bool {
        var starts = MomentStarts()
        let keys = try Row.fetchCursor(
            database,
            sql: "SELECT time, latitude, longitude FROM timeline ORDER BY 1, 2, 3"
        )
        while let row = try keys.next() { starts.add(TimelineKey(row)) }
        for level in MomentLevel.allCases {
            let found = try MomentRow.all(level, database)
            var right = (starts.keys[level] ?? []).map { ($0, MomentTotals()) }
            guard found.map(\.start) == right.map(\.0) else { return true }
            guard !right.isEmpty else { continue }
            var group = -1
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT time, latitude, longitude, date FROM timeline ORDER BY 1, 2, 3"
            )
            while let row = try rows.next() {
                let key = TimelineKey(row)
                while group + 1 < right.count, right[group + 1].0 <= key { group += 1 }
                right[group].1.add(key, date: row[3])
            }
            guard found.map(\.totals) == right.map(\.1) else { return true }
        }
        return false
    }
}
