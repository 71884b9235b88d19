internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads a row's cells from left to right; a cell of the wrong type throws `corrupt` instead of
/// trapping.
protocol CellReader {
    mutating func next() throws -> Bool
    mutating func next() throws -> Int
    mutating func next() throws -> Int64
    mutating func next() throws -> Double
    mutating func next() throws -> String
    mutating func next() throws -> Data
    mutating func nextOptional() -> Int?
    mutating func nextOptional() -> Double?
    mutating func nextOptional() -> String?
    mutating func skip()

    /// Returns the error to throw if the value of the most recently read cell is invalid.
    func damaged() -> LibraryError
}

extension CellReader {
    mutating func next<Value>(_ make: (Int) -> Value?) throws -> Value {
        let raw: Int = try next()
        guard let value = make(raw) else { throw damaged() }
        return value
    }

    mutating func nextDate() -> Date? {
        let seconds: Double? = nextOptional()
        return seconds.map(Date.init(timeIntervalSinceReferenceDate:))
    }

    func strings(in json: String) throws -> [String] {
        do {
            return try JSONDecoder().decode([String].self, from: Data(json.utf8))
        } catch {
            throw damaged()
        }
    }
}

/// Reads the cells of a GRDB row.
struct RowReader: CellReader {
    private let row: Row
    private let table: String
    private var index = 0

    init(row: Row, table: String) {
        self.row = row
        self.table = table
    }

    mutating func next<Value: DatabaseValueConvertible>() throws -> Value {
        index += 1
        guard let value = Value.fromDatabaseValue(row[index - 1]) else { throw damaged() }
        return value
    }

    mutating func nextOptional<Value: DatabaseValueConvertible>() -> Value? {
        defer { index += 1 }
        return Value.fromDatabaseValue(row[index])
    }

    mutating func skip() { index += 1 }

    func damaged() -> LibraryError {
        LibraryError.unreadable(
            column: Array(row.columnNames)[max(0, index - 1)],
            row: row[0].map(String.init(describing:)) ?? "?",
            table: table
        )
    }
}

/// Reads cells from a row id and an array of values instead of a database row.
struct ValueReader: CellReader {
    private let id: Int64
    private let values: [DatabaseValue]
    private let columns: [String]
    private let table: String
    private var index = 0

    /// Creates a reader of a row id, followed by the values of the columns.
    init(id: Int64, _ values: [DatabaseValue], columns: [String], table: String) {
        self.id = id
        self.values = values
        self.columns = columns
        self.table = table
    }

    mutating func next<Value: DatabaseValueConvertible>() throws -> Value {
        guard let value: Value = nextOptional() else { throw damaged() }
        return value
    }

    mutating func nextOptional<Value: DatabaseValueConvertible>() -> Value? {
        defer { index += 1 }
        if index == 0 { return Value.fromDatabaseValue(id.databaseValue) }
        return index <= values.count ? Value.fromDatabaseValue(values[index - 1]) : nil
    }

    mutating func skip() { index += 1 }

    func damaged() -> LibraryError {
        LibraryError.unreadable(
            column: index > 1 && index - 2 < columns.count ? columns[index - 2] : "id",
            row: String(id),
            table: table
        )
    }
}

extension LibraryError {
    static func unreadable(column: String, row: String, table: String) -> LibraryError {
        LibraryError(
            .corrupt,
            "The library's table \(table) contains a value that cannot be read: \(column) of row"
                + " \(row).",
            recovery: "Run photos verify, and restore the library from a backup."
        )
    }
}
