import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The time and the space that the travelling journal's migration takes in a large library.
///
/// `PHOTOS_MIGRATION_ROWS` sets the number of assets; 1,000,000 take some minutes to make. From
/// 100,000 on, `.build/migration-cost.txt` has the figures.
@Suite(.timeLimit(.minutes(60))) struct MigrationCostTests {
    private static let rows =
        ProcessInfo.processInfo.environment["PHOTOS_MIGRATION_ROWS"].flatMap(Int.init) ?? 2_000

    @Test func theMigrationRewritesNothing() throws {
        let world = try LibraryWorld()
        try world.insertWithFile(LibraryWorld.record(), bytes: [1])
        try world.store.close()
        try SchemaTests.takeBack(world.store.bundle.database, to: 9)
        try Self.multiply(world.store.bundle.database, Self.rows)
        let before = try Self.size(of: world.store.bundle.database)

        let start = ContinuousClock.now
        let store = try LibraryStore.open(at: world.path)
        let duration = ContinuousClock.now - start
        let count = try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
        #expect(count == Self.rows)
        let log = (try? Self.size(of: store.bundle.log)) ?? 0
        let grown = try Self.size(of: store.bundle.database) - before + log
        if Self.rows > 100_000 {
            let report = "\(Self.rows) assets: \(duration), \(before) bytes before, \(grown) more\n"
            let file = SharedData.packageRoot.appendingPathComponent(".build/migration-cost.txt")
            try Data(report.utf8).write(to: file)
        }
        // A few pages, and not a part of each row.
        #expect(grown < 600_000)
        try store.close()
    }

    private static func size(of path: String) throws -> Int64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Copies the only asset and its file's row until there are enough.
    static func multiply(_ path: String, _ rows: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
            for table in ["asset", "resource"] {
                let columns = try database.columns(in: table).map(\.name).filter { $0 != "id" }
                let values = columns.map { column in
                    switch column {
                    case "uuid": "printf('%08X-0000-4000-8000-%012X', i, i)"
                    case "path": "printf('originals/00/%d.jpg', i)"
                    case "assetId": "i + 1"
                    case "sha256": "randomblob(32)"
                    default: "one.\(column)"
                    }
                }
                try database.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (
                            SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
                        SELECT \(values.joined(separator: ", "))
                        FROM n, (SELECT * FROM \(table) WHERE id = 1) AS one
                        """,
                    arguments: [rows - 1]
                )
            }
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
    }
}
