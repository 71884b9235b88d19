internal import CSQLiteShim
internal import Glibc

/// The SQLite database of another program's library, which may be damaged or malicious.
///
/// Only ordinary tables are read; views and virtual tables are treated as absent. Used by one
/// thread.
final class ForeignDatabase {
    /// The reason why a database cannot be read, as text for users.
    struct Failure: Error {
        var reason: String
    }

    private let connection: OpaquePointer
    private let tables: Set<String>
    private var columnsByTable: [String: Set<String>] = [:]

    /// Opens a database and checks its integrity.
    ///
    /// The descriptors must stay open as long as this object is in use.
    init(_ database: Int32, log: Int32?, secondsPerStatement: Int) throws(Failure) {
        var opened: OpaquePointer?
        let code = cphotos_library_open(
            database,
            log ?? -1,
            Int32(clamping: secondsPerStatement),
            &opened
        )
        guard code == SQLITE_OK, let opened else {
            defer { cphotos_library_close(opened) }
            throw Failure(reason: Self.reason(opened, code))
        }
        connection = opened
        do throws(Failure) {
            let check = try Statement(opened, "PRAGMA quick_check(1)")
            guard try check.step(), check.text(0) == "ok" else {
                throw Failure(reason: "Its database is damaged: \(check.text(0) ?? "no result").")
            }
            // The root page of a virtual table is 0.
            let names = try Statement(
                opened,
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
            )
            var found: Set<String> = []
            while try names.step() { if let name = names.text(0) { found.insert(name) } }
            tables = found
        } catch {
            cphotos_library_close(opened)
            throw error
        }
    }

    deinit { cphotos_library_close(connection) }

    // MARK: - Schema

    func hasTable(_ name: String) -> Bool { tables.contains(name) }

    /// Returns the names of a table's columns; an empty set for an absent table.
    func columns(of table: String) throws(Failure) -> Set<String> {
        if let known = columnsByTable[table] { return known }
        guard hasTable(table), Self.isName(table) else { return [] }
        let statement = try Statement(connection, "PRAGMA table_info(\(table))")
        var columns: Set<String> = []
        while try statement.step() { if let name = statement.text(1) { columns.insert(name) } }
        columnsByTable[table] = columns
        return columns
    }

    /// Returns whether all given tables exist and each has all the columns given for it.
    func hasColumns(_ tables: (table: String, columns: Set<String>)...) throws(Failure) -> Bool {
        for (table, names) in tables {
            guard try columns(of: table).isSuperset(of: names) else { return false }
        }
        return true
    }

    /// Returns the SQL expression for the first column among `names` that the table has; `NULL` if
    /// it has none of them.
    func column(_ alias: String, _ table: String, _ names: String...) throws(Failure) -> String {
        let columns = try columns(of: table)
        return names.first { columns.contains($0) }.map { "\(alias).\($0)" } ?? "NULL"
    }

    /// Throws an error unless a table exists and has all columns in `names`.
    func require(_ table: String, _ names: String...) throws(Failure) {
        guard hasTable(table) else {
            throw Failure(reason: "Its database has no table \(table).")
        }
        let columns = try columns(of: table)
        for name in names where !columns.contains(name) {
            throw Failure(reason: "Its database has no column \(name) in \(table).")
        }
    }

    /// Returns whether text can be used as the name of a table or column in SQL without quotes.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || (0x30...0x39).contains($0) || $0 == 0x5F
            }
    }

    // MARK: - Reading

    func statement(_ sql: String) throws(Failure) -> Statement {
        try Statement(connection, sql)
    }

    /// Returns the integer in the first column of a query's first row; nil if there is no row.
    func integer(_ sql: String) throws(Failure) -> Int64? {
        let statement = try Statement(connection, sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// A prepared statement that checks each value's type, because a column may contain values of
    /// any type.
    final class Statement {
        private let connection: OpaquePointer
        private let statement: OpaquePointer

        init(_ connection: OpaquePointer, _ sql: String) throws(Failure) {
            var prepared: OpaquePointer?
            let code = sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
            guard code == SQLITE_OK, let prepared else {
                throw Failure(reason: ForeignDatabase.reason(connection, code))
            }
            self.connection = connection
            statement = prepared
        }

        deinit { sqlite3_finalize(statement) }

        /// The columns of the current row whose text was truncated.
        private var cut: Set<Int32> = []

        /// Returns whether the text of a column in the current row was truncated when it was read.
        func hasCut(_ column: Int32) -> Bool { cut.contains(column) }

        /// Advances to the next row; returns false if there is none.
        func step() throws(Failure) -> Bool {
            cut.removeAll()
            switch sqlite3_step(statement) {
            case SQLITE_ROW: return true
            case SQLITE_DONE: return false
            case let code: throw Failure(reason: ForeignDatabase.reason(connection, code))
            }
        }

        /// Resets the statement and binds an integer to its parameter.
        func start(_ key: Int64) {
            sqlite3_reset(statement)
            sqlite3_bind_int64(statement, 1, key)
        }

        /// Resets the statement and binds a text to its parameter.
        func start(_ key: String) {
            sqlite3_reset(statement)
            cphotos_library_bind_text(statement, 1, key, Int32(clamping: key.utf8.count))
        }

        func integer(_ column: Int32) -> Int64? {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: sqlite3_column_int64(statement, column)
            case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, column).rounded())
            default: nil
            }
        }

        func number(_ column: Int32) -> Double? {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER, SQLITE_FLOAT:
                let value = sqlite3_column_double(statement, column)
                return value.isFinite ? value : nil
            default: return nil
            }
        }

        func isTrue(_ column: Int32) -> Bool { (integer(column) ?? 0) != 0 }

        /// Returns the text in a column, truncated to `limit` bytes; nil for a value of another
        /// type.
        ///
        /// A character that exceeds the limit is omitted as a whole.
        func text(_ column: Int32, limit: Int = 4096) -> String? {
            guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
                let start = sqlite3_column_text(statement, column)
            else { return nil }
            let length = Int(sqlite3_column_bytes(statement, column))
            let bytes = UnsafeBufferPointer(start: start, count: min(length, limit))
            var text = String(decoding: bytes, as: UTF8.self)
            guard length > limit else { return text }
            cut.insert(column)
            // A character that was cut is not the file's.
            if text.last == "\u{FFFD}" { text.removeLast() }
            return text
        }

        /// Returns the blob in a column; nil for an empty blob, one longer than `limit` bytes, and
        /// a value of another type.
        func data(_ column: Int32, limit: Int = 16 << 20) -> [UInt8]? {
            guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
            let length = Int(sqlite3_column_bytes(statement, column))
            guard length > 0, length <= limit, let start = sqlite3_column_blob(statement, column)
            else { return nil }
            return Array(UnsafeRawBufferPointer(start: start, count: length))
        }
    }

    private static func reason(_ connection: OpaquePointer?, _ code: Int32) -> String {
        switch code & 0xFF {
        case SQLITE_INTERRUPT: return "Reading its database takes too long."
        case SQLITE_NOTADB: return "Its database is not an SQLite database."
        case SQLITE_CORRUPT: return "Its database is damaged."
        case SQLITE_TOOBIG: return "A value in its database is too large."
        default:
            let text = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
            return "Its database cannot be read: \(text ?? "code \(code)")."
        }
    }
}
