import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// A released migration never changes, because existing libraries would have tables that the code
/// does not expect.
@Suite(.timeLimit(.minutes(2))) struct SchemaTests {
    @Test func tablesAreThoseOfTheFrozenSchema() throws {
        let world = try LibraryWorld()
        let made = try world.store.read(Self.schema)
        #expect(made == (try Self.frozen(10)))
    }

    /// Includes effects that leave no trace in the schema, such as rows that a migration fills in.
    @Test(arguments: [
        (1, Schema.version1, "47c97cd4bf31606232b008c47ed7bfe725700024d20995951c911ade2725befa"),
        (2, Schema.version2, "40a3c6e90cc6d6e265f2bb42a62dd3fe0bc5c0c6f5ab669529b8c110a458b8f4"),
        (3, Schema.version3, "a56067ba1a9708697bc2fb904efb2b12e0022cfca22e8980634b88c9c7665589"),
        (4, Schema.version4, "bf35137696024edd01e8014beb6ad7f0d0500e2a8563a3c4abdd32b286033c0e"),
        (5, Schema.version5, "3da60e3386bfae4c3f151c90b14fe8803f62153798fb66975351db5ae0c026c1"),
        (6, Schema.version6, "90e73c931bdf7e2fb747b853c2f33f2d16b7d55762259cad6365e8630b93013b"),
        (7, Schema.version7, "c38e0422cf9f480e6f6c84411958ec07047314c5c9ca105c933fb40a31256451"),
        (8, Schema.version8, "5613f4b965e26a4eb1c29c3d7287e779b6d15673399c5f136d1250bee97593b7"),
        (
            9, Schema.answersMigration,
            "0e5abf3b98026c4c000c4747b04b87a1faa4c6969a0e4424e556674231771e32"
        ),
    ])
    func migrationHasTheTextThatItWasReleasedWith(_ number: Int, text: String, digest: String) {
        let hasher = SHA256Hasher()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        #expect(hasher.finish()?.hexadecimal == digest, "migration \(number)")
    }

    /// SQLite rejects values of another type than the column's, from any writer.
    @Test func tablesAreStrict() throws {
        let world = try LibraryWorld()
        #expect(throws: DatabaseError.self) {
            try world.store.write(author: "test") { transaction in
                try transaction.database.execute(
                    sql:
                        "INSERT INTO journalVersion VALUES (1, 'yesterday', 'x', NULL, NULL, NULL, NULL, NULL)"
                )
            }
        }
    }

    @Test(arguments: [1, 3, 4, 5, 6, 7, 8, 9]) func earlierVersionMigrates(_ version: Int) throws {
        let world = try LibraryWorld()
        let resource = try world.insertWithFile(LibraryWorld.record(), bytes: [1, 2, 3])
        try world.insert(LibraryWorld.record("x:2.JPG"), LibraryWorld.record("3.JPG"))
        try world.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(id: 2))
            record.isFavorite = true
            try transaction.updateAsset(record, contentChanged: false)
            try transaction.deleteAsset(id: 3)
        }
        try world.store.close()
        try Self.takeBack(world.store.bundle.database, to: version)

        let store = try LibraryStore.open(at: world.path)
        #expect(try store.read(Self.schema) == (try Self.frozen(10)))
        #expect(try store.libraryUUID().count == 36)
        let findings = try Self.verify(store)
        #expect(findings == [])
        // It continues from there.
        try store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: resource.assetUUID))
            #expect(record.originalResourceChoice == 0)
            record.originalResourceChoice = 1
            try transaction.updateAsset(record, contentChanged: false)
        }
        #expect(try Self.verify(store) == [])
        _ = try store.undo(UndoRequest(), author: "test")
        #expect(try Self.verify(store) == [])
        #expect(try store.currentVersion() == 5)
    }

    private static func schema(_ database: Database) throws -> String {
        try String.fetchAll(
            database,
            sql: """
                SELECT sql FROM sqlite_schema
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name
                """
        ).joined(separator: ";\n\n") + ";\n"
    }

    static func frozen(_ version: Int) throws -> String {
        let file = SharedData.packageRoot
            .appendingPathComponent("Tests/Resources/schema-\(version).sql")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Downgrades a database to an earlier version: its tables, and the rows that fit.
    static func takeBack(_ path: String, to version: Int) throws {
        let new = path + ".new"
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: new + suffix)
        }
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = WAL")
            // Triggers come last, since the copied rows are already counted.
            let statements = try frozen(version).components(separatedBy: ";\n\n")
            let triggers = statements.filter { $0.hasPrefix("CREATE TRIGGER") }
            for statement in statements where !statement.hasPrefix("CREATE TRIGGER") {
                try database.execute(sql: statement)
            }
            try database.execute(sql: "ATTACH ? AS new", arguments: [new])
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM main.sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                    """
            )
            for table in tables {
                let columns = try database.columns(in: table).map(\.name).joined(separator: ", ")
                let filter =
                    table == "grdb_migrations"
                    ? "WHERE CAST(identifier AS INTEGER) <= \(version)" : ""
                try database.execute(
                    sql: """
                        INSERT INTO main.\(table) (\(columns))
                        SELECT \(columns) FROM new.\(table) \(filter) ORDER BY 1
                        """
                )
            }
            if version == 1 {
                try database.execute(
                    sql: """
                        UPDATE main.journalEntry
                        SET newValues = replace(newValues, ',"originalResourceChoice":0', '')
                        """
                )
            }
            try database.execute(sql: "DETACH new")
            for trigger in triggers { try database.execute(sql: trigger) }
        }
        try queue.close()
    }

    static func verify(_ store: LibraryStore) throws -> [String] {
        let verifier = Verifier(store: store)
        var findings: [String] = []
        var cursor: VerifyCursor?
        repeat {
            let reply = try verifier.verify(
                VerifyRequest(isFull: true, repairs: false, cursor: cursor)
            )
            // Rows without files are not relevant here.
            findings += reply.findings.filter { $0.kind != "assetWithoutOriginal" }
                .map(\.message)
            cursor = reply.next
        } while cursor != nil
        return findings
    }
}
