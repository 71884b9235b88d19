internal import GRDB
internal import PhotoModel

/// Looks around in the timeline, the visible assets in the order of the clocks on the wall, and among
/// the groups in it.
///
/// Each look costs O(log n).
struct Timeline {
    let database: Database

    // MARK: - Assets

    /// The key before another at which there is an asset.
    func last(before key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM timeline
            WHERE (time, latitude, longitude) < (?, ?, ?)
            ORDER BY time DESC, latitude DESC, longitude DESC LIMIT 1
            """,
            key
        )
    }

    /// The key behind another at which there is an asset.
    func first(after key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM timeline
            WHERE (time, latitude, longitude) > (?, ?, ?)
            ORDER BY time, latitude, longitude LIMIT 1
            """,
            key
        )
    }

    /// The key before another at which there is an asset whose place is known.
    func lastPlace(before key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM timeline INDEXED BY timeline_place
            WHERE latitude < 1000.0 AND (time, latitude, longitude) < (?, ?, ?)
            ORDER BY time DESC, latitude DESC, longitude DESC LIMIT 1
            """,
            key
        )
    }

    /// The key from another on at which there is an asset whose place is known.
    func firstPlace(from key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM timeline INDEXED BY timeline_place
            WHERE latitude < 1000.0 AND (time, latitude, longitude) >= (?, ?, ?)
            ORDER BY time, latitude, longitude LIMIT 1
            """,
            key
        )
    }

    /// Whether there is an asset at a key.
    func hasAsset(at key: TimelineKey) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM timeline WHERE time = ? AND latitude = ? AND longitude = ?)
                """
        )
        return try Bool.fetchOne(statement, arguments: key.arguments) ?? false
    }

    /// The key of an asset of which these are the values.
    ///
    /// SQLite does the sums, as it did for the timeline.
    func key(
        wallTime: String?,
        creationDate: Double,
        latitude: Double?,
        longitude: Double?
    ) throws -> TimelineKey? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Schema.timelineKey("asset"))
                FROM (SELECT ? AS captureWallTime, ? AS creationDate, ? AS latitude,
                    ? AS longitude) AS asset
                """
        )
        let row = try Row.fetchOne(
            statement,
            arguments: [wallTime, creationDate, latitude, longitude]
        )
        return row.map { TimelineKey($0) }
    }

    /// The key of an asset in the timeline; nil when it is not there, or not visible, or has no date.
    func key(ofAsset uuid: String) throws -> TimelineKey? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Schema.timelineKey("asset")) FROM asset
                WHERE uuid = ? AND isVisible = 1 AND creationDate IS NOT NULL
                """
        )
        return try Row.fetchOne(statement, arguments: [uuid]).map { TimelineKey($0) }
    }

    // MARK: - Groups

    /// The row id of the moment that begins at a key.
    func moment(at key: TimelineKey) throws -> Int64? {
        try group(.moment, at: key)
    }

    /// The row id of the group that begins at a key.
    func group(_ level: MomentLevel, at key: TimelineKey) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id FROM moment
                WHERE level = ? AND time = ? AND latitude = ? AND longitude = ?
                """
        )
        return try Int64.fetchOne(
            statement,
            arguments: StatementArguments([level.rawValue.databaseValue] + key.databaseValues)
        )
    }

    /// Where the next group begins behind a key.
    func start(of level: MomentLevel, after key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM moment
            WHERE level = \(level.rawValue) AND (time, latitude, longitude) > (?, ?, ?)
            ORDER BY time, latitude, longitude LIMIT 1
            """,
            key
        )
    }

    /// Where the last group begins before a key.
    func start(of level: MomentLevel, before key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM moment
            WHERE level = \(level.rawValue) AND (time, latitude, longitude) < (?, ?, ?)
            ORDER BY time DESC, latitude DESC, longitude DESC LIMIT 1
            """,
            key
        )
    }

    /// Where the group begins that a key is in.
    func start(of level: MomentLevel, holding key: TimelineKey) throws -> TimelineKey? {
        try find(
            """
            SELECT time, latitude, longitude FROM moment
            WHERE level = \(level.rawValue) AND (time, latitude, longitude) <= (?, ?, ?)
            ORDER BY time DESC, latitude DESC, longitude DESC LIMIT 1
            """,
            key
        )
    }

    private func find(_ sql: String, _ key: TimelineKey) throws -> TimelineKey? {
        let statement = try database.cachedStatement(sql: sql)
        return try Row.fetchOne(statement, arguments: key.arguments).map { TimelineKey($0) }
    }
}
