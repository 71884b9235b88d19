internal import GRDB
internal import PhotoModel

/// Moments and lists of moments as rows of `collection`, which they are not: so predicates and sort
/// keys of collections are answered for them as for all others.
enum MomentRows {
    /// All levels' rows, with the columns of `collection` and those that only moments have.
    ///
    /// What is not named in a statement costs nothing.
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

    /// The columns of `all`, for a row that is no moment.
    static let columnsOfOthers = """
        NULL AS level, NULL AS time, NULL AS latitude, NULL AS longitude, NULL AS placeCount,
        NULL AS x, NULL AS y, NULL AS z, '[]' AS locationNames
        """

    /// The place of the moment of a list that has the most placed assets, for the functions' arguments.
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

    /// Where the list after `g` begins.
    private static func next(_ column: String, orElse end: Int64) -> String {
        """
        coalesce((SELECT n.\(column) FROM moment AS n WHERE n.level = g.level
            AND (n.time, n.latitude, n.longitude) > (g.time, g.latitude, g.longitude)
            ORDER BY n.time, n.latitude, n.longitude LIMIT 1), \(end))
        """
    }
}

/// Where in the timeline a group is.
struct MomentRange: Hashable {
    var start: TimelineKey
    /// Where the next group begins; nil for none.
    var end: TimelineKey?

    /// The condition for rows with the timeline's columns, for a statement, and what is bound in it.
    func condition(of table: String) -> (sql: String, arguments: [DatabaseValue]) {
        let key = "(\(table).time, \(table).latitude, \(table).longitude)"
        guard let end else { return ("\(key) >= (?, ?, ?)", start.databaseValues) }
        return (
            "\(key) >= (?, ?, ?) AND \(key) < (?, ?, ?)",
            start.databaseValues + end.databaseValues
        )
    }
}

/// What a request about moments comes to in one state of the library.
enum MomentAnswer {
    case all
    case range(MomentRange)
    /// These groups, by their own ids.
    case groups([Int64])
}
