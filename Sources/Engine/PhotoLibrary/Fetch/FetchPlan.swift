internal import GRDB
internal import LibraryService
internal import PhotoModel

/// A term of a sort order.
struct SortTerm: Hashable {
    /// A column or an expression over columns of the row.
    var sql: String
    var isAscending = true
}

/// A fetch request as SQL: statements that select all row ids in order, find the matches among
/// given row ids, and compare two rows.
///
/// All three are built from the same parts, so they agree. `AssetVisibility` defines the visible
/// assets. `FetchPlan+Assets.swift` and `FetchPlan+Collections.swift` are the only places that
/// apply a client's access to a fetch.
struct FetchPlan {
    /// The table, `asset` or `collection`.
    let table: String
    /// The SQL source, in the FROM clause, of the statement for all rows.
    var source: String
    var sourceArguments: [DatabaseValue] = []
    var conditions: [String] = []
    var arguments: [DatabaseValue] = []
    /// The sort order; the row id breaks ties.
    var order: [SortTerm] = []
    /// The maximum number of rows; 0 for no limit.
    var limit = 0
    /// The UUID of the album whose members are fetched; nil for a smart album, which has no stored
    /// members.
    var album: String?
    /// The first day of Recently Added; 0 if the result does not depend on it.
    var firstRecentDay: Int64 = 0
    /// Indicates whether a row's own values, including its album membership, determine its presence
    /// and position in the result.
    ///
    /// If not, the result can only be fetched again as a whole.
    var isIncremental = true

    /// Restricts the plan to the rows that match the values of a JSON list.
    ///
    /// Each row is fetched once; the column `place` has the index of its value in the list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - condition: The condition that matches a row of `table` with a value, which is named
    ///     `wanted`.
    ///   - wanted: The expression for that value of the list's `value`.
    ///   - rows: A source with the name of `table`; nil for the table itself.
    ///   - rowArguments: The arguments of `rows`.
    mutating func fetch(
        listed list: String,
        where condition: String,
        as wanted: String = "value",
        in rows: String? = nil,
        _ rowArguments: [DatabaseValue] = []
    ) {
        source =
            "(SELECT \(wanted) AS wanted, min(key) AS place FROM json_each(?) GROUP BY 1)"
            + " JOIN \(rows ?? table) ON \(condition)"
        sourceArguments = [list.databaseValue] + rowArguments
        // The request determines a row's position.
        isIncremental = false
    }

    // MARK: - All rows

    /// The statement that selects all row ids in order.
    var sql: String {
        let all = "SELECT \(table).id FROM \(source)" + filter + " ORDER BY " + orderSQL
        return limit > 0 ? all + " LIMIT ?" : all
    }

    /// The arguments of `sql`.
    var allArguments: StatementArguments {
        StatementArguments(
            sourceArguments + arguments + (limit > 0 ? [limit.databaseValue] : [])
        )
    }

    private var filter: String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    /// The sort keys, followed by the row id in the direction of the last key, so that one index
    /// serves both directions.
    private var orderSQL: String {
        (order + [idTerm]).map { $0.sql + ($0.isAscending ? "" : " DESC") }
            .joined(separator: ", ")
    }

    private var idTerm: SortTerm {
        // The membership's column lets its index serve the album's own order.
        SortTerm(
            sql: album == nil ? table + ".id" : "member.assetId",
            isAscending: order.last?.isAscending ?? true
        )
    }

    // MARK: - Some rows

    /// The statement that selects the given row ids that are in the result, in order and without a
    /// limit.
    ///
    /// Its first argument is the ids as a JSON list. SQLite treats the left side of CROSS JOIN as
    /// the outer loop, so it never scans an index of all rows.
    var matchingSQL: String {
        let some = "SELECT \(table).id FROM json_each(?) AS touched CROSS JOIN "
        let rows =
            album == nil
            ? "\(table) ON \(table).id = touched.value"
            : "albumAsset AS member ON member.assetId = touched.value"
                + " CROSS JOIN asset ON asset.id = member.assetId"
        return some + rows + filter + " ORDER BY " + orderSQL
    }

    /// Returns the arguments of `matchingSQL`.
    func matchingArguments(_ ids: some Sequence<Int64>) -> StatementArguments {
        StatementArguments([Self.list(ids).databaseValue] + arguments)
    }

    static func list(_ ids: some Sequence<Int64>) -> String {
        "[" + ids.lazy.map(String.init).joined(separator: ",") + "]"
    }

    // MARK: - Two rows

    /// The statement that selects the sort values of one row.
    ///
    /// `?1` is the row id and `?2` the album's row id, if there is an album.
    var sortValuesSQL: String {
        "SELECT " + (order + [idTerm]).map(\.sql).joined(separator: ", ") + " FROM " + oneRow
    }

    /// The number of arguments of `comparisonSQL` before the sort values.
    static let fixedArguments = 2

    /// The statement that tests whether a row sorts before another.
    ///
    /// `?1` and `?2` are as in `sortValuesSQL`; the sort values of the other row follow. NULL is
    /// less than all values, as in ORDER BY, and the operators use the columns' collations, as
    /// ORDER BY does.
    var comparisonSQL: String {
        let terms = (order + [idTerm]).enumerated().map { index, term in
            let value = "?\(index + 1 + Self.fixedArguments)"
            let isBefore =
                term.isAscending
                ? "(\(term.sql) IS NULL OR \(term.sql) < \(value))"
                : "(\(value) IS NULL OR \(term.sql) > \(value))"
            return "WHEN \(term.sql) IS NOT \(value) THEN \(isBefore)"
        }
        return "SELECT CASE \(terms.joined(separator: " ")) ELSE 0 END FROM " + oneRow
    }

    private var oneRow: String {
        album == nil
            ? "\(table) WHERE \(table).id = ?1"
            : Self.members + " WHERE member.albumId = ?2 AND member.assetId = ?1"
    }

    /// The FROM clause that joins album members to their assets, in a fixed join order.
    ///
    /// In another order, SQLite would scan all visible assets for an order or a condition that has
    /// an index, and look each of them up in the album.
    static let members = "albumAsset AS member CROSS JOIN asset ON asset.id = member.assetId"
}
