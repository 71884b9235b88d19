import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct HistoryPruningTests {
    let world: LibraryWorld
    let clock = TestClock()
    let store: LibraryStore

    init() throws {
        world = try LibraryWorld()
        let clock = clock
        store = try LibraryStore.open(at: world.path, clock: { clock.now })
    }

    private func count(_ table: String) throws -> Int {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } ?? 0
    }

    @Test func oldEntriesBecomeOneInsertionEach() throws {
        let day = 86_400.0
        let ids = try store.write(author: "test") { transaction in
            try (0..<700).map { try transaction.insertAsset(LibraryWorld.record("\($0)")) }
        }
        let album = try store.write(author: "test") { transaction in
            let album = try transaction.insertCollection(LibraryWorld.collection(.album, "A"))
            try transaction.appendMembers(Array(ids[0..<10]), to: album)
            return album
        }
        try store.write(author: "test") { transaction in
            try transaction.removeMembers([ids[3]], from: album)
            try transaction.placeMembers([ids[20]], in: album, after: nil)
            for id in ids {
                var record = try #require(try transaction.asset(id: id))
                record.rating = 2
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        try store.write(author: "test") { transaction in
            try transaction.trashAssets([ids[5]])
            try transaction.purgeAssets([ids[5]])
        }
        clock.advance(by: 80 * day)
        try store.write(author: "test") { transaction in
            try transaction.removeMembers([ids[0]], from: album)
        }
        #expect(try store.historyHorizon(.init()) == HistoryHorizonReply(days: 90, start: 0))
        clock.advance(by: 20 * day)
        try store.pruneHistory()
        #expect(try store.historyHorizon(.init()).start == 4)
        // One entry each for 699 assets and the album, and one for the change after the horizon.
        #expect(try count("journalEntry") == 701)
        #expect(try count("journalVersion") == 5)
        #expect(try count("tombstone") == 1)
        #expect(try world.findings() == [])
        let rest = try store.read { try HistorySummary.versions($0, since: 4, limit: 9) }
        #expect(rest.map(\.version) == [5])
        #expect(
            rest.first?.changes.map(\.properties) == [
                ["assetCount", "members", "modificationDate"]
            ]
        )

        // The history continues, is undone as far as it reaches, and is pruned again.
        #expect(try store.undo(.init(), author: "test").undone.map(\.version) == [5])
        let error = #expect(throws: LibraryError.self) { try store.undo(.init(), author: "test") }
        #expect(error?.reason?.contains("90 days") == true)
        clock.advance(by: 2 * day)
        #expect(try store.historyHorizon(.init(days: 1)) == .init(days: 1, start: 6))
        #expect(try count("journalEntry") == 700)
        #expect(try world.findings() == [])
        #expect(try store.currentVersion() == 6)
    }

    @Test func damageIsNotPrunedAway() throws {
        let ids = try world.insert(LibraryWorld.record(), LibraryWorld.record())
        try store.write(author: "test") { transaction in
            for id in ids {
                var record = try #require(try transaction.asset(id: id))
                record.isFavorite = true
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        try world.tamper("UPDATE journalEntry SET oldValues = '{\"rating\":4}' WHERE id = 3")
        clock.advance(by: 365 * 86_400)
        try store.pruneHistory()
        #expect(try count("journalEntry") == 3)
        #expect(try Set(world.findings()) == ["journalMismatch"])
    }

    @Test(arguments: [0, -1, .min])
    func horizonIsAtLeastADay(days: Int) {
        let error = #expect(throws: LibraryError.self) {
            try store.historyHorizon(HistoryHorizonRequest(days: days))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func hugeHorizonKeepsEverything() throws {
        try world.insert(LibraryWorld.record())
        #expect(try store.historyHorizon(.init(days: .max)) == .init(days: .max, start: 0))
    }
}
