import CloudSync
import Foundation
import GRDB
import LibraryService
import Glibc
import PhotoModel
import SamplePhotos
import Synchronization
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Originals that are removed to free space, as the library does it once the store has them.
@Suite(.timeLimit(.minutes(5))) struct OriginalRemovalTests {
    private let library: SyncedLibrary
    private var store: LibraryStore { library.store }

    init() throws {
        library = try SyncedLibrary(number: 0, generator: SeededGenerator(seed: 1))
        try library.join()
    }

    private func importPhoto(_ bytes: [UInt8]) throws -> (asset: String, content: ContentID) {
        let record = LibraryWorld.record("IMG_\(bytes.count).JPG")
        try library.insertWithFile(record, bytes: bytes)
        return (record.uuid, try library.content(of: record.uuid))
    }

    /// Lets the cloud library have all changes.
    private func exportAll() throws {
        while let export = try store.exportChanges() { try store.markExported(export) }
    }

    private func path(of asset: String, _ number: Int = 0) throws -> String {
        try store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT path FROM resource JOIN asset ON asset.id = assetId WHERE asset.uuid = ?
                    ORDER BY resource.id
                    """,
                arguments: [asset]
            )[number]
        }
    }

    private func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: store.bundle.absolutePath(of: path))
    }

    private func chosen(bytes: Int64 = .max, limit: Int = 100) throws -> [ContentID] {
        try store.removableOriginals(bytes: bytes, limit: limit, except: []).map(\.content)
    }

    private func setAccessTime(of asset: String, daysAgo days: Double) throws {
        let path = store.bundle.absolutePath(of: try path(of: asset))
        let seconds = Date().timeIntervalSince1970 - days * 86_400
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        #expect(
            [time, time].withUnsafeBufferPointer { times in
                utimensat(AT_FDCWD, path, times.baseAddress, 0) == 0
            }
        )
    }

    private func asset(_ uuid: String) throws -> AssetRecord {
        try store.read { database in
            try #require(try AssetRowFinder(database).asset(uuid: uuid))
        }
    }

    /// Changes a photo as a person does.
    private func change(
        _ uuid: String,
        _ body: (inout AssetRecord) -> Void
    ) throws {
        try store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: uuid))
            body(&record)
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    @Test func removingChangesNothingElse() throws {
        let (uuid, content) = try importPhoto([1, 2, 3])
        try exportAll()
        let none = try store.missingFileCounts()
        #expect(none == (0, 0))
        let before = try asset(uuid)
        let file = try path(of: uuid)
        let removed = try store.removeOriginals([content])
        #expect(removed == [content])
        #expect(!isThere(file))
        let counts = try store.missingFileCounts()
        #expect(counts == (0, 1))
        #expect(try asset(uuid) == before)
        let export = try store.exportChanges()
        #expect(export?.transactions.isEmpty != false)
        #expect(try store.openContent(content) == nil)
        let pending = try store.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM discardedFile")
        }
        #expect(pending == 0)
        let findings = try Verifier(store: store)
            .verify(VerifyRequest(isFull: true, repairs: false)).findings
        #expect(findings == [])
        // A second time there is nothing to remove.
        #expect(try store.removeOriginals([content]) == [])
        #expect(try chosen() == [])
    }

    @Test func aRemovedFileThatComesBackIsTheSameToEverybody() throws {
        let (uuid, content) = try importPhoto([1, 2, 3])
        try exportAll()
        let before = try asset(uuid)
        let bytes = try #require(try library.bytes(of: content))
        _ = try store.removeOriginals([content])
        #expect(try store.missingContents(limit: 9) == [content])
        let staging = try store.cloudStaging()
        defer { staging.end() }
        let file = try staging.createFile()
        try file.write(bytes)
        #expect(try store.placeContent(content, from: file) == [uuid])
        #expect(try store.missingFileCounts() == (0, 0))
        #expect(try library.bytes(of: content) == bytes)
        #expect(try asset(uuid) == before)
    }

    /// A change that no other device has may be about the content.
    @Test func nothingIsRemovedWhileChangesWait() throws {
        let (uuid, content) = try importPhoto([1, 2, 3])
        #expect(try store.removeOriginals([content]) == [])
        try exportAll()
        try change(uuid) { $0.title = "New" }
        #expect(try store.removeOriginals([content]) == [])
        #expect(isThere(try path(of: uuid)))
        try exportAll()
        #expect(try store.removeOriginals([content]) == [content])
    }

    @Test func recentFavoritesStay() throws {
        let (uuid, content) = try importPhoto([1, 2, 3])
        try change(uuid) { $0.isFavorite = true }
        try exportAll()
        #expect(try chosen() == [])
        #expect(try store.removeOriginals([content]) == [])
        library.clock.advance(by: 29 * 86_400)
        #expect(try chosen() == [])
        library.clock.advance(by: 2 * 86_400)
        #expect(try chosen() == [content])
        #expect(try store.removeOriginals([content]) == [content])
        // A new favorite is needed here again.
        try change(uuid) { $0.isFavorite = false }
        #expect(try store.neededContents() == [])
        try change(uuid) { $0.isFavorite = true }
        #expect(try store.neededContents() == [content])
    }

    @Test func photosOfKeptAlbumsStay() throws {
        let (uuid, content) = try importPhoto([1, 2, 3])
        let (_, other) = try importPhoto([4, 5])
        let album = try store.write(author: "test") { transaction in
            let record = LibraryWorld.collection(.album, "Kept")
            let id = try transaction.insertCollection(record)
            let asset = try #require(try transaction.asset(uuid: uuid))
            try transaction.appendMembers([asset.id], to: id)
            return record.uuid
        }
        try exportAll()
        let unknown = #expect(throws: LibraryError.self) {
            try store.setAlbum(UUID().uuidString, isKept: true)
        }
        #expect(unknown?.code == .identifierNotFound)
        try store.setAlbum(album, isKept: true)
        #expect(try store.keptAlbums() == [album])
        #expect(try chosen() == [other])
        #expect(try store.removeOriginals([content, other]) == [other])
        try store.setAlbum(album, isKept: false)
        #expect(try store.keptAlbums() == [])
        #expect(try store.removeOriginals([content]) == [content])
        #expect(try store.neededContents() == [])
        try store.setAlbum(album, isKept: true)
        #expect(try store.neededContents() == [content])
    }

    /// Kept photos do not hide those that were opened later.
    @Test func keptPhotosLeaveRoomForOthers() throws {
        let kept = try [[1], [2]].map { try importPhoto($0).asset }
        let (later, content) = try importPhoto([3, 4])
        try setAccessTime(of: later, daysAgo: 0)
        for asset in kept { try setAccessTime(of: asset, daysAgo: 9) }
        let album = try store.write(author: "test") { transaction in
            let record = LibraryWorld.collection(.album, "Kept")
            let id = try transaction.insertCollection(record)
            let members = try kept.map { try #require(try transaction.asset(uuid: $0)).id }
            try transaction.appendMembers(members, to: id)
            return record.uuid
        }
        try exportAll()
        try store.setAlbum(album, isKept: true)
        #expect(try chosen(limit: 1) == [content])
    }

    /// A content is removed as a whole, and never a file that editing made.
    @Test(arguments: [
        ResourceType.fullSizePhoto, .adjustmentData, .adjustmentBasePhoto, .sidecar,
    ]) func filesOfOtherTypesKeepTheirContent(_ type: ResourceType) throws {
        let (uuid, content) = try importPhoto([1, 2, 3])
        let (second, _) = try importPhoto([1, 2, 3])
        try exportAll()
        #expect(try chosen() == [content])
        try store.alone { database in
            try database.execute(
                sql: """
                    UPDATE resource SET type = ?
                    WHERE assetId = (SELECT id FROM asset WHERE uuid = ?)
                    """,
                arguments: [type.rawValue, second]
            )
        }
        #expect(try chosen() == [])
        #expect(try store.removeOriginals([content]) == [])
        #expect(isThere(try path(of: uuid)))
    }

    @Test func allFilesWithAContentAreRemoved() throws {
        let (first, content) = try importPhoto([1, 2, 3])
        let (second, _) = try importPhoto([1, 2, 3])
        try exportAll()
        let found = try store.removableOriginals(bytes: 1, limit: 9, except: [])
        #expect(found.map(\.size) == [6])
        #expect(found.map(\.assets) == [[first, second].sorted()])
        #expect(try store.removeOriginals([content]) == [content])
        #expect(try store.missingFileCounts() == (0, 2))
        for uuid in [first, second] { #expect(!isThere(try path(of: uuid))) }
    }

    /// The least recently opened ones go first, of one day the larger ones.
    @Test func theLeastRecentlyOpenedGoFirst() throws {
        let photos = try [3, 5, 4, 9].map { count in
            try importPhoto(Array(repeating: 1, count: count))
        }
        for (photo, days) in zip(photos, [3.0, 1, 3, 0]) {
            try setAccessTime(of: photo.asset, daysAgo: days)
        }
        try exportAll()
        let order = [photos[2], photos[0], photos[1], photos[3]].map(\.content)
        #expect(try chosen() == order)
        #expect(try chosen(bytes: 5) == Array(order.prefix(2)))
        #expect(try chosen(limit: 3) == Array(order.prefix(3)))
        let rest = try store.removableOriginals(bytes: .max, limit: 9, except: Set(order.prefix(2)))
        #expect(rest.map(\.content) == Array(order.suffix(2)))
    }

    @Test func aFileThatTheVolumeDoesNotRemoveIsRemovedLater() throws {
        let isBroken = Mutex(false)
        let files = FileOperations { step in
            step == .remove && isBroken.withLock(\.self) ? EIO : 0
        }
        let library = try SyncedLibrary(
            number: 1,
            generator: SeededGenerator(seed: 2),
            files: files
        )
        try library.join()
        let record = LibraryWorld.record()
        try library.insertWithFile(record, bytes: [1, 2])
        while let export = try library.store.exportChanges() {
            try library.store.markExported(export)
        }
        let content = try library.content(of: record.uuid)
        isBroken.withLock { $0 = true }
        #expect(try library.store.removeOriginals([content]) == [content])
        #expect(try ImportWorld.originals(of: library.store).count == 1)
        #expect(try library.store.openContent(content) == nil)
        isBroken.withLock { $0 = false }
        try library.store.clearDiscardedFiles()
        #expect(try ImportWorld.originals(of: library.store) == [])
    }

    @Test func storageIsOptimizedOnlyInACloudLibrary() throws {
        #expect(try store.optimizedStorage() == nil)
        try store.setOptimizedStorage(OptimizedStorage())
        #expect(try store.optimizedStorage() == OptimizedStorage())
        try store.setOptimizedStorage(OptimizedStorage(keepFree: 5))
        #expect(try store.optimizedStorage()?.keepFree == 5)
        let (_, content) = try importPhoto([1])
        try exportAll()
        _ = try store.removeOriginals([content])
        #expect(try store.neededContents() == [])
        try store.setOptimizedStorage(nil)
        #expect(try store.optimizedStorage() == nil)
        #expect(try store.missingFileCounts() == (1, 0))
        #expect(try store.neededContents() == [content])
        // Leaving would lose the file.
        let error = #expect(throws: LibraryError.self) { try store.leaveCloud() }
        #expect(error?.code == .changeNotSupported)
        try store.leaveCloud(abandoning: true)
        let refused = #expect(throws: LibraryError.self) {
            try store.setOptimizedStorage(OptimizedStorage())
        }
        #expect(refused?.code == .changeNotSupported)
    }

    @Test func theDefaultSpaceIsATenthAndAtLeast20Gigabytes() {
        let storage = OptimizedStorage()
        #expect(storage.space(ofVolume: 1_000_000_000_000) == 100_000_000_000)
        #expect(storage.space(ofVolume: 64_000_000_000) == 20_000_000_000)
        #expect(OptimizedStorage(keepFree: 7).space(ofVolume: 64_000_000_000) == 7)
    }
}
