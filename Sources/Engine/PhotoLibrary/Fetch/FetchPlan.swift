internal import GRDB
internal import LibraryService
internal import PhotoModel

/// One term of an order: what SQLite sorts by.
struct SortTerm: Hashable {
    /// A column, or an expression over columns of the row.
    var sql: String
    var isAscending = true
}

/// A fetch request as SQL: all row ids in order, those among some ids, and which of two rows is first.
///
/// The three are made of the same parts, so they agree. Which assets show is up to `AssetVisibility`;
/// `FetchPlan+Assets.swift` and `FetchPlan+Collections.swift` are the only places that decide what a
/// client's access leaves of a fetch.
struct FetchPlan {
    /// `asset` or `collection`.
    let table: String
    /// Where the rows come from when all are asked for.
    var source: String
    var sourceArguments: [DatabaseValue] = []
    var conditions: [String] = []
    var arguments: [DatabaseValue] = []
    /// By what the rows are sorted; ties end in the row id.
    var order: [SortTerm] = []
    /// 0: no limit.
    var limit = 0
    /// The UUID of the album whose members are fetched; nil for a smart album, which has none of its
    /// own.
    var album: String?
    /// The day that Recently Added begins with, where the answer depends on it; else 0.
    var firstRecentDay: Int64 = 0
    /// Whether a row's own values, an album's members among them, say all about whether and where it
    /// is in the answer.
    ///
    /// If not, the answer can only be fetched again as a whole.
    var isIncremental = true

    /// Fetches the rows that the values of a JSON list stand for, each once; `place` is where in the
    /// list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - condition: How a row of `table` is found by a value, which is called `wanted`.
    ///   - rows: A source that is called as `table`; nil for the table itself.
    ///   - rowArguments: What is bound in `rows`.
    mutating func fetch(
        listed list: String,
        where condition: String,
        in rows: String? = nil,
        _ rowArguments: [DatabaseValue] = []
    ) {
        source =
            "(SELECT value AS wanted, min(key) AS place FROM json_each(?) GROUP BY value)"
            + " JOIN \(rows ?? table) ON \(condition)"
        sourceArguments = [list.databaseValue] + rowArguments
        // Where a row stands is in the request.
        isIncremental = false
    }

    // MARK: - All rows

    /// The statement for all row ids, in order.
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

    /// Sort keys, and last the row id in the direction of the last of them, which lets one index
    /// serve both directions.
    private var orderSQL: String {
        (order + [idTerm]).map { $0.sql + ($0.isAscending ? "" : " DESC") }
            .joined(separator: ", ")
    }

    private var idTerm: SortTerm {
        // Said of the membership, so that its index serves the album's own order.
        SortTerm(
            sql: album == nil ? table + ".id" : "member.assetId",
            isAscending: order.last?.isAscending ?? true
        )
    }

    // MARK: - Some rows

    /// The statement for those of some row ids that are in the answer, in order, whatever its limit.
    ///
    /// Its first argument is the ids as a JSON list. CROSS JOIN is SQLite's word for an outer loop over
    /// what stands first: it never walks an index of all rows.
    var matchingSQL: String {
        let some = "SELECT \(table).id FROM json_each(?) AS touched CROSS JOIN "
        let rows =
            album == nil
            ? "\(table) ON \(table).id = touched.value"
            : "albumAsset AS member ON member.assetId = touched.value"
                + " CROSS JOIN asset ON asset.id = member.assetId"
        return some + rows + filter + " ORDER BY " + orderSQL
    }

    /// The arguments of `matchingSQL`.
    func matchingArguments(_ ids: some Sequence<Int64>) -> StatementArguments {
        StatementArguments([Self.list(ids).databaseValue] + arguments)
    }

    static func list(_ ids: some Sequence<Int64>) -> String {
        "[" + ids.lazy.map(String.init).joined(separator: ",") + "]"
    }

    // MARK: - Two rows

    /// The statement for the values by which one row is sorted: its row id is `?1`, the album's, if any,
    /// `?2`.
    var sortValuesSQL: String {
        "SELECT " + (order + [idTerm]).map(\.sql).joined(separator: ", ") + " FROM " + oneRow
    }

    /// How many arguments of `comparisonSQL` are before the values.
    static let fixedArguments = 2

    /// The statement for whether a row comes before another: `?1` and `?2` are as in `sortValuesSQL`, what
    /// that gave for the other row follows.
    ///
    /// NULL is less than everything, as in ORDER BY; the operators use the columns' collations, as ORDER
    /// BY does.
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
            : "albumAsset AS member CROSS JOIN asset ON asset.id = member.assetId"
                + " WHERE member.albumId = ?2 AND member.assetId = ?1"
    }
}
