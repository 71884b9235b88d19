internal import GRDB
internal import GRDBSQLite

/// Determines which tables contain data about objects, with a single SQL statement.
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

    /// The tables with their conditions, in the order of the bits of `Places`.
    private static let sources =
        [CloudStampTable.Kind.final, .twin, .alias].map {
            "cloudStamp WHERE kind = \($0.rawValue)"
        } + ["asset WHERE true", "collection WHERE true", "cloudPending WHERE true"]

    init(_ database: Database) throws {
        self.database = database
        let bits = Self.sources.enumerated().map { bit, source in
            "(EXISTS (SELECT 1 FROM \(source) AND uuid = ?1) << \(bit))"
        }
        statement = try database.cachedStatement(
            sql: "SELECT " + bits.joined(separator: " | ")
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

    /// Returns those of many objects about which any table contains data.
    static func known(_ uuids: [String], in database: Database) throws -> Set<String> {
        // In a new library, most tables are empty.
        let present = try sources.filter { source in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(source))") ?? false
        }
        guard !present.isEmpty else { return [] }
        let conditions = present.map { "EXISTS (SELECT 1 FROM \($0) AND uuid = value)" }
        return try database.texts(uuids, where: conditions.joined(separator: " OR "))
    }
}
