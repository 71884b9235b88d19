import CloudSync
import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhotoLibrary

/// The time that finding files takes in a large library.
///
/// `PHOTOS_ABSENT_ROWS` sets the number of photos. From 100,000 on,
/// `.build/absent-file-cost.txt` has the figures.
@Suite(.timeLimit(.minutes(60))) struct AbsentFileCostTests {
    private static let rows =
        ProcessInfo.processInfo.environment["PHOTOS_ABSENT_ROWS"].flatMap(Int.init) ?? 2_000

    @Test func findingMissingFilesReadsOneTable() throws {
        let world = try LibraryWorld()
        try world.insertWithFile(LibraryWorld.record(), bytes: [1])
        try world.store.close()
        try MigrationCostTests.multiply(world.store.bundle.database, Self.rows)
        let store = try LibraryStore.open(at: world.path)
        try store.joinCloud(library: "A", device: CloudID(1, 1))
        var report = ""
        func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
            var result = try body()
            let start = ContinuousClock.now
            result = try body()
            report += "\(name): \(ContinuousClock.now - start)\n"
            return result
        }
        let first = try LibraryStore.open(at: world.path)
        let start = ContinuousClock.now
        let none = try first.missingContents(limit: 1_000)
        report += "none missing, first: \(ContinuousClock.now - start)\n"
        try first.close()
        #expect(none == [])
        let again = try measure("none missing, again") { try store.missingContents(limit: 1_000) }
        #expect(again == [])
        for share in [100, 1] {
            try store.alone { database in
                try database.execute(
                    sql: "UPDATE resource SET presence = 1 WHERE id % \(share) = 0"
                )
            }
            let other = try LibraryStore.open(at: world.path)
            let expected = Self.rows / share
            let count = try measure("1/\(share) missing, count") {
                try other.missingFileCounts().waiting
            }
            #expect(count == expected)
            let found = try measure("1/\(share) missing, 1,000") {
                try other.missingContents(limit: 1_000)
            }
            #expect(found.count == min(1_000, expected))
            try other.close()
        }
        let plan = try store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    EXPLAIN QUERY PLAN
                    SELECT path, size FROM resource WHERE sha256 = x'00' AND presence = 0
                    """
            ).map { $0["detail"] as String }.joined()
        }
        #expect(plan.contains("resource_sha256"))
        if Self.rows >= 100_000 {
            let file = SharedData.packageRoot.appendingPathComponent(
                ".build/absent-file-cost.txt"
            )
            try Data("\(Self.rows) photos\n\(report)".utf8).write(to: file)
        }
        try store.close()
    }
}
