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

/// Originals that another device has, and how they arrive.
@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    /// A library with files, and one that has only their rows.
    struct Pair {
        let here: SyncedLibrary
        let there: SyncedLibrary
        var cloud = SimulatedStore()

        init(files: FileOperations = FileOperations()) throws {
            there = try SyncedLibrary(number: 0, generator: SeededGenerator(seed: 1))
            here = try SyncedLibrary(number: 1, generator: SeededGenerator(seed: 2), files: files)
            for library in [there, here] { try library.join() }
        }

        mutating func exchange() throws {
            for _ in 0..<3 {
                for library in [there, here] {
                    try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
                }
            }
        }

        /// Imports a photo there, and returns its UUID and content.
        func importPhoto(_ bytes: [UInt8], _ date: Double = 0) throws -> (String, ContentID) {
            var record = LibraryWorld.record("IMG_\(bytes.count).JPG")
            record.creationDate = Date(timeIntervalSinceReferenceDate: date)
            try there.insertWithFile(record, bytes: bytes)
            return (record.uuid, try there.content(of: record.uuid))
        }

        /// Places a content here, with the bytes that are there.
        @discardableResult
        func place(_ content: ContentID, _ staging: CloudStaging) throws -> [String] {
            let file = try staging.createFile()
            try file.write(try #require(try there.bytes(of: content)))
            return try here.store.placeContent(content, from: file)
        }

        var stagedFiles: [String] {
            let folder = here.store.bundle.staging
            return (FileManager.default.enumerator(atPath: folder)?.allObjects ?? [])
                .compactMap { $0 as? String }.filter { $0.hasSuffix(".part") }
        }

        func originals() throws -> [String] { try ImportWorld.originals(of: here.store) }
    }

    @Test func aFileIsOpenedByItsContentWhereItIs() throws {
        var pair = try Pair()
        let (asset, content) = try pair.importPhoto([1, 2, 3])
        try pair.exchange()
        let bytes = try pair.there.bytes(of: content)
        #expect(bytes == Data([1, 2, 3]))
        let missing = try pair.here.store.openContent(content)
        #expect(missing == nil)
        let path = try #require(
            try pair.there.store.read {
                try String.fetchOne($0, sql: "SELECT path FROM resource")
            }
        )
        let file = pair.there.store.bundle.absolutePath(of: path)
        try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
        let moved = try pair.there.store.openContent(content)
        #expect(moved == nil)
        try FileManager.default.createSymbolicLink(
            atPath: file,
            withDestinationPath: file + ".moved"
        )
        #expect(throws: LibraryError.self) { try pair.there.store.openContent(content) }
        #expect(!asset.isEmpty)
    }

    @Test func missingContentsAreThoseOfTheNewestPhotosFirst() throws {
        var pair = try Pair()
        let none = try pair.here.store.missingContents(limit: 9)
        #expect(none == [])
        let contents = try [3, 1, 2].map {
            try pair.importPhoto(Array(repeating: 7, count: $0), Double($0)).1
        }
        let (trashed, last) = try pair.importPhoto([9], 9)
        try pair.there.store.write(author: "test") { transaction in
            try transaction.trashAssets([try #require(try transaction.asset(uuid: trashed)).id])
        }
        try pair.exchange()
        let found = try pair.here.store.missingContents(limit: 9)
        #expect(found == [contents[0], contents[2], contents[1], last])
        let two = try pair.here.store.missingContents(limit: 2)
        #expect(two == Array(found.prefix(2)))
        let count = try pair.here.store.missingFileCounts().waiting
        #expect(count == 4)
        try pair.here.download(from: [pair.there])
        let rest = try pair.here.store.missingContents(limit: 9)
        #expect(rest == [])
        // What arrives after nothing was missing is found.
        let (_, later) = try pair.importPhoto([5, 5])
        try pair.exchange()
        let after = try pair.here.store.missingContents(limit: 9)
        #expect(after == [later])
        let zero = try pair.here.store.missingContents(limit: 0)
        #expect(zero == [])
        let still = try pair.here.store.missingFileCounts().waiting
        #expect(still == 1)
    }

    @Test func aPlacedFileIsTheOriginalAndNothingIsExported() throws {
        var pair = try Pair()
        let (asset, content) = try pair.importPhoto([1, 2, 3])
        try pair.exchange()
        let view = LibraryView(store: pair.here.store)
        let (row, since) = try pair.here.store.read {
            (
                try #require(try AssetRowFinder($0).asset(uuid: asset)),
                try JournalWriter.currentVersion($0)
            )
        }
        let staging = try pair.here.store.cloudStaging()
        let assets = try pair.place(content, staging)
        #expect(assets == [asset])
        let presence = try pair.here.presence(of: asset)
        #expect(presence == [0])
        let bytes = try pair.here.bytes(of: content)
        #expect(bytes == Data([1, 2, 3]))
        let request = ObjectChangesRequest(kind: .asset, ids: RowIDBuffer([row.id]), since: since)
        let outcome = try ChangedObjects(view).changes(request).outcomes.first
        guard case .asset(let record, let contentChanged)? = outcome else {
            Issue.record("an observer sees \(String(describing: outcome))")
            return
        }
        #expect(contentChanged)
        #expect(record.contentVersion == row.contentVersion + 1)
        #expect(record.modificationDate == row.modificationDate)
        try pair.here.checkObservers()
        let export = try pair.here.store.exportChanges()
        #expect(export?.transactions ?? [] == [])
        // There is nothing that a person did here.
        #expect(throws: LibraryError.self) {
            try pair.here.store.undo(UndoRequest(redoes: false), author: "test")
        }
        let again = try pair.place(content, staging)
        #expect(again == [])
        #expect(pair.stagedFiles == [])
        staging.end()
        let findings = try pair.here.findings()
        #expect(findings == [])
        let facts = (try pair.here.facts(), try pair.there.facts())
        #expect(facts.0 == facts.1)
    }

    @Test func allPhotosWithAContentGetIt() throws {
        var pair = try Pair()
        let (first, content) = try pair.importPhoto([1, 2, 3])
        // Not an import, so that they are no twins.
        let second = LibraryWorld.record("COPY.JPG")
        try pair.there.world.insertCopy(second, of: first, in: pair.there.store)
        try pair.exchange()
        let staging = try pair.here.store.cloudStaging()
        defer { staging.end() }
        let assets = try pair.place(content, staging)
        #expect(assets == [first, second.uuid].sorted())
        let originals = try pair.originals()
        #expect(originals.count == 2)
        #expect(pair.stagedFiles == [])
        let findings = try pair.here.findings()
        #expect(findings == [])
    }

    /// One commit places a group, whatever is wrong with one of its files.
    @Test func filesOfAGroupArriveTogether() throws {
        var pair = try Pair()
        let photos = try [1, 2, 3].map { try pair.importPhoto(Array(repeating: 7, count: $0)) }
        try pair.exchange()
        let staging = try pair.here.store.cloudStaging()
        defer { staging.end() }
        let wrong = Data([1, 2, 3, 4])
        let bytes = try photos.map { try #require(try pair.there.bytes(of: $0.1)) }
        let contents = photos.map(\.1) + [photos[0].1]
        let downloads = try zip(contents, [bytes[0], wrong, bytes[2], bytes[0]]).map {
            let file = try staging.createFile()
            try file.write($1)
            return FinishedDownload(content: $0, file: file)
        }
        let before = try pair.here.store.currentVersion()
        let outcomes = try pair.here.store.placeContents(downloads)
        let placed = outcomes.map { try? $0.get() }
        #expect(placed == [[photos[0].0], nil, [photos[2].0], []])
        #expect(throws: LibraryError.self) { try outcomes[1].get() }
        let version = try pair.here.store.currentVersion()
        #expect(version == before + 1)
        let presence = try photos.flatMap { try pair.here.presence(of: $0.0) }
        #expect(presence == [0, 1, 0])
        #expect(pair.stagedFiles == [])
        let findings = try pair.here.findings()
        #expect(findings == [])
    }

    @Test func aPersonsChangeCanBeUndoneAfterAnArrival() throws {
        var pair = try Pair()
        let (asset, content) = try pair.importPhoto([1, 2, 3])
        try pair.exchange()
        try pair.here.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: asset))
            record.isFavorite = true
            try transaction.updateAsset(record, contentChanged: false)
        }
        let staging = try pair.here.store.cloudStaging()
        defer { staging.end() }
        try pair.place(content, staging)
        _ = try pair.here.store.undo(UndoRequest(redoes: false), author: "test")
        let record = try pair.here.store.read { try AssetRowFinder($0).asset(uuid: asset) }
        #expect(record?.isFavorite == false)
        let presence = try pair.here.presence(of: asset)
        #expect(presence == [0])
    }
}

extension LibraryWorld {
    /// Adds an asset with the same bytes as another one's file.
    func insertCopy(
        _ record: AssetRecord,
        of asset: String,
        in store: LibraryStore
    ) throws {
        try store.write(author: "test") { transaction in
            let original = try #require(try transaction.asset(uuid: asset))
            var resource = try #require(try transaction.resources(ofAsset: original.id).first)
            let source = store.bundle.absolutePath(of: resource.path)
            resource.assetID = try transaction.insertAsset(record)
            resource.assetUUID = record.uuid
            resource.uuid = UUID().uuidString
            resource.path = FilePlacement.target(uuid: resource.uuid, pathExtension: "jpg")
            let target = URL(fileURLWithPath: store.bundle.absolutePath(of: resource.path))
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(atPath: source, toPath: target.path)
            try transaction.insertResource(resource)
        }
    }
}
