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

/// Memberships in albums of photos that are purged before the memberships were published, or while
/// others change them.
@Suite(.timeLimit(.minutes(5))) struct MembershipTravelTests {
    private var libraries: [SyncedLibrary] = []
    private var cloud = SimulatedStore()
    private let photos: [String]
    private let album: String

    init() throws {
        libraries = try (0..<3).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            try library.join()
            return library
        }
        let first = libraries[0]
        photos = try (1...2 as ClosedRange<UInt8>).map { byte in
            let record = LibraryWorld.record("IMG_\(byte).JPG")
            try first.insertWithFile(record, bytes: [byte])
            return record.uuid
        }
        album = try first.store.write(author: "test") { transaction in
            let record = LibraryWorld.collection(.album, "Holidays", in: 0)
            let id = try transaction.insertCollection(record)
            return try #require(try transaction.collection(id: id)).uuid
        }
        try exchange()
    }

    private mutating func exchange() throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    /// Changes the first photo, as the person who uses a library.
    private func change(
        _ number: Int,
        _ body: (LibraryTransaction, _ photo: Int64, _ album: Int64) throws -> Void
    ) throws {
        libraries[number].clock.advance(by: 1)
        try libraries[number].store.write(author: "test") { transaction in
            try body(
                transaction,
                try #require(try transaction.asset(uuid: photos[0])).id,
                try #require(try transaction.collection(uuid: album)).id
            )
        }
    }

    private func checkMembers(_ expected: [String]) throws {
        for library in libraries {
            let members = try library.store.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT uuid FROM albumAsset JOIN asset ON asset.id = assetId
                        ORDER BY position, assetId
                        """
                )
            }
            #expect(members == expected, "library \(library.number)")
            try library.compareWithMergedState()
        }
        try checkFacts()
    }

    private func checkFacts() throws {
        let facts = try libraries[0].facts()
        for library in libraries.dropFirst() {
            let others = try library.facts()
            #expect(others == facts, "library \(library.number)")
        }
    }

    /// The purge is void, since the other device restored the photo.
    @Test(arguments: [1, 20_000])
    mutating func aMembershipIsPublishedAlthoughThePhotoWasPurged(entriesPerPage: Int) throws {
        try change(0) { transaction, photo, _ in try transaction.trashAssets([photo]) }
        try exchange()
        try change(1) { transaction, photo, _ in try transaction.restoreAssets([photo]) }
        libraries[0].entriesPerPage = entriesPerPage
        try change(0) { transaction, photo, album in
            try transaction.appendMembers([photo], to: album)
        }
        try change(0) { transaction, photo, _ in try transaction.purgeAssets([photo]) }
        try exchange()
        try checkMembers([photos[0]])
    }

    /// The purge of another device arrives before the membership is exported, and is void, since a
    /// third one restored the photo.
    @Test mutating func aMembershipIsPublishedAlthoughAnotherDevicePurgedThePhoto() throws {
        try change(1) { transaction, photo, _ in try transaction.trashAssets([photo]) }
        try exchange()
        try change(2) { transaction, photo, _ in try transaction.restoreAssets([photo]) }
        try change(1) { transaction, photo, _ in try transaction.purgeAssets([photo]) }
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        try change(0) { transaction, photo, album in
            try transaction.appendMembers([photo], to: album)
        }
        // The host had read changes before the person made theirs.
        let purge = try #require(try cloud.publishedPurge(of: photos[0]))
        try libraries[0].store.importChanges([purge])
        let isHere = try libraries[0].store.read {
            try AssetRowFinder($0).asset(uuid: photos[0]) != nil
        }
        #expect(!isHere)
        try exchange()
        try checkMembers([photos[0]])
    }

    /// The album ran out of order keys, so the photo has a new one, although no journal entry names
    /// it.
    @Test(arguments: [1, 20_000])
    mutating func aNewOrderKeyIsPublishedAlthoughAnotherDevicePurgedThePhoto(
        entriesPerPage: Int
    ) throws {
        let record = LibraryWorld.record("IMG_4.JPG")
        try libraries[0].insertWithFile(record, bytes: [4])
        let (second, between) = (photos[1], record.uuid)
        try change(0) { transaction, photo, album in
            let other = try #require(try transaction.asset(uuid: second)).id
            try transaction.appendMembers([photo, other], to: album)
        }
        try libraries[0].makeOrderKeysEqual()
        try change(1) { transaction, photo, _ in try transaction.trashAssets([photo]) }
        try exchange()
        try change(2) { transaction, photo, _ in try transaction.restoreAssets([photo]) }
        try change(1) { transaction, photo, _ in try transaction.purgeAssets([photo]) }
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        libraries[0].entriesPerPage = entriesPerPage
        try change(0) { transaction, photo, album in
            let other = try #require(try transaction.asset(uuid: between)).id
            try transaction.placeMembers([other], in: album, after: photo)
        }
        let purge = try #require(try cloud.publishedPurge(of: photos[0]))
        try libraries[0].store.importChanges([purge])
        try exchange()
        try checkMembers([photos[0], between, second])
        let facts = try libraries.map { try $0.facts() }
        #expect(facts[1] == facts[0] && facts[2] == facts[0])
    }

    /// The modification date of a change is published, although another device purged the photo.
    @Test mutating func aDateIsPublishedAlthoughAnotherDevicePurgedThePhoto() throws {
        try change(1) { transaction, photo, _ in try transaction.trashAssets([photo]) }
        try exchange()
        try change(2) { transaction, photo, _ in try transaction.restoreAssets([photo]) }
        try change(1) { transaction, photo, _ in try transaction.purgeAssets([photo]) }
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        libraries[0].clock.advance(by: 200_000)
        let date = libraries[0].clock.now
        try change(0) { transaction, photo, _ in
            var record = try #require(try transaction.asset(id: photo))
            record.rating = 3
            record.modificationDate = date
            try transaction.updateAsset(record, contentChanged: false)
        }
        let purge = try #require(try cloud.publishedPurge(of: photos[0]))
        try libraries[0].store.importChanges([purge])
        try exchange()
        for library in libraries {
            let asset = try library.store.read { try AssetRowFinder($0).asset(uuid: photos[0]) }
            #expect(asset?.modificationDate == date, "library \(library.number)")
            try library.compareWithMergedState()
        }
    }

    /// Another device had added a photo that a change adds and takes back, while the change purges
    /// another photo of the album.
    @Test mutating func aPurgeLeavesOtherMembersAlone() throws {
        let other = photos[1]
        try change(1) { transaction, _, album in
            let id = try #require(try transaction.asset(uuid: other)).id
            try transaction.appendMembers([id], to: album)
        }
        // Its stamp is later.
        libraries[0].clock.advance(by: 200_000)
        try change(0) { transaction, photo, album in
            let id = try #require(try transaction.asset(uuid: other)).id
            try transaction.appendMembers([photo, id], to: album)
            try transaction.trashAssets([photo])
            try transaction.purgeAssets([photo])
            try transaction.removeMembers([id], from: album)
        }
        try exchange()
        try checkMembers([other])
    }

    /// Two members have equal keys, and a photo between them is purged by the change that added it.
    @Test mutating func aPurgeGivesOtherMembersNoNewKeys() throws {
        let more = try (3...4 as ClosedRange<UInt8>).map { byte in
            let record = LibraryWorld.record("IMG_\(byte).JPG")
            try libraries[0].insertWithFile(record, bytes: [byte])
            return record.uuid
        }
        try exchange()
        for (number, uuid) in more.enumerated() {
            try change(number) { transaction, _, album in
                let id = try #require(try transaction.asset(uuid: uuid)).id
                try transaction.appendMembers([id], to: album)
            }
        }
        try exchange()
        try checkMembers(more.sorted())
        try change(0) { transaction, photo, album in
            let first = try transaction.memberIDs(of: album).first
            try transaction.placeMembers([photo], in: album, after: first)
            try transaction.trashAssets([photo])
            try transaction.purgeAssets([photo])
        }
        let last = photos[1]
        try change(1) { transaction, _, album in
            let id = try #require(try transaction.asset(uuid: last)).id
            try transaction.appendMembers([id], to: album)
        }
        try exchange()
        try checkMembers(more.sorted() + [last])
    }

    /// Another device adds the photo to an album while its split is undone here.
    @Test mutating func aPhotoThatReturnsHasTheAlbumsOfOthers() throws {
        let first = libraries[0]
        try first.addSplittable(to: photos[0], bytes: [3])
        let split = try first.splitSidecar(of: photos[0])
        try exchange()
        first.clock.advance(by: 1)
        _ = try first.store.undo(UndoRequest(redoes: false), author: "test")
        let isHere = try first.store.read { try AssetRowFinder($0).asset(uuid: split) != nil }
        #expect(!isHere)
        try change(1) { transaction, _, album in
            let id = try #require(try transaction.asset(uuid: split)).id
            try transaction.appendMembers([id], to: album)
        }
        // The first library receives the change while the photo is not there.
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        try first.synchronize(with: &cloud, [.pollAll])
        first.clock.advance(by: 100)
        _ = try first.store.undo(UndoRequest(redoes: true), author: "test")
        try exchange()
        try checkMembers([split])
    }
}
