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

/// Memberships in albums that move between the albums and the photos while all objects are
/// exported.
///
/// Objects are exported in the order of their UUIDs, so the first part has the object `early`.
@Suite(.timeLimit(.minutes(5))) struct WholeExportTests {
    private static let early = "00000000-0000-4000-8000-000000000001"
    private static let late = "FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFE"

    private let libraries: [SyncedLibrary]
    private var cloud = SimulatedStore()

    init() throws {
        libraries = try (0..<3).map { number in
            try SyncedLibrary(number: number, generator: SeededGenerator(seed: UInt64(number)))
        }
        try libraries[1].join()
        try libraries[2].join()
    }

    private mutating func exchange() throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    // MARK: - Changes

    private func change(_ number: Int, _ body: (LibraryTransaction) throws -> Void) throws {
        libraries[number].clock.advance(by: 1)
        try libraries[number].store.write(author: "test") { try body($0) }
    }

    private func change(
        _ number: Int,
        photo: String,
        _ body: (LibraryTransaction, Int64) throws -> Void
    ) throws {
        try change(number) { transaction in
            try body(transaction, try #require(try transaction.asset(uuid: photo)).id)
        }
    }

    private func importPhoto(_ uuid: String) throws {
        var record = LibraryWorld.record("IMG_1.JPG")
        record.uuid = uuid
        try libraries[0].insertWithFile(record, bytes: [1])
    }

    private func makeAlbum(_ uuid: String) throws {
        try change(0) { transaction in
            var record = LibraryWorld.collection(.album, "Holidays", in: 0)
            record.uuid = uuid
            try transaction.insertCollection(record)
        }
    }

    private func add(_ photo: String, to album: String) throws {
        try change(0, photo: photo) { transaction, id in
            let holidays = try #require(try transaction.collection(uuid: album)).id
            try transaction.appendMembers([id], to: holidays)
        }
    }

    private func purge(_ photo: String, _ number: Int) throws {
        try change(number, photo: photo) { try $0.trashAssets([$1]) }
        try change(number, photo: photo) { try $0.purgeAssets([$1]) }
    }

    /// Moves a photo to the trash and restores it, later than all other changes, so that purges of
    /// others are void.
    private func revive(_ photo: String, _ number: Int) throws {
        libraries[number].clock.advance(by: 400 * 86_400)
        try change(number, photo: photo) { try $0.trashAssets([$1]) }
        try change(number, photo: photo) { try $0.restoreAssets([$1]) }
    }

    // MARK: - Parts

    /// Exports the first object of a library that exports all, and publishes it.
    private mutating func publishFirstObject(_ uuid: String) throws {
        let part = try #require(try libraries[0].exportPart(limit: 1))
        #expect(part.next == uuid)
        #expect(!part.isComplete)
        try libraries[0].perform(SyncedLibrary.publishing, with: &cloud)
    }

    private func exportRest() throws {
        var parts = 0
        while try libraries[0].exportPart(limit: 100) != nil { parts += 1 }
        #expect(parts > 0)
        let records = try libraries[0].store.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM cloudStamp WHERE kind = ?",
                arguments: [CloudStampTable.Kind.moved.rawValue]
            )
        }
        #expect(records == 0)
    }

    private func checkPresence(of photo: String, _ expected: Bool) throws {
        let isHere = try libraries[0].store.read {
            try AssetRowFinder($0).asset(uuid: photo) != nil
        }
        #expect(isHere == expected)
    }

    private func checkMembers(_ expected: [String]) throws {
        let facts = try libraries[0].facts()
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
            let others = try library.facts()
            #expect(others == facts, "library \(library.number)")
        }
    }

    // MARK: - Tests

    /// The photo was exported before the purge, and the album is exported after it.
    @Test mutating func aMembershipIsPublishedAlthoughThePhotoIsPurgedMeanwhile() throws {
        let (photo, album) = (Self.early, Self.late)
        try importPhoto(photo)
        try makeAlbum(album)
        try add(photo, to: album)
        try libraries[0].join()
        try publishFirstObject(photo)
        try libraries[1].synchronize(with: &cloud, [.pollAll])
        try purge(photo, 0)
        try revive(photo, 1)
        try exportRest()
        try exchange()
        try checkMembers([photo])
    }

    /// The album was exported while the purged photo kept the membership.
    @Test mutating func aMembershipIsPublishedAlthoughThePhotoReturnsMeanwhile() throws {
        let (photo, album) = (Self.late, Self.early)
        try libraries[0].join()
        try importPhoto(photo)
        try makeAlbum(album)
        try exchange()
        try add(photo, to: album)
        try purge(photo, 0)
        // The journal ends after the last export, so all objects are exported.
        libraries[0].clock.advance(by: 100 * 86_400)
        try libraries[0].store.pruneHistory()
        try publishFirstObject(album)
        try revive(photo, 1)
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        try checkPresence(of: photo, false)
        try libraries[0].perform([.pollAll], with: &cloud)
        try checkPresence(of: photo, true)
        try exportRest()
        try exchange()
        try checkMembers([photo])
    }

    /// The photo was exported while the deleted album kept the membership, and is purged when the
    /// album returns.
    @Test mutating func aMembershipIsPublishedAlthoughTheAlbumReturnsMeanwhile() throws {
        let (photo, album) = (Self.early, Self.late)
        try importPhoto(photo)
        try makeAlbum(album)
        try add(photo, to: album)
        try libraries[0].join()
        try change(0) { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            try transaction.deleteCollection(id: id)
        }
        try publishFirstObject(photo)
        for library in libraries.dropFirst() {
            try library.synchronize(with: &cloud, [.pollAll])
        }
        try purge(photo, 1)
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        try libraries[0].perform([.pollAll], with: &cloud)
        try checkPresence(of: photo, false)
        libraries[0].clock.advance(by: 1)
        _ = try libraries[0].store.undo(UndoRequest(redoes: false), author: "test")
        try revive(photo, 2)
        try exportRest()
        try exchange()
        try checkMembers([photo])
    }
}
