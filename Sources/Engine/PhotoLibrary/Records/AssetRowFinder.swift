internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import LibraryService
internal import PhotoModel

/// Reads asset rows one by one, for changes that affect very many assets.
///
/// Steps and retains its statements: creating a GRDB row for each asset, and finding the statement
/// by its text, cost several times as much as SQLite's lookup. Must be used on the connection's
/// thread and not beyond the database access.
final class AssetRowFinder {
    private let database: Database
    private let byID: Statement
    private let byUUID: Statement
    private let date: Statement
    private let raw: Statement

    init(_ database: Database) throws {
        self.database = database
        let sql = AssetRecord.map.selectSQL
        byID = try database.cachedStatement(sql: sql + " WHERE id = ?")
        byUUID = try database.cachedStatement(sql: sql + " WHERE uuid = ?")
        raw = try database.cachedStatement(sql: "SELECT hasRAW FROM asset WHERE id = ?")
        date = try database.cachedStatement(sql: "SELECT creationDate FROM asset WHERE id = ?")
    }

    /// Returns the asset with a given row id; nil if there is none.
    func asset(id: Int64) throws -> AssetRecord? {
        sqlite3_reset(byID.sqliteStatement)
        sqlite3_bind_int64(byID.sqliteStatement, 1, id)
        return try record(byID)
    }

    /// Returns the asset with a given UUID; nil if there is none.
    func asset(uuid: String) throws -> AssetRecord? {
        byUUID.setUncheckedArguments([uuid])
        return try record(byUUID)
    }

    /// Returns whether one of an asset's originals is a RAW.
    func hasRAW(_ id: Int64) throws -> Bool {
        let pointer = raw.sqliteStatement
        sqlite3_bind_int64(pointer, 1, id)
        defer { sqlite3_reset(pointer) }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return sqlite3_column_int64(pointer, 0) != 0
        case SQLITE_DONE: return false
        case let code: throw database.failure(code, sql: raw.sql)
        }
    }

    /// Sorts row ids by the dates of their assets; ids of missing assets come first.
    func inTimeOrder(_ ids: [Int64]) throws -> [Int64] {
        let pointer = date.sqliteStatement
        defer { sqlite3_reset(pointer) }
        let dated = try ids.enumerated().map { place, id in
            sqlite3_reset(pointer)
            sqlite3_bind_int64(pointer, 1, id)
            switch sqlite3_step(pointer) {
            case SQLITE_ROW: return (id: id, date: sqlite3_column_double(pointer, 0), place: place)
            case SQLITE_DONE: return (id: id, date: -.infinity, place: place)
            case let code: throw database.failure(code, sql: date.sql)
            }
        }
        return dated.sorted { ($0.date, $0.place) < ($1.date, $1.place) }.map(\.id)
    }

    private func record(_ statement: Statement) throws -> AssetRecord? {
        let pointer = statement.sqliteStatement
        defer { sqlite3_reset(pointer) }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW:
            var cells = StatementCells(pointer: pointer, table: "asset")
            return try AssetRecord(cells: &cells)
        case SQLITE_DONE: return nil
        case let code: throw database.failure(code, sql: statement.sql)
        }
    }
}

/// Reads the cells of a statement's current row.
struct StatementCells: CellReader {
    private let pointer: OpaquePointer?
    private let table: String
    private var index: Int32 = -1

    init(pointer: OpaquePointer?, table: String) {
        self.pointer = pointer
        self.table = table
    }

    mutating func next() throws -> Int64 {
        index += 1
        guard let value = integer() else { throw damaged() }
        return value
    }

    mutating func next() throws -> Int {
        let value: Int64 = try next()
        return Int(truncatingIfNeeded: value)
    }

    mutating func next() throws -> Bool {
        let value: Int64 = try next()
        return value != 0
    }

    mutating func next() throws -> Double {
        guard let value: Double = nextOptional() else { throw damaged() }
        return value
    }

    mutating func next() throws -> String {
        guard let value: String = nextOptional() else { throw damaged() }
        return value
    }

    mutating func next() throws -> Data {
        index += 1
        guard sqlite3_column_type(pointer, index) == SQLITE_BLOB else { throw damaged() }
        guard let bytes = sqlite3_column_blob(pointer, index) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(pointer, index)))
    }

    mutating func nextOptional() -> Int? {
        index += 1
        return integer().map { Int(truncatingIfNeeded: $0) }
    }

    mutating func nextOptional() -> Double? {
        index += 1
        switch sqlite3_column_type(pointer, index) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(pointer, index)
        default: return nil
        }
    }

    mutating func nextOptional() -> String? {
        index += 1
        guard sqlite3_column_type(pointer, index) == SQLITE_TEXT else { return nil }
        return sqlite3_column_text(pointer, index).map { String(cString: $0) }
    }

    mutating func skip() { index += 1 }

    private func integer() -> Int64? {
        switch sqlite3_column_type(pointer, index) {
        case SQLITE_INTEGER: sqlite3_column_int64(pointer, index)
        case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(pointer, index))
        default: nil
        }
    }

    func damaged() -> LibraryError {
        LibraryError.unreadable(
            column: sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? "?",
            row: String(sqlite3_column_int64(pointer, 0)),
            table: table
        )
    }
}
