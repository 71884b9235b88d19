import CloudSync
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Exports that take several calls.
@Suite(.timeLimit(.minutes(2))) struct ExportPageTests {
    private let library: SyncedLibrary
    private let photos: [String]

    init() throws {
        library = try SyncedLibrary(number: 0, generator: SeededGenerator(seed: 1))
        try library.join()
        var photos: [String] = []
        for byte in 1...4 as ClosedRange<UInt8> {
            let record = LibraryWorld.record("IMG_\(byte).JPG")
            try library.insertWithFile(record, bytes: [byte])
            photos.append(record.uuid)
        }
        self.photos = photos
    }

    private func change(_ photos: [String], _ body: (inout AssetRecord) -> Void) throws {
        try library.store.write(author: "test") { transaction in
            for photo in photos {
                var record = try #require(try transaction.asset(uuid: photo))
                body(&record)
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
    }

    /// Exports everything in parts, and marks each as exported.
    private func exportAll(entries: Int) throws -> [LibraryStore.CloudExport] {
        var parts: [LibraryStore.CloudExport] = []
        while let part = try library.store.exportChanges(entries: entries) {
            parts.append(part)
            try library.store.markExported(part)
        }
        return parts
    }

    /// The operations of exports with their stamps, except modification dates, which accompany the
    /// other changes of their object.
    private func operations(
        _ parts: [LibraryStore.CloudExport]
    ) -> [ChangeStamp: [CloudOperation]] {
        var operations: [ChangeStamp: [CloudOperation]] = [:]
        for transaction in parts.flatMap(\.transactions) {
            operations[transaction.stamp, default: []] += transaction.operations.filter {
                if case .set(_, let key, _, _) = $0 { key.group != .modification } else { true }
            }
        }
        return operations.filter { !$0.value.isEmpty }
    }

    @Test func pagesHaveTheChangesOfOneExport() throws {
        _ = try exportAll(entries: 20_000)
        try change(photos) { $0.isFavorite = true }
        try change([photos[0]]) { $0.rating = 2 }
        // It replaces the value of the first change.
        try change([photos[1], photos[2]]) { $0.isFavorite = false }
        try change([photos[3]]) { $0.title = "Last" }
        #expect(try library.store.unexportedChangeCount() == 4)
        let whole = try #require(try library.store.exportChanges())
        #expect(whole.isComplete && whole.next == nil)
        let parts = try exportAll(entries: 1)
        #expect(parts.count == 4)
        #expect(parts.map(\.isComplete) == [false, false, false, true])
        #expect(parts.map(\.through) == parts.map(\.through).sorted())
        #expect(parts.last?.through == whole.through)
        // Each register is in one part, and each transaction as well.
        #expect(operations(parts) == operations([whole]))
        #expect(try library.store.unexportedChangeCount() == 0)
        #expect(try !library.store.hasUnexportedChanges())
    }

    /// A version is never divided.
    @Test func aPageEndsWithAVersion() throws {
        _ = try exportAll(entries: 20_000)
        try change(photos) { $0.rating = 1 }
        try change([photos[0]]) { $0.title = "A" }
        try change([photos[1]]) { $0.title = "B" }
        let parts = try exportAll(entries: 5)
        #expect(parts.map(\.isComplete) == [false, true])
        #expect(operations([parts[0]]).values.map(\.count).sorted() == [1, 4])
    }

    /// All members have new order keys then, and the journal names only the one that was placed.
    @Test func anAlbumThatRunsOutOfOrderKeysIsInThePageOfItsVersion() throws {
        let album = try library.store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(
                LibraryWorld.collection(.album, "Holidays", in: 0)
            )
            let members = try photos.prefix(2).map { uuid in
                try #require(try transaction.asset(uuid: uuid)).id
            }
            try transaction.appendMembers(members, to: id)
            return id
        }
        try library.makeOrderKeysEqual()
        _ = try exportAll(entries: 20_000)
        try change([photos[3]]) { $0.rating = 1 }
        try library.store.write(author: "test") { transaction in
            let member = try #require(try transaction.asset(uuid: photos[2])).id
            let first = try #require(try transaction.memberIDs(of: album).first)
            try transaction.placeMembers([member], in: album, after: first)
        }
        try change([photos[3]]) { $0.title = "Last" }
        let whole = try #require(try library.store.exportChanges())
        let parts = try exportAll(entries: 1)
        try #require(parts.count == 3)
        #expect(operations(parts) == operations([whole]))
        let members = operations([parts[1]]).values.joined().filter {
            if case .set(_, let key, _, _) = $0 { key.group == .member } else { false }
        }
        #expect(members.count == 3)
    }

    @Test func objectsThatWereNotReachedAreCounted() throws {
        #expect(try library.store.unexportedChangeCount() == photos.count)
        var left: [Int] = []
        while let part = try library.store.exportChanges(limit: 3) {
            try library.store.markExported(part)
            left.append(try library.store.unexportedChangeCount())
        }
        #expect(left == [1, 0])
    }

    /// The row that shows two twins has stamps, and the operations of both are kept beside it.
    @Test func twinsAreCountedOnce() throws {
        var pair = try TwinTests.Pair()
        _ = try pair.importTwins()
        try pair.exchange()
        #expect(try pair.assets(0).count == 1)
        let store = pair.libraries[0].store
        try store.restartCloudExport()
        #expect(try store.unexportedChangeCount() == 2)
        let part = try #require(try store.exportChanges())
        try store.markExported(part)
        #expect(try store.unexportedChangeCount() == 0)
    }
}
