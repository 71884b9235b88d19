import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Recently Deleted of a library whose deletion dates came from other computers.
@Suite(.timeLimit(.minutes(5))) struct CloudTrashTests {
    private static let longAgo = Date(timeIntervalSinceReferenceDate: 500_000_000)

    /// Lets days pass in a library, with a change on each of them.
    private func passDays(_ count: Int, in library: SyncedLibrary) throws {
        for _ in 0..<count {
            library.clock.advance(by: 86_400)
            try library.store.write(author: "test") {
                _ = try $0.insertCollection(LibraryWorld.collection(.album, "A"))
            }
        }
    }

    /// Checks that a library purges its only asset 30 days after now.
    private func expectPurge(in number: Int, of pair: TwinTests.Pair) throws {
        let assets = try pair.assets(number)
        #expect(assets.count == 1 && assets.first?.trashedDate != nil)
        try passDays(29, in: pair.libraries[number])
        let kept = try pair.assets(number)
        #expect(kept.count == 1)
        // The clocks differ by up to a day, and a change confirms the time a day later.
        try passDays(5, in: pair.libraries[number])
        let left = try pair.assets(number)
        #expect(left.isEmpty)
    }

    @Test func theDeletionDateOfAnImportPurgesNothingElsewhere() throws {
        var pair = try TwinTests.Pair()
        var record = LibraryWorld.record()
        record.trashedDate = Self.longAgo
        try pair.libraries[0].insertWithFile(record, bytes: [1])
        try pair.exchange()
        try expectPurge(in: 1, of: pair)
    }

    @Test func aClockThatIsBehindPurgesNothingElsewhere() throws {
        var pair = try TwinTests.Pair(joins: false)
        // It has not received any later time.
        pair.libraries[0].clock.advance(by: -200_000_000)
        for library in pair.libraries { try library.join() }
        let record = LibraryWorld.record()
        try pair.libraries[0].insertWithFile(record, bytes: [1])
        try pair.libraries[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: record.uuid)).id
            try transaction.trashAssets([id])
        }
        try pair.exchange()
        try expectPurge(in: 1, of: pair)
    }

    /// The entry of the deletion was merged into that of the insertion.
    @Test func theStampCountsAfterTheHistoryWasPruned() throws {
        var pair = try TwinTests.Pair()
        let record = LibraryWorld.record()
        try pair.libraries[0].insertWithFile(record, bytes: [1])
        try pair.exchange()
        for library in pair.libraries { library.clock.advance(by: 40 * 86_400) }
        try pair.change(0, record.uuid) { $0.trashedDate = Self.longAgo }
        try pair.exchange()
        _ = try pair.libraries[1].store.historyHorizon(HistoryHorizonRequest(days: 1))
        try expectPurge(in: 1, of: pair)
    }

    @Test func aLaterImportOfTheSameFileIsNotPurgedWithIt() throws {
        var pair = try TwinTests.Pair()
        let record = LibraryWorld.record()
        try pair.libraries[0].insertWithFile(record, bytes: [1])
        try pair.libraries[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: record.uuid)).id
            try transaction.trashAssets([id])
        }
        for library in pair.libraries { library.clock.advance(by: 40 * 86_400) }
        try pair.libraries[1].insertWithFile(LibraryWorld.record(), bytes: [1])
        try pair.exchange()
        try expectPurge(in: 0, of: pair)
    }

    @Test func anArrivalThatAWrongClockRecordedKeepsNothingForEver() throws {
        var pair = try TwinTests.Pair()
        var record = LibraryWorld.record()
        record.trashedDate = Self.longAgo
        try pair.libraries[0].insertWithFile(record, bytes: [1])
        let wrong = 14 * 365 * 86_400.0
        pair.libraries[1].clock.advance(by: wrong)
        try pair.exchange()
        pair.libraries[1].clock.advance(by: -wrong)
        try passDays(35, in: pair.libraries[1])
        let left = try pair.assets(1)
        #expect(left.isEmpty)
    }

    /// Each slice examines what was not examined before.
    @Test func manyKeptAssetsDoNotHoldUpExpiredOnes() throws {
        var pair = try TwinTests.Pair()
        let library = pair.libraries[1]
        let own = (0..<6).map { _ in LibraryWorld.record() }
        for (index, record) in own.enumerated() {
            try library.insertWithFile(record, bytes: [1, UInt8(index)])
        }
        try library.store.write(author: "test") { transaction in
            let ids = try own.map { try #require(try transaction.asset(uuid: $0.uuid)).id }
            try transaction.trashAssets(ids)
        }
        try pair.exchange()
        for library in pair.libraries { library.clock.advance(by: 31 * 86_400) }
        for index in 0..<10 {
            var record = LibraryWorld.record()
            record.trashedDate = Self.longAgo.addingTimeInterval(Double(index))
            try pair.libraries[0].insertWithFile(record, bytes: [2, UInt8(index)])
        }
        try pair.exchange()
        library.clock.advance(by: 2 * 86_400)
        var slices = 0
        while try library.store.purgeSlice(patience: 1, limit: 2) != nil { slices += 1 }
        #expect(slices == 3)
        let left = try pair.assets(1).map(\.uuid)
        #expect(left.count == 10)
        #expect(Set(left).isDisjoint(with: own.map(\.uuid)))
    }

    @Test func leavingPurgesNothing() throws {
        var pair = try TwinTests.Pair()
        var record = LibraryWorld.record()
        record.trashedDate = Self.longAgo
        try pair.libraries[0].insertWithFile(record, bytes: [1])
        try pair.exchange()
        try pair.libraries[1].store.leaveCloud(abandoning: true)
        try expectPurge(in: 1, of: pair)
    }
}
