internal import CLinuxShim
internal import GRDB
internal import GRDBSQLite

/// Turns the triggers of a writing connection off while many rows are inserted.
///
/// A statement on a table with triggers keeps a copy of each page that it changes, in case that it
/// fails after a trigger has fired, and runs the program of each trigger for each row.
enum Triggers {
    /// Runs `body` while no triggers fire on a connection.
    ///
    /// `body` must also write what the triggers would have written, and must not end the
    /// transaction. Other connections are not affected.
    ///
    /// SQLite compiles the connection's statements again afterward, so this only pays off for
    /// hundreds of rows.
    static func off<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        try enable(false, database)
        let result = Result { try body() }
        try enable(true, database)
        return try result.get()
    }

    private static func enable(_ isEnabled: Bool, _ database: Database) throws {
        let code = database.sqliteConnection.map { cphotos_enable_triggers($0, isEnabled ? 1 : 0) }
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: .SQLITE_ERROR,
                message: "The triggers cannot be turned \(isEnabled ? "on" : "off")."
            )
        }
    }
}
