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

/// Photos that several devices imported and that leave the library, alone or with their twins.
@Suite(.timeLimit(.minutes(5))) struct TwinDepartureTests {
    /// The libraries of one cloud library.
    private struct Devices {
        let libraries: [SyncedLibrary]
        var cloud = SimulatedStore()

        init(_ count: Int) throws {
            libraries = try (0..<count).map { number in
                let generator = SeededGenerator(seed: UInt64(number))
                let library = try SyncedLibrary(number: number, generator: generator)
                try library.join()
                return library
            }
        }

        mutating func synchronize(_ number: Int, _ duties: [Duty]) throws {
            try libraries[number].synchronize(with: &cloud, duties)
        }

        mutating func publish(_ number: Int) throws {
            try synchronize(number, SyncedLibrary.publishing)
        }

        mutating func exchange() throws {
            for _ in 0..<4 {
                for number in libraries.indices {
                    try synchronize(
                        number,
                        SyncedLibrary.publishing + [.pollAll, .pairTwins(limit: 8)]
                    )
                }
            }
        }

        func importPhoto(_ number: Int, _ byte: UInt8) throws -> String {
            let record = LibraryWorld.record("IMG_\(byte).JPG")
            try libraries[number].insertWithFile(record, bytes: [byte])
            return record.uuid
        }

        /// Imports the same bytes in all libraries, and returns the UUIDs in the order of the
        /// imports.
        func importTwins() throws -> [String] {
            try libraries.indices.map { number in
                // The clocks differ by less than a day.
                libraries[number].clock.advance(by: Double(number) * 2 * 86_400)
                return try importPhoto(number, 200)
            }
        }

        func makeAlbum(_ number: Int, _ photos: [String]) throws -> String {
            try libraries[number].store.write(author: "test") { transaction in
                let id = try transaction.insertCollection(
                    LibraryWorld.collection(.album, "Holidays")
                )
                let rows = try photos.compactMap { try transaction.asset(uuid: $0)?.id }
                try transaction.appendMembers(rows, to: id)
                return try #require(try transaction.collection(id: id)).uuid
            }
        }

        /// Changes a photo, as the person who uses a library.
        func change(
            _ number: Int,
            _ photo: String,
            _ body: (LibraryTransaction, _ photo: Int64) throws -> Void
        ) throws {
            libraries[number].clock.advance(by: 1)
            try libraries[number].store.write(author: "test") { transaction in
                try body(transaction, try #require(try transaction.asset(uuid: photo)).id)
            }
        }

        func purge(_ number: Int, _ photo: String) throws {
            try change(number, photo) { transaction, photo in
                try transaction.trashAssets([photo])
                try transaction.purgeAssets([photo])
            }
        }

        /// Returns the members of all albums of a library.
        func members(_ number: Int) throws -> [String] {
            try libraries[number].store.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT uuid FROM albumAsset JOIN asset ON asset.id = assetId
                        ORDER BY albumId, position, assetId
                        """
                )
            }
        }

        func assets(_ number: Int) throws -> [AssetRecord] {
            try libraries[number].store.read {
                try Row.fetchAll($0, sql: AssetRecord.map.selectSQL).map(AssetRecord.init(row:))
            }
        }

        /// Compares the libraries with each other and with the merged state of all operations.
        func compare() throws {
            let first = try libraries[0].facts()
            for library in libraries {
                do { try library.compareWithMergedState() } catch let error as Difference {
                    throw Difference("library \(library.number): \(error)")
                }
                let facts = try library.facts()
                let different = Set(facts.keys).union(first.keys).filter { name in
                    facts[name] != first[name]
                }
                #expect(different == [], "library \(library.number)")
            }
        }
    }

    /// The album's photo is shown as the earlier one of the other computer meanwhile, which no
    /// person did.
    @Test func anImportWithAnAlbumIsUndoneAfterItsPhotoGaveWay() throws {
        var devices = try Devices(2)
        let twins = try devices.importTwins()
        _ = try devices.makeAlbum(1, [twins[1]])
        try devices.exchange()
        #expect(try devices.members(1) == [twins[0]])
        _ = try devices.libraries[1].store.undo(UndoRequest(redoes: false), author: "test")
        try devices.exchange()
        for number in 0..<2 { #expect(try devices.members(number) == []) }
        #expect(try devices.assets(1).map(\.uuid) == [twins[0]])
        try devices.compare()
    }

    /// Another device, which does not know of the twins, adds its copy to an album and purges it.
    @Test(arguments: [false, true])
    func aMembershipLeavesWithItsTwin(isOtherInAlbum: Bool) throws {
        var devices = try Devices(3)
        let neighbor = try devices.importPhoto(0, 1)
        let album = try devices.makeAlbum(0, [neighbor])
        try devices.exchange()
        let twins = try devices.importTwins()
        if isOtherInAlbum {
            try devices.change(2, twins[2]) { transaction, photo in
                let id = try #require(try transaction.collection(uuid: album)).id
                try transaction.placeMembers([photo], in: id, after: nil)
            }
        }
        // The membership is later than those of others, and the copy is not the last import.
        devices.libraries[1].clock.advance(by: 8 * 86_400)
        try devices.change(1, twins[1]) { transaction, photo in
            let id = try #require(try transaction.collection(uuid: album)).id
            try transaction.appendMembers([photo], to: id)
        }
        try devices.publish(1)
        try devices.publish(2)
        try devices.synchronize(
            0,
            SyncedLibrary.publishing + [.pollAll, .pairTwins(limit: 8)]
        )
        let united = try devices.members(0)
        #expect(united == [neighbor, twins[0]])
        try devices.purge(1, twins[1])
        try devices.publish(1)
        try devices.synchronize(0, [.pollAll])
        let expected = isOtherInAlbum ? [twins[0], neighbor] : [neighbor]
        let separated = try devices.members(0)
        #expect(separated == expected)
        try devices.exchange()
        for number in devices.libraries.indices {
            let members = try devices.members(number)
            #expect(members == expected, "library \(number)")
        }
        try devices.compare()
    }

    /// The photo has the date on which a person deleted it, since a change wins over the later
    /// import of the other copy into Recently Deleted.
    @Test func aPurgeNamesTheTrashOfEachTwin() throws {
        var devices = try Devices(2)
        let photo = try devices.importPhoto(0, 7)
        try devices.change(0, photo) { try $0.trashAssets([$1]) }
        let date = try #require(try devices.assets(0).first?.trashedDate)
        // The clocks differ by less than a day.
        devices.libraries[1].clock.advance(by: 2 * 86_400)
        var migrated = LibraryWorld.record("IMG_7.JPG")
        migrated.trashedDate = devices.libraries[1].clock.now
        try devices.libraries[1].insertWithFile(migrated, bytes: [7])
        try devices.exchange()
        for number in devices.libraries.indices {
            let assets = try devices.assets(number)
            #expect(assets.map(\.uuid) == [photo], "library \(number)")
            #expect(assets.first?.trashedDate == date, "library \(number)")
        }
        try devices.change(0, photo) { try $0.purgeAssets([$1]) }
        try devices.exchange()
        for number in devices.libraries.indices {
            let assets = try devices.assets(number)
            #expect(assets.map(\.uuid) == [], "library \(number)")
        }
        try devices.compare()
    }

    /// The photo was purged before the album was deleted, so the album did not have it then.
    ///
    /// The purge is void, since the other device restored the photo.
    @Test(arguments: [false, true])
    func anAlbumThatReturnsHasThePhotoThatReturnedBefore(isDeletionPublished: Bool) throws {
        var devices = try Devices(2)
        let twins = try devices.importTwins()
        try devices.exchange()
        let album = try devices.makeAlbum(0, [twins[0]])
        try devices.exchange()
        try devices.purge(0, twins[0])
        try devices.libraries[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            try transaction.deleteCollection(id: id)
        }
        try devices.change(1, twins[0]) { try $0.trashAssets([$1]) }
        try devices.change(1, twins[0]) { try $0.restoreAssets([$1]) }
        try devices.publish(1)
        try devices.synchronize(0, [.pollAll])
        let (returned, away) = (try devices.assets(0), try devices.members(0))
        #expect(returned.map(\.uuid) == [twins[0]])
        #expect(away == [])
        if isDeletionPublished {
            try devices.exchange()
            let before = try devices.libraries.map { try Self.pendingCount(of: album, $0) }
            try devices.change(1, twins[0]) { transaction, photo in
                var record = try #require(try transaction.asset(id: photo))
                record.rating = 3
                try transaction.updateAsset(record, contentChanged: false)
            }
            try devices.exchange()
            // The membership is kept once.
            let after = try devices.libraries.map { try Self.pendingCount(of: album, $0) }
            #expect(after == before)
            try devices.compare()
        }
        devices.libraries[0].clock.advance(by: 1)
        _ = try devices.libraries[0].store.undo(UndoRequest(redoes: false), author: "test")
        try devices.exchange()
        for number in devices.libraries.indices {
            let members = try devices.members(number)
            #expect(members == [twins[0]], "library \(number)")
        }
        try devices.compare()
    }

    /// Returns the number of transactions that a library keeps of an object.
    private static func pendingCount(of object: String, _ library: SyncedLibrary) throws -> Int {
        try library.store.read { database in
            try CloudPendingTable(database: database).transactions(of: object).count
        }
    }
}
