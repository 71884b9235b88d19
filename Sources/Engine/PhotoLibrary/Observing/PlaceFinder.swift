internal import GRDB
internal import GRDBSQLite
internal import LibraryService
internal import PhotoModel

/// Finds the positions at which rows belong in a list sorted in a fetch's order.
///
/// SQLite does every comparison, with one prepared statement that looks up a row of the list and
/// compares its sort values with those of the row to place.
final class PlaceFinder {
    private let database: Database
    private let values: Statement
    private let comparison: Statement
    /// The row id of the album whose members are fetched; nil for other fetches.
    private let album: Int64?

    /// Prepares the comparison statements for a plan's sort order.
    ///
    /// - Parameters:
    ///   - plan: The plan that defines the order.
    ///   - database: A database in a transaction, so that the order does not change meanwhile.
    /// - Throws: SQLite's error.
    init(_ plan: FetchPlan, in database: Database) throws {
        self.database = database
        values = try database.cachedStatement(sql: plan.sortValuesSQL)
        comparison = try database.cachedStatement(sql: plan.comparisonSQL)
        album = try plan.album.flatMap { uuid in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM collection WHERE uuid = ?"),
                arguments: [uuid]
            )
        }
    }

    /// Returns, for each row, the number of rows of a list that sort before it.
    ///
    /// Costs k · log(n / k) comparisons for k rows in a list of n.
    ///
    /// - Parameters:
    ///   - rows: The rows in order, none of which is in the list.
    ///   - list: The list in order.
    /// - Returns: The numbers; nil if a row does not exist, which only happens in a damaged
    ///   database.
    /// - Throws: SQLite's error.
    func places(
        of rows: ContiguousArray<Int64>,
        in list: some RandomAccessCollection<Int64>
    ) throws -> [Int]? {
        var places = [Int](repeating: 0, count: rows.count)
        // Each entry states that the positions of these rows are within these bounds.
        var parts = [(rows: 0..<rows.count, low: 0, high: list.count)]
        defer {
            sqlite3_reset(values.sqliteStatement)
            sqlite3_reset(comparison.sqliteStatement)
        }
        while let part = parts.popLast() {
            guard !part.rows.isEmpty else { continue }
            let middle = part.rows.lowerBound + part.rows.count / 2
            guard let place = try place(of: rows[middle], in: list, part.low, part.high) else {
                return nil
            }
            places[middle] = place
            parts.append((part.rows.lowerBound..<middle, part.low, place))
            parts.append((middle + 1..<part.rows.upperBound, place, part.high))
        }
        return places
    }

    private func place(
        of row: Int64,
        in list: some RandomAccessCollection<Int64>,
        _ low: Int,
        _ high: Int
    ) throws -> Int? {
        guard low < high else { return low }
        guard try check(row: row) else { return nil }
        var (low, high) = (low, high)
        while low < high {
            let middle = low + (high - low) / 2
            let other = list[list.index(list.startIndex, offsetBy: middle)]
            guard let isBefore = try isBefore(other) else { return nil }
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Binds a row's sort values to the comparison statement; returns false if the row does not
    /// exist.
    private func check(row: Int64) throws -> Bool {
        let (source, target) = (values.sqliteStatement, comparison.sqliteStatement)
        sqlite3_reset(target)
        guard try step(values, row: row) else { return false }
        if let album { sqlite3_bind_int64(target, 2, album) }
        for column in 0..<sqlite3_column_count(source) {
            let code = sqlite3_bind_value(
                target,
                column + 1 + CInt(FetchPlan.fixedArguments),
                sqlite3_column_value(source, column)
            )
            guard code == SQLITE_OK else { throw database.failure(code, sql: comparison.sql) }
        }
        return true
    }

    /// Returns whether a row sorts before the row whose values are bound; nil if the row does not
    /// exist.
    private func isBefore(_ row: Int64) throws -> Bool? {
        guard try step(comparison, row: row) else { return nil }
        return sqlite3_column_int(comparison.sqliteStatement, 0) != 0
    }

    private func step(_ statement: Statement, row: Int64) throws -> Bool {
        let pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
        sqlite3_bind_int64(pointer, 1, row)
        if let album { sqlite3_bind_int64(pointer, 2, album) }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.failure(code, sql: statement.sql)
        }
    }
}
