import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct MaintenanceTests {
    let world: LibraryWorld
    let clock = TestClock()
    let store: LibraryStore

    init() throws {
        world = try LibraryWorld()
        // Later than any clock with which the world created its objects.
        clock.advance(by: 1_200_000_000)
        let clock = clock
        store = try LibraryStore.open(at: world.path, clock: { clock.now })
    }

    private func names() throws -> [String] {
        try store.read {
            try String.fetchAll($0, sql: "SELECT originalFilename FROM asset ORDER BY 1")
        }
    }

    private func write() throws {
        try store.write(author: "test") {
            _ = try $0.insertCollection(LibraryWorld.collection(.album, "A"))
        }
    }

    /// Lets days pass, with a change one day before their end.
    private func passDays(_ days: Double) throws {
        clock.advance(by: (days - 1) * 86_400)
        try write()
        clock.advance(by: 86_400)
    }

    @Test func recentlyDeletedIsEmptiedAfterThirtyDays() throws {
        let resource = try world.insertWithFile(LibraryWorld.record("old"), bytes: [1])
        let fresh = try #require(try world.insert(LibraryWorld.record("fresh")).first)
        let file = store.bundle.absolutePath(of: resource.path)
        try store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: resource.assetUUID)).id
            let album = try transaction.insertCollection(LibraryWorld.collection(.album, "A"))
            try transaction.appendMembers([id, fresh], to: album)
            try transaction.trashAssets([id])
        }
        clock.advance(by: 29 * 86_400)
        try store.write(author: "test") { try $0.trashAssets([fresh]) }
        #expect(try names() == ["fresh", "old"])
        clock.advance(by: 86_400 + 1)
        try write()
        #expect(try names() == ["fresh", "old"])
        clock.advance(by: 86_400)
        try write()
        #expect(try names() == ["fresh"])
        #expect(!FileManager.default.fileExists(atPath: file))
        let author = try store.read { database in
            try String.fetchOne(
                database,
                sql: "SELECT author FROM journalVersion ORDER BY version DESC LIMIT 1"
            )
        }
        #expect(author == Maintenance.author)
        // The change has no author, so an undo skips it.
        #expect(try store.undo(.init(), author: "test").undone.first?.author == "test")
        #expect(try world.findings() == [])
    }

    @Test func manyAreRemovedInSteps() throws {
        try store.write(author: "test") { transaction in
            let ids = try (0..<130).map {
                try transaction.insertAsset(LibraryWorld.record("\($0)"))
            }
            try transaction.trashAssets(ids)
        }
        try passDays(31)
        // As many changes as necessary, each of which spends some time on it.
        for _ in 0..<10 where try !names().isEmpty {
            try write()
            clock.advance(by: 1)
        }
        #expect(try names() == [])
        #expect(try world.findings() == [])
    }

    @Test func aClockThatJumpsAheadEmptiesNothing() throws {
        let id = try #require(try world.insert(LibraryWorld.record("kept")).first)
        try store.write(author: "test") { try $0.trashAssets([id]) }
        let years: Double = 20 * 365 * 86_400
        clock.advance(by: years)
        for _ in 0..<3 {
            try write()
            clock.advance(by: 7_200)
        }
        #expect(try names() == ["kept"])
        // The clock is corrected; changes in the future do not confirm the time either.
        clock.advance(by: -years)
        for _ in 0..<3 {
            try write()
            clock.advance(by: 86_400)
        }
        #expect(try names() == ["kept"])
    }

    @Test func aClockThatIsBehindAgesNothing() throws {
        let id = try #require(try world.insert(LibraryWorld.record("kept")).first)
        try write()
        let years: Double = 20 * 365 * 86_400
        clock.advance(by: -years)
        try store.write(author: "test") { try $0.trashAssets([id]) }
        clock.advance(by: years)
        for _ in 0..<29 {
            try write()
            clock.advance(by: 86_400)
        }
        #expect(try names() == ["kept"])
        for _ in 0..<3 {
            try write()
            clock.advance(by: 86_400)
        }
        #expect(try names() == [])
    }

    @Test func aClockThatJumpsAheadKeepsTheHistory() throws {
        try world.insert(LibraryWorld.record("seen"))
        clock.advance(by: 20 * 365 * 86_400)
        try write()
        #expect(try store.historyHorizon(.init()).start == 0)
    }

    @Test func itsFailureIsNotTheCallersFailure() throws {
        let id = try #require(try world.insert(LibraryWorld.record()).first)
        try store.write(author: "test") { try $0.trashAssets([id]) }
        try world.tamper(
            "CREATE TRIGGER stop BEFORE DELETE ON asset BEGIN SELECT raise(FAIL, 'no'); END"
        )
        try passDays(31)
        try write()
        #expect(try names().count == 1)
        try world.tamper("DROP TRIGGER stop")
        clock.advance(by: 61)
        try write()
        #expect(try names() == [])
    }

    @Test func itRunsOnceAnHour() {
        let maintenance = Maintenance()
        var runs = 0
        func run(at seconds: Double) {
            maintenance.runIfDue(now: Date(timeIntervalSinceReferenceDate: seconds)) {
                runs += 1
                return false
            }
        }
        for seconds in [0.0, 1, 3_599, 3_600, 3_601, 7_199, 7_200] { run(at: seconds) }
        #expect(runs == 3)
        // The clock was set back.
        run(at: 100)
        #expect(runs == 4)
    }
}
