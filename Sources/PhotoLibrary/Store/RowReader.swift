internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads a row's cells from left to right; a cell of the wrong kind is a damaged database, not a trap.
struct RowReader {
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

    mutating func next<Value>(_ make: (Int) -> Value?) throws -> Value {
        let raw: Int = try next()
        guard let value = make(raw) else { throw damaged() }
        return value
    }

    mutating func nextOptional<Value: DatabaseValueConvertible>() -> Value? {
        defer { index += 1 }
        return Value.fromDatabaseValue(row[index])
    }

    mutating func nextDate() -> Date? {
        let seconds: Double? = nextOptional()
        return seconds.map(Date.init(timeIntervalSinceReferenceDate:))
    }

    mutating func skip() { index += 1 }

    func strings(in json: String) throws -> [String] {
        do {
            return try JSONDecoder().decode([String].self, from: Data(json.utf8))
        } catch {
            throw damaged()
        }
    }

    /// The cell that was read last cannot be.
    private func damaged() -> LibraryError {
        let name = Array(row.columnNames)[max(0, index - 1)]
        return LibraryError(
            .corrupt,
            "The library's table \(table) holds a value that cannot be read: \(name) of row"
                + " \(row[0].map(String.init(describing:)) ?? "?").",
            recovery: "Run photos verify, and restore the library from a backup."
        )
    }
}
