internal import GRDB
internal import PhotoModel

/// Queries the timeline and its groups.
///
/// The timeline consists of the visible assets in the order of their local wall times. Each query
/// costs O(log n).
struct Timeline {
    let database: Database

    // MARK: - Assets

    /// Returns the key of the last asset before a given key.
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

    /// Returns the key of the first asset after a given key.
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

    /// Returns the key of the last located asset before a given key.
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

    /// Returns the key of the first located asset at or after a given key.
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

    /// Returns whether there is an asset at a key.
    func hasAsset(at key: TimelineKey) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM timeline WHERE time = ? AND latitude = ? AND longitude = ?)
                """
        )
        return try Bool.fetchOne(statement, arguments: key.arguments) ?? false
    }

    /// Returns the timeline key for an asset's values.
    ///
    /// SQLite computes it, as it did for the timeline.
    func key(
        wallTime: String?,
        creationDate: Double,
        latitude: Double?,
        longitude: Double?
    ) throws -> TimelineKey? {
        let key = try StatementReader(
            database,
            Self.keyOfValues,
            [wallTime, creationDate, latitude, longitude]
        )
        return try key.step() ? TimelineKey(key) : nil
    }

    private static let keyOfValues = """
        SELECT \(Schema.timelineKey("asset"))
        FROM (SELECT ? AS captureWallTime, ? AS creationDate, ? AS latitude, ? AS longitude)
            AS asset
        """

    /// Returns the key of an asset in the timeline; nil if the asset does not exist, is not visible
    /// or has no date.
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

    /// Returns the row id of the moment that begins at a key.
    func moment(at key: TimelineKey) throws -> Int64? {
        try group(.moment, at: key)
    }

    /// Returns the row id of the group of a level that begins at a key.
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

    /// Returns the start of the first group after a key.
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

    /// Returns the start of the last group before a key.
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

    /// Returns the start of the group that contains a key.
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
