import CloudSync
import Foundation
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Photos that return to the library after another device changed them while they were gone.
@Suite(.timeLimit(.minutes(5))) struct ReturningPhotoTests {
    private let libraries: [SyncedLibrary]
    private var cloud = SimulatedStore()

    init() throws {
        libraries = try (0..<2).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            try library.join()
            return library
        }
    }

    private mutating func exchange() throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    private func photo(_ uuid: String, at library: Int) throws -> AssetRecord? {
        try libraries[library].store.read { try AssetRowFinder($0).asset(uuid: uuid) }
    }

    /// Checks a photo on both devices, and compares them with the merged state and each other.
    private func check(_ uuid: String, _ body: (AssetRecord) -> Void) throws {
        for library in libraries {
            body(try #require(try photo(uuid, at: library.number)))
            try library.compareWithMergedState()
        }
        let (first, second) = (try libraries[0].facts(), try libraries[1].facts())
        #expect(first == second)
    }

    // MARK: - Splits

    /// Undoes a split here, and exchanges a change that the other device makes before it knows.
    private mutating func changeUndoneSplit(
        _ split: String,
        _ body: (inout AssetRecord) -> Void
    ) throws {
        libraries[0].clock.advance(by: 1)
        _ = try libraries[0].store.undo(UndoRequest(redoes: false), author: "test")
        libraries[1].clock.advance(by: 200_000)
        try libraries[1].store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: split))
            body(&record)
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: false)
        }
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        // The change arrives while the photo is not here.
        try libraries[0].synchronize(with: &cloud, [.pollAll])
        let gone = try photo(split, at: 0)
        #expect(gone == nil)
    }

    @Test(arguments: [nil, "Before"] as [String?])
    mutating func aRedoneSplitHasWhatOthersChanged(title: String?) throws {
        let record = LibraryWorld.record("IMG_1.JPG")
        try libraries[0].insertWithFile(record, bytes: [1])
        try libraries[0].addSplittable(to: record.uuid, bytes: [2])
        let split = try libraries[0].splitSidecar(of: record.uuid) { record in
            record.title = title
            record.caption = "Caption"
            record.keywords = ["first", "removed"]
        }
        try exchange()
        let before = try #require(try photo(split, at: 0))
        try changeUndoneSplit(split) { record in
            record.title = "Elsewhere"
            record.rating = 4
            record.isFavorite = true
            record.keywords = ["first", "added"]
            record.location = Location(latitude: 48, longitude: 11)
        }
        let date = libraries[1].clock.now
        _ = try libraries[0].store.undo(UndoRequest(redoes: true), author: "test")
        // Its picture is the same, and so are its renditions.
        let after = try #require(try photo(split, at: 0))
        #expect(after.contentVersion == before.contentVersion)
        try exchange()
        try check(split) { photo in
            #expect(photo.title == "Elsewhere")
            #expect(photo.caption == "Caption")
            #expect(photo.rating == 4)
            #expect(photo.isFavorite)
            #expect(photo.keywords.sorted() == ["added", "first"])
            #expect(photo.location?.latitude == 48)
            #expect(photo.modificationDate == date)
            #expect(photo.trashedDate == nil)
        }
    }

    /// A redone split can be undone again, although it took over the values of the other device.
    @Test mutating func aRedoneSplitCanBeUndone() throws {
        let record = LibraryWorld.record("IMG_1.JPG")
        try libraries[0].insertWithFile(record, bytes: [1])
        try libraries[0].addSplittable(to: record.uuid, bytes: [2])
        let split = try libraries[0].splitSidecar(of: record.uuid)
        try exchange()
        try changeUndoneSplit(split) { $0.title = "Elsewhere" }
        for redoes in [true, false, true] {
            libraries[0].clock.advance(by: 1)
            _ = try libraries[0].store.undo(UndoRequest(redoes: redoes), author: "test")
        }
        try exchange()
        try check(split) { #expect($0.title == "Elsewhere") }
    }

    // MARK: - Migrations

    /// Migrates a photo and purges it at once on the second device, so that the first one never has
    /// a row for it.
    private mutating func migrateAndPurge(_ record: AssetRecord) throws {
        let written = try libraries[1].write([1], name: record.originalFilename)
        try libraries[1].store.write(author: "test") { transaction in
            var file = written
            file.assetID = try transaction.insertAsset(record)
            file.assetUUID = record.uuid
            try transaction.insertResource(file)
            try transaction.trashAssets([file.assetID])
            try transaction.purgeAssets([file.assetID])
        }
        try exchange()
        for library in libraries {
            let gone = try photo(record.uuid, at: library.number)
            #expect(gone == nil)
        }
    }

    private func migrated() -> AssetRecord {
        var record = LibraryWorld.record("IMG_1.JPG")
        record.title = "First"
        record.rating = 4
        record.keywords = ["first"]
        record.modificationDate = record.addedDate + 1_000
        return record
    }

    @Test mutating func aMigratedPhotoHasWhatOthersKnow() throws {
        let first = migrated()
        try migrateAndPurge(first)
        var second = first
        second.addedDate += 10
        second.modificationDate = second.addedDate
        second.originalFilename = "IMG_2.JPG"
        second.title = "Second"
        second.rating = 0
        second.keywords = ["second"]
        try libraries[0].insertWithFile(second, bytes: [1])
        try exchange()
        try check(first.uuid) { photo in
            // It comes with a name, a title and a keyword.
            #expect(photo.originalFilename == "IMG_2.JPG")
            #expect(photo.title == "Second")
            #expect(photo.keywords.sorted() == ["first", "second"])
            #expect(photo.rating == 4)
            #expect(photo.addedDate == first.addedDate)
            #expect(photo.modificationDate == first.modificationDate)
            #expect(photo.trashedDate == nil)
        }
        for library in libraries {
            let files = try library.presence(of: first.uuid).count
            #expect(files == 2, "library \(library.number)")
        }
    }

    @Test mutating func aPhotoThatLeavesAgainKeepsWhatOthersKnow() throws {
        let first = migrated()
        try migrateAndPurge(first)
        var second = first
        second.title = "Second"
        second.rating = 0
        let migrated = second
        try libraries[0].store.write(author: "test") { transaction in
            let id = try transaction.insertAsset(migrated)
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
        try exchange()
        for library in libraries { try library.compareWithMergedState() }
        var third = first
        third.title = nil
        third.rating = 0
        third.keywords = []
        try libraries[1].insertWithFile(third, bytes: [1])
        try exchange()
        try check(first.uuid) { photo in
            #expect(photo.title == "Second")
            #expect(photo.rating == 4)
            #expect(photo.keywords == ["first"])
        }
    }
}
