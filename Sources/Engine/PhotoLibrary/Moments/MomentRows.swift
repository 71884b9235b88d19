internal import GRDB
internal import PhotoModel

/// SQL that presents moments and moment lists as rows of `collection`.
///
/// Predicates and sort keys of collections therefore apply to them as to all other collections.
enum MomentRows {
    /// The rows of all levels, with the columns of `collection` and additional columns for moments.
    ///
    /// Columns that a statement does not use cost nothing.
    static let all = """
        SELECT -1000 - g.id AS id, g.uuid AS uuid, CASE g.level WHEN 1 THEN 5 ELSE 6 END AS kind,
            CASE WHEN g.level = 1
                THEN ph_moment_title(1, g.time, g.placeCount, g.x, g.y, g.z)
                ELSE ph_moment_title(g.level, g.time, \(main)) END AS title,
            NULL AS parentId, g.time AS position, 0.0 AS creationDate,
            0.0 AS modificationDate, g.assetCount AS assetCount, g.startDate AS startDate,
            g.endDate AS endDate, g.level AS level, g.time AS time, g.latitude AS latitude,
            g.longitude AS longitude, g.placeCount AS placeCount, g.x AS x, g.y AS y, g.z AS z,
            CASE WHEN g.level = 1 THEN ph_moment_names(g.placeCount, g.x, g.y, g.z)
                ELSE ph_moment_names(\(main)) END AS locationNames
        FROM moment AS g
        """

    /// The SQL constants (NULL, or an empty list) for the moment-specific columns of `all`, used in
    /// rows of collections that are neither moments nor moment lists.
    static let columnsOfOthers = """
        NULL AS level, NULL AS time, NULL AS latitude, NULL AS longitude, NULL AS placeCount,
        NULL AS x, NULL AS y, NULL AS z, '[]' AS locationNames
        """

    /// The SQL arguments for a moment list's place: the place of its moment with the most located
    /// assets.
    private static let main = ["placeCount", "x", "y", "z"].map { column in
        """
        (SELECT m.\(column) FROM moment AS m WHERE m.level = 1
            AND (m.time, m.latitude, m.longitude) >= (g.time, g.latitude, g.longitude)
            AND (m.time, m.latitude, m.longitude) < (
                \(next("time", orElse: Int64.max)), \(next("latitude", orElse: 0)),
                \(next("longitude", orElse: 0)))
            ORDER BY m.placeCount DESC, m.time LIMIT 1)
        """
    }.joined(separator: ", ")

    /// Returns SQL for one column of the start key of the next moment list, given the current list
    /// as the row `g` of the enclosing query.
    ///
    /// Its value is `end` if no list follows.
    private static func next(_ column: String, orElse end: Int64) -> String {
        """
        coalesce((SELECT n.\(column) FROM moment AS n WHERE n.level = g.level
            AND (n.time, n.latitude, n.longitude) > (g.time, g.latitude, g.longitude)
            ORDER BY n.time, n.latitude, n.longitude LIMIT 1), \(end))
        """
    }
}

/// The range that a moment or moment list occupies in the timeline.
struct MomentRange: Hashable {
    var start: TimelineKey
    /// The start of the next group; nil if there is none.
    var end: TimelineKey?

    /// Returns the SQL condition that selects the range's rows in a table with the timeline's
    /// columns, and its arguments.
    func condition(of table: String) -> (sql: String, arguments: [DatabaseValue]) {
        let key = "(\(table).time, \(table).latitude, \(table).longitude)"
        guard let end else { return ("\(key) >= (?, ?, ?)", start.databaseValues) }
        return (
            "\(key) >= (?, ?, ?) AND \(key) < (?, ?, ?)",
            start.databaseValues + end.databaseValues
        )
    }
}

/// The result of resolving a request for moments in one state of the library.
enum MomentAnswer {
    case all
    case range(MomentRange)
    /// The groups with these ids.
    case groups([Int64])
}
