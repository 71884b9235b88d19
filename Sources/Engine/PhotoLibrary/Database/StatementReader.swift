package import Foundation
package import GRDB
internal import GRDBSQLite

/// Steps a prepared statement and reads its columns without creating a GRDB row for each step.
///
/// The statement is reset when the reader is destroyed.
package struct StatementReader: ~Copyable {
    private let database: Database
    private let statement: Statement
    private let pointer: OpaquePointer?

    /// Prepares a statement, or takes it from the connection's cache.
    ///
    /// The first call of `step` advances to the first row.
    package init(
        _ database: Database,
        _ sql: String,
        _ arguments: StatementArguments
    ) throws {
        let statement = try database.cachedStatement(sql: sql)
        try statement.setArguments(arguments)
        self.database = database
        self.statement = statement
        pointer = statement.sqliteStatement
    }

    deinit { sqlite3_reset(pointer) }

    /// Advances to the next row; returns false if there is none.
    package func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw database.failure(code, sql: statement.sql)
        }
    }

    package func integer(_ column: Int32) -> Int {
        Int(truncatingIfNeeded: sqlite3_column_int64(pointer, column))
    }

    func real(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

    package func text(_ column: Int32) -> String {
        sqlite3_column_text(pointer, column).map { String(cString: $0) } ?? ""
    }

    /// Returns a copy of a column's bytes; nil for NULL.
    package func bytes(_ column: Int32) -> Data? {
        guard sqlite3_column_type(pointer, column) != SQLITE_NULL else { return nil }
        // The order matters: asking for the length first could move the bytes.
        let start = sqlite3_column_blob(pointer, column)
        let count = Int(sqlite3_column_bytes(pointer, column))
        return start.map { Data(bytes: $0, count: count) } ?? Data()
    }
}
