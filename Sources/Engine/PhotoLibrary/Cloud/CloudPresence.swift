internal import GRDB
internal import GRDBSQLite

/// Determines which tables contain data about an object, with a single SQL statement.
///
/// For most objects that arrive from other devices, no table has any.
struct CloudPresence {
    /// The tables, or kinds of rows in them, with data about an object.
    struct Places: OptionSet {
        var rawValue: Int64

        static let final = Places(rawValue: 1)
        static let twin = Places(rawValue: 2)
        static let alias = Places(rawValue: 4)
        static let asset = Places(rawValue: 8)
        static let collection = Places(rawValue: 16)
        static let pending = Places(rawValue: 32)
    }

    private let database: Database
    private let statement: Statement

    init(_ database: Database) throws {
        self.database = database
        func stamps(_ kind: CloudStampTable.Kind) -> String {
            "SELECT 1 FROM cloudStamp WHERE kind = \(kind.rawValue) AND uuid = ?1"
        }
        let queries = [
            stamps(.final), stamps(.twin), stamps(.alias), "SELECT 1 FROM asset WHERE uuid = ?1",
            "SELECT 1 FROM collection WHERE uuid = ?1",
            "SELECT 1 FROM cloudPending WHERE uuid = ?1",
        ]
        let bits = queries.enumerated().map { "EXISTS (\($1)) << \($0)" }
        statement = try database.cachedStatement(
            sql: "SELECT " + bits.map { "(\($0))" }.joined(separator: " | ")
        )
    }

    /// Returns the tables and kinds of rows that contain data about an object.
    func of(_ uuid: String) throws -> Places {
        let pointer = statement.sqliteStatement
        defer { sqlite3_reset(pointer) }
        let code = Statement.bind(uuid.databaseValue, at: 1, of: pointer)
        guard code == SQLITE_OK else { throw database.failure(code, sql: statement.sql) }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return Places(rawValue: sqlite3_column_int64(pointer, 0))
        case let code: throw database.failure(code, sql: statement.sql)
        }
    }
}
