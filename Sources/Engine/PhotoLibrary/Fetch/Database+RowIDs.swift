internal import GRDB
internal import GRDBSQLite
internal import LibraryService
internal import PhotoModel

extension Database {
    /// Returns the integers in the single column of a statement's rows.
    ///
    /// Steps the statement directly: a GRDB cursor costs twice as much per row.
    func rowIDs(
        _ sql: String,
        _ arguments: StatementArguments = StatementArguments()
    ) throws -> ContiguousArray<Int64> {
        let statement = try cachedStatement(sql: sql)
        try statement.setArguments(arguments)
        var ids: ContiguousArray<Int64> = []
        let pointer = statement.sqliteStatement
        defer { sqlite3_reset(pointer) }
        var code = sqlite3_step(pointer)
        while code == SQLITE_ROW {
            ids.append(sqlite3_column_int64(pointer, 0))
            code = sqlite3_step(pointer)
        }
        guard code == SQLITE_DONE else { throw failure(code, sql: sql) }
        return ids
    }

    /// Returns those of some texts for which a SQL condition on `value` is true.
    func texts(_ texts: [String], where condition: String) throws -> Set<String> {
        let statement = try cachedStatement(
            sql: "SELECT value FROM json_each(?) WHERE \(condition)"
        )
        var found: Set<String> = []
        for start in stride(from: 0, to: texts.count, by: 500) {
            let part = Array(texts[start...].prefix(500))
            let list = JournalValue.encode(strings: part)
            found.formUnion(try String.fetchAll(statement, arguments: [list]))
        }
        return found
    }

    /// Returns SQLite's error for a failed step.
    func failure(_ code: CInt, sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: lastErrorMessage,
            sql: sql
        )
    }
}
