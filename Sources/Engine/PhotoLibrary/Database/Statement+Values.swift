internal import Foundation
internal import GRDB
internal import GRDBSQLite

extension Statement {
    /// Executes a statement that returns no rows, with values bound to its parameters.
    ///
    /// Calls SQLite directly: GRDB's checks and copies of arguments cost as much as SQLite's change
    /// of a row. GRDB's observers are not notified.
    func execute(values: [DatabaseValue], in database: Database) throws {
        let pointer = sqliteStatement
        sqlite3_reset(pointer)
        defer { sqlite3_reset(pointer) }
        for (index, value) in values.enumerated() {
            let code = Self.bind(value, at: Int32(index + 1), of: pointer)
            guard code == SQLITE_OK else { throw database.failure(code, sql: sql) }
        }
        let code = sqlite3_step(pointer)
        guard code == SQLITE_DONE else { throw database.failure(code, sql: sql) }
    }

    /// Binds a value to a parameter; SQLite copies the value.
    static func bind(
        _ value: DatabaseValue,
        at index: Int32,
        of pointer: OpaquePointer?
    ) -> Int32 {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value.storage {
        case .null: return sqlite3_bind_null(pointer, index)
        case .int64(let number): return sqlite3_bind_int64(pointer, index, number)
        case .double(let number): return sqlite3_bind_double(pointer, index, number)
        case .string(let text): return sqlite3_bind_text(pointer, index, text, -1, transient)
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(pointer, index, 0)
                    : sqlite3_bind_blob(
                        pointer,
                        index,
                        bytes.baseAddress,
                        Int32(bytes.count),
                        transient
                    )
            }
        }
    }
}
