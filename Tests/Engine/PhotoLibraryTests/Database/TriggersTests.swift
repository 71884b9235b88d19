import GRDB
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct TriggersTests {
    private struct Refusal: Error {}

    private func makeQueue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE asset (id INTEGER PRIMARY KEY);
                    CREATE TABLE noted (id INTEGER PRIMARY KEY);
                    CREATE TRIGGER note AFTER INSERT ON asset BEGIN
                        INSERT INTO noted VALUES (new.id);
                    END;
                    """
            )
        }
        return queue
    }

    /// Uses the same cached statement each time.
    private func insert(_ id: Int, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO asset VALUES (?)").execute(arguments: [id])
    }

    private func ids(_ table: String, _ database: Database) throws -> [Int] {
        try Int.fetchAll(database, sql: "SELECT id FROM \(table) ORDER BY id")
    }

    @Test func noneFiresMeanwhile() throws {
        try makeQueue().write { database in
            try insert(1, database)
            try Triggers.off(database) { try insert(2, database) }
            try insert(3, database)
            let (assets, noted) = (try ids("asset", database), try ids("noted", database))
            #expect(assets == [1, 2, 3])
            #expect(noted == [1, 3])
        }
    }

    @Test func theyFireAfterAnError() throws {
        let queue = try makeQueue()
        #expect(throws: Refusal.self) {
            try queue.write { database in
                try Triggers.off(database) {
                    try insert(1, database)
                    throw Refusal()
                }
            }
        }
        try queue.write { database in
            try insert(2, database)
            let noted = try ids("noted", database)
            #expect(noted == [2])
        }
    }
}
