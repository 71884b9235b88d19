import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhotoLibrary

/// A migration that libraries were made with never changes: their tables would not be those that the
/// code believes in.
@Suite struct SchemaTests {
    @Test func tablesAreThoseOfTheFrozenSchema() throws {
        let world = try LibraryWorld()
        let made = try world.store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name
                    """
            )
        }
        let file = SharedData.packageRoot.appendingPathComponent("Tests/Resources/schema-1.sql")
        let frozen = try String(contentsOf: file, encoding: .utf8)
        #expect(made.joined(separator: ";\n\n") + ";\n" == frozen)
    }

    /// SQLite refuses a value of another kind than its column's, whoever writes it.
    @Test func tablesAreStrict() throws {
        let world = try LibraryWorld()
        #expect(throws: DatabaseError.self) {
            try world.store.write(author: "test") { transaction in
                try transaction.database.execute(
                    sql: "INSERT INTO journalVersion VALUES (1, 'yesterday', 'x')"
                )
            }
        }
    }
}
