import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// What makes journal entries and versions independent of the library that wrote them.
@Suite(.timeLimit(.minutes(1))) struct JournalWriterTests {
    private let world: LibraryWorld
    private let clock = TestClock()
    private let store: LibraryStore

    init() throws {
        world = try LibraryWorld()
        let clock = clock
        store = try LibraryStore.open(at: world.path, clock: { clock.now })
    }

    private func write(origin: RemoteOrigin? = nil) throws {
        try store.write(author: "test", origin: origin) { transaction in
            _ = try transaction.insertAsset(LibraryWorld.record())
        }
    }

    private func times() throws -> [Int64] {
        try store.read {
            try Int64.fetchAll($0, sql: "SELECT hlc FROM journalVersion ORDER BY version")
        }
    }

    @Test func hybridTimeIncreasesEvenIfTheClockIsSetBack() throws {
        try write()
        try write()
        clock.advance(by: -86_400 * 365)
        try write()
        clock.advance(by: 86_400 * 400)
        try write()
        let times = try times()
        #expect(times == times.sorted())
        #expect(Set(times).count == 4)
        #expect(times[2] == times[1] + 1)
        // The upper bits are milliseconds since 1970.
        #expect(times[3] >> 20 == Int64(clock.now.timeIntervalSince1970 * 1_000))
    }

    @Test func changesOfOtherDevicesAreNotUndone() throws {
        try write()
        let origin = RemoteOrigin(
            author: "cloud:other",
            device: "other",
            time: clock.now,
            stamp: HybridTime(rawValue: 5)
        )
        try write(origin: origin)
        #expect(try store.undo(UndoRequest(), author: "test").undone.map(\.version) == [1])
        try write(origin: origin)
        // Changes of other devices do not end the possibility to redo.
        let redone = try store.undo(UndoRequest(redoes: true), author: "test").undone
        #expect(redone.map(\.version) == [1])
        #expect(try world.findings() == [])
    }

    /// Pruning and the expiry of Recently Deleted count from the commit here, not from a time that
    /// another device's clock had.
    @Test func oldChangesOfOtherDevicesAreNotPrunedOnArrival() throws {
        let long = RemoteOrigin(
            author: "cloud:other",
            device: "other",
            time: clock.now.addingTimeInterval(-400 * 86_400),
            stamp: HybridTime(rawValue: 5)
        )
        try write(origin: long)
        try write()
        try store.pruneHistory()
        #expect(try store.historyHorizon(.init()).start == 0)
        #expect(try store.read { try HistorySummary.versions($0, since: 0, limit: 9).count } == 2)
    }

    @Test func entriesNameMembersAndParentsByUUID() throws {
        let uuids = ["A", "B"].map { _ in UUID().uuidString }
        let ids = try store.write(author: "test") { transaction in
            try uuids.map { uuid in
                var record = LibraryWorld.record()
                record.uuid = uuid
                return try transaction.insertAsset(record)
            }
        }
        let folder = LibraryWorld.collection(.folder, "F")
        let (folderID, album) = try store.write(author: "test") { transaction in
            let folderID = try transaction.insertCollection(folder)
            let album = try transaction.insertCollection(
                LibraryWorld.collection(.album, "A", in: folderID)
            )
            try transaction.appendMembers(ids, to: album)
            return (folderID, album)
        }
        try store.write(author: "test") { transaction in
            try transaction.placeMembers([ids[1]], in: album, after: nil)
            try transaction.appendCollections([album], to: CollectionRecord.root.id)
        }
        // A purged member is still named by its UUID.
        try store.write(author: "test") { transaction in
            try transaction.trashAssets([ids[0]])
            try transaction.purgeAssets([ids[0]])
        }
        try store.write(author: "test") { try $0.deleteCollection(id: album) }
        let entries = try world.entries(.album, album)
        let members = entries.compactMap { $0["members"] as String? }
        #expect(members.first?.hasPrefix("{\"inserted\":[[\"\(uuids[0])\",") == true)
        #expect(members.contains { $0.hasPrefix("{\"moved\":[[\"\(uuids[1])\",") })
        #expect(members.contains { $0.contains("\"removed\":[[\"\(uuids[0])\",") })
        let values = entries.compactMap { $0["newValues"] as String? }
        #expect(values.first?.contains("\"parent\":\"\(folder.uuid)\"") == true)
        #expect(values.contains { $0.contains("\"parent\":null") })
        #expect(values.allSatisfy { !$0.contains("parentId") && !$0.contains("assetCount") })
        #expect(try world.findings() == [])
        _ = try store.undo(UndoRequest(), author: "test")
        #expect(try world.members(album) == [ids[1]])
        #expect(try store.read { try HistorySummary.versions($0, since: 0, limit: 9).count } == 6)
        #expect(folderID > 0)
        #expect(try world.findings() == [])
    }
}
