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

/// Files of photos that are purged before the files were published.
///
/// The purges are void, since the third device restores the photo.
@Suite(.timeLimit(.minutes(5))) struct FileTravelTests {
    private var libraries: [SyncedLibrary] = []
    private var cloud = SimulatedStore()
    private let photo: String

    init() throws {
        libraries = try (0..<3).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            try library.join()
            return library
        }
        let record = LibraryWorld.record("IMG_1.JPG")
        try libraries[0].insertWithFile(record, bytes: [1])
        photo = record.uuid
        try exchange()
    }

    private mutating func exchange() throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    private func change(
        _ number: Int,
        _ body: (LibraryTransaction, _ photo: Int64) throws -> Void
    ) throws {
        libraries[number].clock.advance(by: 1)
        try libraries[number].store.write(author: "test") { transaction in
            try body(transaction, try #require(try transaction.asset(uuid: photo)).id)
        }
    }

    /// Moves the photo to the trash everywhere, and restores it on the third device, which does not
    /// publish that yet.
    private mutating func trashAndRestore() throws {
        try change(1) { try $0.trashAssets([$1]) }
        try exchange()
        try change(2) { try $0.restoreAssets([$1]) }
    }

    /// The second device purges the photo, and the first one receives nothing but that.
    private mutating func purgeElsewhere() throws {
        try change(1) { try $0.purgeAssets([$1]) }
        try libraries[1].synchronize(with: &cloud, SyncedLibrary.publishing)
        let purge = try #require(try cloud.publishedPurge(of: photo))
        try libraries[0].store.importChanges([purge])
        let isHere = try libraries[0].store.read {
            try AssetRowFinder($0).asset(uuid: photo) != nil
        }
        #expect(!isHere)
    }

    private func check(_ file: ResourceRecord, is type: ResourceType) throws {
        let facts = try libraries[0].facts()
        for library in libraries {
            let found = try library.store.read { database in
                try Int.fetchOne(
                    database,
                    sql: "SELECT type FROM resource WHERE uuid = ?",
                    arguments: [file.uuid]
                )
            }
            #expect(found == type.rawValue, "library \(library.number)")
            try library.compareWithMergedState()
            let others = try library.facts()
            #expect(others == facts, "library \(library.number)")
        }
    }

    @Test mutating func aFileIsPublishedAlthoughAnotherDevicePurgedThePhoto() throws {
        try trashAndRestore()
        let file = try libraries[0].addSidecar(to: photo, bytes: [7])
        try purgeElsewhere()
        try exchange()
        try check(file, is: .sidecar)
        // It is uploaded as a file that nobody has stored.
        let content = try #require(ContentID(hexadecimal: file.sha256))
        let isHere = try libraries[0].store.openContent(content) != nil
        #expect(isHere)
        let missing = libraries[0].machine.contentsWithoutBlob
        #expect(missing.contains(content))
    }

    /// The journal names the file only, and not the photo.
    @Test mutating func aChangedFileIsPublishedAlthoughAnotherDevicePurgedThePhoto() throws {
        let file = try libraries[0].addSidecar(to: photo, bytes: [7])
        try exchange()
        try trashAndRestore()
        try change(0) { transaction, id in
            let files = try transaction.resources(ofAsset: id)
            var changed = try #require(files.first { $0.uuid == file.uuid })
            changed.type = .alternatePhoto
            try transaction.updateResource(changed)
        }
        try purgeElsewhere()
        try exchange()
        try check(file, is: .alternatePhoto)
    }

    /// The purge may be in a later part of the export.
    @Test(arguments: [1, 20_000])
    mutating func aFileIsPublishedAlthoughThePhotoWasPurged(entriesPerPage: Int) throws {
        try trashAndRestore()
        libraries[0].entriesPerPage = entriesPerPage
        let file = try libraries[0].addSidecar(to: photo, bytes: [7])
        try change(0) { try $0.purgeAssets([$1]) }
        try exchange()
        try check(file, is: .sidecar)
    }

    /// A later reader may find other properties in a file that all devices have.
    @Test mutating func propertiesOfAFileTravel() throws {
        let file = try libraries[0].addSidecar(to: photo, bytes: [7])
        try exchange()
        try change(0) { transaction, id in
            let files = try transaction.resources(ofAsset: id)
            var changed = try #require(files.first { $0.uuid == file.uuid })
            changed.contentType = "com.adobe.raw-image"
            changed.pixelSize = PixelSize(width: 6, height: 4)
            try transaction.updateResource(changed)
        }
        try exchange()
        try check(file, is: .sidecar)
        let type = try libraries[1].store.read { database in
            try String.fetchOne(
                database,
                sql: "SELECT contentType FROM resource WHERE uuid = ?",
                arguments: [file.uuid]
            )
        }
        #expect(type == "com.adobe.raw-image")
    }
}
