import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Members, order, totals and dates of albums and folders, and their journal entries.
@Suite(.timeLimit(.minutes(2))) struct AlbumTests {
    let world: LibraryWorld
    let assets: [Int64]

    init() throws {
        world = try LibraryWorld()
        assets = try world.insert(
            (0..<6).map { number in
                var record = LibraryWorld.record("\(number).JPG")
                record.creationDate = Date(timeIntervalSinceReferenceDate: Double(number) * 100)
                return record
            }
        )
    }

    private func write(_ body: (LibraryTransaction) throws -> Void) throws {
        try world.store.write(author: "test") { try body($0) }
    }

    @Test func oneTransactionIsOneEntryOfAnAlbum() throws {
        let album = try world.album("A", [assets[0], assets[1]])
        try write { transaction in
            try transaction.appendMembers([assets[2], assets[0]], to: album)
            try transaction.placeMembers([assets[3]], in: album, after: nil)
            try transaction.removeMembers([assets[1], assets[5]], from: album)
            try transaction.appendMembers([assets[4]], to: album)
            try transaction.removeMembers([assets[4]], from: album)
        }
        #expect(try world.members(album) == [assets[3], assets[0], assets[2]])
        let entry = try #require(try world.entries(.album, album).last)
        let members: String? = entry["members"]
        let change = try #require(
            try world.store.read { database in
                try members.flatMap { try MembersChange(text: $0, naming: JournalNames(database)) }
            }
        )
        #expect(change.inserted.map(\.asset) == [assets[3], assets[2]])
        #expect(change.removed.map(\.asset) == [assets[1]])
        #expect(change.moved == [])
        let new: String? = entry["newValues"]
        #expect(new?.contains("modificationDate") == true)
        // Counts and dates follow from the members; entries name only that they changed.
        #expect(new?.contains("assetCount") == false)
        #expect(change.totals == ["assetCount", "endDate"])
        let version: Int64 = entry["version"]
        let entries = try world.entries(.album, album)
        #expect(entries.count { ($0["version"] as Int64) == version } == 1)
    }

    /// The totals of a small album cost nothing more in a large library.
    @Test func totalsReadTheMembersOnly() throws {
        let plan = try world.store.queryPlan(of: CollectionRecord.totalsSQL, arguments: [1])
        #expect(plan.count == 2)
        #expect(plan.first?.contains("albumId=?") == true)
        #expect(plan.last?.contains("SEARCH asset USING INTEGER PRIMARY KEY") == true)
    }

    @Test func totalsFollowTheVisibleMembers() throws {
        let album = try world.album("A", Array(assets[0...3]))
        func totals() throws -> [Double?] {
            let record = try #require(try world.collection(album))
            return [
                Double(record.assetCount), record.startDate?.timeIntervalSinceReferenceDate,
                record.endDate?.timeIntervalSinceReferenceDate,
            ]
        }
        #expect(try totals() == [4, 0, 300])
        let before = try world.collection(album)?.modificationDate
        try write { try $0.trashAssets([assets[0]]) }
        #expect(try totals() == [3, 100, 300])
        try write { transaction in
            var record = try #require(try transaction.asset(id: assets[3]))
            record.creationDate = Date(timeIntervalSinceReferenceDate: 150)
            try transaction.updateAsset(record, contentChanged: false)
        }
        #expect(try totals() == [3, 100, 200])
        try write { transaction in
            for id in assets[1...3] {
                var record = try #require(try transaction.asset(id: id))
                record.isHidden = true
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        #expect(try totals() == [0, nil, nil])
        // Its members are the same, so it was not modified.
        #expect(try world.collection(album)?.modificationDate == before)
        #expect(try world.members(album) == Array(assets[0...3]))
        try write { try $0.restoreAssets([assets[0]]) }
        #expect(try totals() == [1, 0, 0])
        #expect(try world.findings() == [])
    }

    @Test func favoritesAndImportsDoNotTouchAlbums() throws {
        let album = try world.album("A", assets)
        let entries = try world.entries(.album, album).count
        try write { transaction in
            for id in assets {
                var record = try #require(try transaction.asset(id: id))
                record.isFavorite = true
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        try world.insert(LibraryWorld.record())
        #expect(try world.entries(.album, album).count == entries)
    }

    @Test func assetsAreNotModifiedByMembership() throws {
        let album = try world.album("A", assets)
        let before = try #require(try world.collection(album)).modificationDate
        try write { try $0.removeMembers(assets, from: album) }
        #expect(try world.entries(.asset, assets[0]).count == 1)
        let after = try #require(try world.collection(album)).modificationDate
        #expect(after > before)
    }

    @Test func placeThatIsThereAlreadyChangesNothing() throws {
        let album = try world.album("A", assets)
        let version = try world.store.currentVersion()
        try write { transaction in
            try transaction.placeMembers([assets[1], assets[2]], in: album, after: assets[0])
            try transaction.placeMembers([assets[0], assets[1]], in: album, after: nil)
            try transaction.placeMembers([assets[1]], in: album, after: assets[1])
            try transaction.appendMembers([assets[0]], to: album)
        }
        #expect(try world.store.currentVersion() == version)
    }

    @Test func usedUpGapIsRenumberedInOneEntry() throws {
        let album = try world.album("A", assets)
        // Each takes half of the remaining gap of 2³².
        for turn in 0..<40 {
            try write { try $0.placeMembers([assets[1 + turn % 2]], in: album, after: assets[0]) }
        }
        let entries = try world.entries(.album, album).compactMap { $0["members"] as String? }
        #expect(entries.count { $0.contains("renumbered") } == 1)
        #expect(entries.allSatisfy { $0.utf8.count < 400 })
        let order = [assets[0], assets[2], assets[1]] + assets[3...]
        #expect(try world.members(album) == order)
        #expect(try world.findings() == [])
        // Undone across the renumbering, one by one.
        for _ in 1..<40 { _ = try world.store.undo(.init(), author: "test") }
        #expect(try world.members(album) == assets)
        #expect(try world.findings() == [])
    }

    @Test func crowdedFolderKeepsItsOrder() throws {
        var ids: [Int64] = []
        try write { transaction in
            for number in 0..<4 {
                ids.append(
                    try transaction.insertCollection(LibraryWorld.collection(.album, "\(number)"))
                )
            }
            for turn in 0..<80 {
                try transaction.placeCollections([ids[1 + turn % 2]], in: 0, after: ids[0])
            }
            #expect(try transaction.childIDs(of: 0) == [ids[0], ids[2], ids[1], ids[3]])
        }
        #expect(try world.findings() == [])
    }

    @Test func foldersAndAlbumsHoldOnlyWhatTheyCan() throws {
        let album = try world.album("A")
        try write { transaction in
            let folder = try transaction.insertCollection(LibraryWorld.collection(.folder, "F"))
            let inner = try transaction.insertCollection(
                LibraryWorld.collection(.folder, "G", in: folder)
            )
            func refuses(_ code: LibraryError.Code, _ body: () throws -> Void) {
                let error = #expect(throws: LibraryError.self, performing: { try body() })
                #expect(error?.code == code)
                #expect(error?.recovery != nil)
            }
            refuses(.changeNotSupported) { try transaction.appendMembers(assets, to: folder) }
            refuses(.changeNotSupported) { try transaction.appendCollections([folder], to: album) }
            refuses(.changeNotSupported) { try transaction.appendCollections([folder], to: inner) }
            refuses(.changeNotSupported) {
                try transaction.placeCollections([folder], in: folder, after: nil)
            }
            refuses(.changeNotSupported) { try transaction.deleteCollection(id: folder) }
            refuses(.changeNotSupported) {
                try transaction.placeMembers([assets[0]], in: album, after: assets[1])
            }
            refuses(.changeNotSupported) { try transaction.purgeAssets([assets[0]]) }
            refuses(.identifierNotFound) { try transaction.appendMembers([99], to: album) }
            refuses(.identifierNotFound) { try transaction.appendCollections([99], to: 0) }
            refuses(.identifierNotFound) { try transaction.trashAssets([99]) }
        }
        #expect(try world.findings() == [])
    }

    @Test func folderIsModifiedWithItsChildren() throws {
        let clock = TestClock()
        let store = try LibraryStore.open(at: world.path, clock: { clock.now })
        let (folder, album) = try store.write(author: "test") { transaction in
            let folder = try transaction.insertCollection(LibraryWorld.collection(.folder, "F"))
            return (
                folder,
                try transaction.insertCollection(LibraryWorld.collection(.album, "A", in: folder))
            )
        }
        func modified() throws -> [Date?] {
            try store.write(author: "test") { transaction in
                try [folder, album].map { try transaction.collection(id: $0)?.modificationDate }
            }
        }
        let before = try modified()
        clock.advance(by: 10)
        try store.write(author: "test") { try $0.appendMembers(assets, to: album) }
        #expect(try modified() == [before[0], clock.now])
        clock.advance(by: 10)
        try store.write(author: "test") { try $0.appendCollections([album], to: 0) }
        #expect(try modified()[0] == clock.now)
    }
}
