internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Rows to insert, many of them with one statement.
///
/// A statement opens the table and all its indexes anew, which costs as much as some of the index
/// entries that it then inserts. The texts and blobs of all rows are in one array, from which
/// SQLite reads them without copying them first.
struct RowBuffer {
    private enum Cell {
        case null
        case integer(Int64)
        case real(Double)
        case text(start: UInt32, count: UInt32)
        case blob(start: UInt32, count: UInt32)
    }

    /// The number of rows that one statement inserts.
    static let rowsPerStatement = 32
    private static let rowLimit = 16 * rowsPerStatement
    private static let byteLimit = 8 << 20

    private let width: Int
    private let rowsPerStatement: Int
    private let sqlOfMany: String
    private let sqlOfOne: String
    private var cells: [Cell] = []
    /// The texts and blobs; never empty, so that it always has an address.
    private var bytes: [UInt8] = [0]
    /// The index of the first byte of the text that is being written.
    private var textStart = 0

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - start: The statement up to its rows, such as `INSERT INTO setting (name, value)`.
    ///   - columns: The number of columns.
    ///   - end: What follows the rows in the statement.
    ///   - database: The connection that will insert the rows.
    init(_ start: String, columns: Int, _ end: String = "", in database: Database) {
        let limit = sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1)
        width = columns
        rowsPerStatement = max(1, min(Self.rowsPerStatement, Int(limit) / columns))
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        let rows = Array(repeating: row, count: rowsPerStatement).joined(separator: ", ")
        sqlOfOne = "\(start) VALUES \(row) \(end)"
        sqlOfMany = "\(start) VALUES \(rows) \(end)"
    }

    /// Indicates whether the rows should be written before others are appended.
    var isFull: Bool { cells.count >= Self.rowLimit * width || bytes.count > Self.byteLimit }

    // MARK: - Values

    mutating func append(_ value: Int64) { cells.append(.integer(value)) }

    /// Appends a text, which must not contain NUL characters.
    mutating func append(_ text: String) {
        beginText()
        append(toText: text)
        endText()
    }

    mutating func append(blob: [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: blob)
        cells.append(.blob(start: UInt32(start), count: UInt32(blob.count)))
    }

    /// Appends a value, whose text must not contain NUL characters.
    mutating func append(_ value: DatabaseValue) {
        switch value.storage {
        case .null: cells.append(.null)
        case .int64(let number): cells.append(.integer(number))
        case .double(let number): cells.append(.real(number))
        case .string(let text): append(text)
        case .blob(let data): append(blob: Array(data))
        }
    }

    /// Begins a text that is appended in parts.
    mutating func beginText() { textStart = bytes.count }

    mutating func append(toText byte: UInt8) { bytes.append(byte) }

    mutating func append(toText part: [UInt8]) { bytes.append(contentsOf: part) }

    mutating func append(toText part: String) {
        var part = part
        part.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends a value to the current text in the form that it has in the journal.
    mutating func append(toText value: DatabaseValue) {
        JournalValue.append(value, to: &bytes)
    }

    mutating func endText() {
        let count = bytes.count - textStart
        cells.append(.text(start: UInt32(textStart), count: UInt32(count)))
    }

    // MARK: - Writing

    /// Inserts the rows and empties the buffer.
    mutating func write(to database: Database) throws {
        try insertAll(database)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(0)
    }

    private func insertAll(_ database: Database) throws {
        var rest = cells[...]
        try bytes.withUnsafeBytes { bytes in
            for (sql, rows) in [(sqlOfMany, rowsPerStatement), (sqlOfOne, 1)] {
                guard rest.count >= rows * width else { continue }
                let statement = try database.cachedStatement(sql: sql)
                // The bytes are not there any more when the statement is used again.
                defer { sqlite3_clear_bindings(statement.sqliteStatement) }
                while rest.count >= rows * width {
                    try insert(rest.prefix(rows * width), bytes, with: statement, database)
                    rest = rest.dropFirst(rows * width)
                }
            }
        }
    }

    private func insert(
        _ cells: ArraySlice<Cell>,
        _ bytes: UnsafeRawBufferPointer,
        with statement: Statement,
        _ database: Database
    ) throws {
        let pointer = statement.sqliteStatement
        defer { sqlite3_reset(pointer) }
        var index: Int32 = 0
        for cell in cells {
            index += 1
            let code = Self.bind(cell, bytes, at: index, of: pointer)
            guard code == SQLITE_OK else { throw database.failure(code, sql: sqlOfOne) }
        }
        let code = sqlite3_step(pointer)
        guard code == SQLITE_DONE else { throw database.failure(code, sql: sqlOfOne) }
    }

    /// Binds a value to a parameter; SQLite reads texts and blobs where they are.
    private static func bind(
        _ cell: Cell,
        _ bytes: UnsafeRawBufferPointer,
        at index: Int32,
        of pointer: OpaquePointer?
    ) -> Int32 {
        switch cell {
        case .null: return sqlite3_bind_null(pointer, index)
        case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
        case .real(let number): return sqlite3_bind_double(pointer, index, number)
        case .text(let start, let count):
            let text = bytes.baseAddress.map {
                ($0 + Int(start)).assumingMemoryBound(to: CChar.self)
            }
            return sqlite3_bind_text(pointer, index, text, Int32(count), nil)
        case .blob(let start, let count):
            let blob = bytes.baseAddress.map { $0 + Int(start) }
            return sqlite3_bind_blob(pointer, index, blob, Int32(count), nil)
        }
    }
}
