import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Details of the exchange between libraries that random changes seldom reach.
@Suite(.timeLimit(.minutes(5))) struct ExchangeTests {
    private static let publish = Array(repeating: Duty.publish, count: 20)

    private func libraries(_ count: Int) throws -> [SyncedLibrary] {
        try (0..<count).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            try library.join()
            return library
        }
    }

    private func exchange(_ libraries: [SyncedLibrary], _ cloud: inout SimulatedStore) throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, Self.publish + [.pollAll])
            }
        }
    }

    private func importPhoto(_ library: SyncedLibrary, _ byte: UInt8) throws -> String {
        let record = LibraryWorld.record("IMG_\(byte).JPG")
        try library.insertWithFile(record, bytes: [byte])
        return record.uuid
    }

    private func makeAlbum(_ library: SyncedLibrary, _ assets: [String]) throws -> String {
        try library.store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(
                LibraryWorld.collection(.album, "Holidays", in: 0)
            )
            let rows = try assets.compactMap { try transaction.asset(uuid: $0)?.id }
            try transaction.appendMembers(rows, to: id)
            return try #require(try transaction.collection(id: id)).uuid
        }
    }

    private func members(_ library: SyncedLibrary) throws -> [String] {
        try library.store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT uuid FROM albumAsset JOIN asset ON asset.id = assetId
                    ORDER BY position, assetId
                    """
            )
        }
    }

    @Test func membersThatReturnToTheirPlacesInOneChangeStay() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let assets = try (1...3).map { try importPhoto(all[0], $0) }
        let album = try makeAlbum(all[0], assets)
        try all[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            let last = Array(try transaction.memberIDs(of: id).suffix(2))
            try transaction.removeMembers(last, from: id)
            try transaction.appendMembers(last, to: id)
        }
        try exchange(all, &cloud)
        for library in all {
            let here = try members(library)
            #expect(here == assets, "library \(library.number)")
            try library.compareWithMergedState()
        }
    }

    @Test func aPhotoThatLeftItsAlbumWithAPurgeDoesNotReturnToIt() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], 1)
        let album = try makeAlbum(all[0], [photo])
        func change(
            _ library: SyncedLibrary,
            _ body: (LibraryTransaction, Int64) throws -> Void
        ) throws {
            try library.store.write(author: "test") { transaction in
                try body(transaction, try #require(try transaction.asset(uuid: photo)).id)
            }
        }
        try change(all[0]) { try $0.trashAssets([$1]) }
        try exchange(all, &cloud)
        try change(all[0]) { transaction, id in
            let holidays = try #require(try transaction.collection(uuid: album)).id
            try transaction.removeMembers([id], from: holidays)
            try transaction.purgeAssets([id])
        }
        try change(all[1]) { try $0.restoreAssets([$1]) }
        try exchange(all, &cloud)
        for library in all {
            let isHere = try library.store.read { try AssetRowFinder($0).asset(uuid: photo) != nil }
            #expect(isHere, "library \(library.number)")
            let here = try members(library)
            #expect(here == [], "library \(library.number)")
            try library.compareWithMergedState()
        }
    }

    @Test(arguments: [false, true])
    func aRestoredAlbumHasWhatOthersAddedMeanwhile(_ isReordered: Bool) throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let assets = try (1...4).map { try importPhoto(all[0], $0) }
        let album = try makeAlbum(all[0], Array(assets.prefix(2)))
        try exchange(all, &cloud)
        try all[1].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            let added = try assets.suffix(2).compactMap { try transaction.asset(uuid: $0)?.id }
            try transaction.appendMembers(added, to: id)
        }
        try all[1].synchronize(with: &cloud, Self.publish)
        try all[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            try transaction.deleteCollection(id: id)
        }
        // The additions arrive while the album is not here.
        try all[0].synchronize(with: &cloud, [.pollAll])
        _ = try all[0].store.undo(UndoRequest(redoes: false), author: "test")
        if isReordered {
            try all[0].store.write(author: "test") { transaction in
                let id = try #require(try transaction.collection(uuid: album)).id
                let last = try transaction.memberIDs(of: id).suffix(1)
                try transaction.placeMembers(Array(last), in: id, after: nil)
            }
        }
        try exchange(all, &cloud)
        let expected = isReordered ? [assets[3]] + assets.prefix(3) : assets
        for library in all {
            let here = try members(library)
            #expect(here == expected, "library \(library.number)")
            try library.compareWithMergedState()
        }
    }

    @Test func aNewAlbumThatAnotherDeviceAddedToStays() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let assets = try (1...2).map { try importPhoto(all[0], $0) }
        let album = try makeAlbum(all[0], [assets[0]])
        try exchange(all, &cloud)
        try all[1].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            let added = try #require(try transaction.asset(uuid: assets[1])).id
            try transaction.appendMembers([added], to: id)
        }
        try exchange(all, &cloud)
        let error = #expect(throws: LibraryError.self) {
            try all[0].store.undo(UndoRequest(redoes: false), author: "test")
        }
        #expect(error?.code == .changeNotSupported)
        try exchange(all, &cloud)
        for library in all {
            let here = try members(library)
            #expect(here == assets, "library \(library.number)")
            try library.compareWithMergedState()
        }
    }

    private func compare(_ libraries: [SyncedLibrary]) throws {
        let facts = try libraries[0].facts()
        for library in libraries {
            try library.compareWithMergedState()
            let others = try library.facts()
            #expect(others == facts, "library \(library.number)")
        }
    }

    private func collection(_ uuid: String, _ library: SyncedLibrary) throws -> CollectionRecord {
        let row = try library.store.read { database in
            try Row.fetchOne(
                database,
                sql: CollectionRecord.map.selectSQL + " WHERE uuid = ?",
                arguments: [uuid]
            )
        }
        return try CollectionRecord(row: try #require(row))
    }

    /// Another device moves the former folder of a folder into it before the move is undone.
    @Test func aFolderDoesNotReturnToOneThatIsInIt() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let (outer, inner) = try all[0].store.write(author: "test") { transaction in
            let outer = LibraryWorld.collection(.folder, "Outer")
            let id = try transaction.insertCollection(outer)
            let inner = LibraryWorld.collection(.folder, "Inner", in: id)
            try transaction.insertCollection(inner)
            return (outer.uuid, inner.uuid)
        }
        try exchange(all, &cloud)
        try all[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: inner)).id
            try transaction.appendCollections([id], to: CollectionRecord.root.id)
        }
        try exchange(all, &cloud)
        try all[1].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: outer)).id
            let folder = try #require(try transaction.collection(uuid: inner)).id
            try transaction.appendCollections([id], to: folder)
        }
        try exchange(all, &cloud)
        let error = #expect(throws: LibraryError.self) {
            try all[0].store.undo(UndoRequest(redoes: false), author: "test")
        }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.message.contains("“Inner”") == true)
        try exchange(all, &cloud)
        for library in all {
            let folder = try collection(inner, library)
            #expect(folder.parentID == CollectionRecord.root.id, "library \(library.number)")
            let moved = try collection(outer, library)
            #expect(moved.parentID == folder.id, "library \(library.number)")
        }
        try compare(all)
    }

    /// Another device changes the album's title while the album is deleted here.
    @Test func aRestoredAlbumHasTheLatestDate() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let album = try makeAlbum(all[0], [])
        try exchange(all, &cloud)
        try all[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            try transaction.deleteCollection(id: id)
        }
        all[1].clock.advance(by: 200_000)
        let date = all[1].clock.now
        try all[1].store.write(author: "test") { transaction in
            var record = try #require(try transaction.collection(uuid: album))
            record.title = "Elsewhere"
            try transaction.updateCollection(record)
        }
        try all[1].synchronize(with: &cloud, Self.publish)
        // The new date arrives while the album is not here.
        try all[0].synchronize(with: &cloud, [.pollAll])
        _ = try all[0].store.undo(UndoRequest(redoes: false), author: "test")
        try exchange(all, &cloud)
        for library in all {
            let record = try collection(album, library)
            #expect(record.modificationDate == date, "library \(library.number)")
        }
        try compare(all)
    }

    /// One device deletes the album before the other one, which did not have it, migrates it from
    /// the same source.
    @Test func anAlbumThatIsMigratedAgainHasTheDatesOfTheFirst() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        try exchange(all, &cloud)
        var record = LibraryWorld.collection(.album, "Holidays", in: 0)
        record.modificationDate = record.creationDate + 1_000
        let first = record
        try all[0].store.write(author: "test") { transaction in
            try transaction.deleteCollection(id: try transaction.insertCollection(first))
        }
        try exchange(all, &cloud)
        try compare(all)
        record.creationDate += 10
        record.modificationDate = record.creationDate
        let second = record
        _ = try all[1].store.write(author: "test") { try $0.insertCollection(second) }
        try exchange(all, &cloud)
        for library in all {
            let found = try collection(record.uuid, library)
            #expect(found.creationDate == first.creationDate, "library \(library.number)")
            #expect(found.modificationDate == first.modificationDate, "library \(library.number)")
        }
        try compare(all)
    }

    @Test func anAlbumThatBothDeletedIsRestoredOnce() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], 1)
        let album = try makeAlbum(all[0], [photo])
        try exchange(all, &cloud)
        for library in all {
            try library.store.write(author: "test") { transaction in
                let id = try #require(try transaction.collection(uuid: album)).id
                try transaction.deleteCollection(id: id)
            }
        }
        try exchange(all, &cloud)
        _ = try all[0].store.undo(UndoRequest(redoes: false), author: "test")
        try exchange(all, &cloud)
        // It is here again, with another row id.
        let error = #expect(throws: LibraryError.self) {
            try all[1].store.undo(UndoRequest(redoes: false), author: "test")
        }
        #expect(error?.code == .changeNotSupported)
        for library in all {
            let here = try members(library)
            #expect(here == [photo], "library \(library.number)")
            try library.compareWithMergedState()
        }
    }

    @Test func changesAreLaterThanWhatIsOnlyKept() throws {
        let library = try libraries(1)[0]
        let asset = try importPhoto(library, 1)
        let own = try #require(try library.store.exportChanges()).transactions.map(\.time)
        let ahead = HybridTime(rawValue: try #require(own.max()).rawValue + (3_600_000 << 20))
        let received = CloudTransaction(
            time: ahead,
            author: CloudID(9, 9),
            operations: [.set(CloudID(7, 7), RegisterKey(.title), rank: 0, .text("Elsewhere"))]
        )
        try library.store.importChanges([received])
        let version = try #require(try library.store.exportChanges()).through
        try library.store.importChanges([received])
        let repeated = try #require(try library.store.exportChanges()).through
        #expect(repeated == version)
        try library.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: asset))
            record.isFavorite.toggle()
            try transaction.updateAsset(record, contentChanged: false)
        }
        let times = try #require(try library.store.exportChanges()).transactions.map(\.time)
        let last = try #require(times.max())
        #expect(last > ahead)
    }

    @Test func aRepeatedExportIsEqual() throws {
        let library = try libraries(1)[0]
        let assets = try (1...9).map { try importPhoto(library, $0) }
        try library.store.write(author: "test") { transaction in
            for uuid in assets {
                var record = try #require(try transaction.asset(uuid: uuid))
                record.keywords = ["a", "b", "c", "d", "e", "f"]
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        _ = try makeAlbum(library, assets)
        while let first = try library.store.exportChanges(limit: 3) {
            for _ in 0..<5 {
                let second = try #require(try library.store.exportChanges(limit: 3))
                #expect(second.transactions == first.transactions)
                #expect(second.contents == first.contents)
                #expect(second.next == first.next)
            }
            try library.store.markExported(first)
        }
    }

    @Test func ownSegmentsThatSnapshotsCoverAreDeleted() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        for round in 0..<3 {
            for (number, library) in all.enumerated() {
                _ = try importPhoto(library, UInt8(round * 2 + number))
            }
            try exchange(all, &cloud)
        }
        for library in all {
            try library.synchronize(with: &cloud, [.snapshot, .snapshot, .compact])
        }
        for library in all {
            let first = cloud.logs[library.machine.device]?.map(\.sequence).min() ?? 0
            #expect(first > 1)
        }
        let late = try SyncedLibrary(number: 2, generator: SeededGenerator(seed: 9))
        try late.join()
        try exchange(all + [late], &cloud)
        try late.compareWithMergedState()
        let facts = try late.facts()
        let others = try all[0].facts()
        #expect(facts == others)
    }
}
