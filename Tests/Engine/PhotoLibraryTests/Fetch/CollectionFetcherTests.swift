import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// Fetches of albums and folders.
@Suite(.timeLimit(.minutes(2))) struct CollectionFetcherTests {
    private let world: LibraryWorld
    private let fetcher: CollectionFetcher
    /// In order of creation: album "b", folder "f", and in it album "a" and folder "g".
    private let ids: [Int64]

    init() throws {
        world = try LibraryWorld()
        fetcher = CollectionFetcher(LibraryView(store: world.store))
        ids = try world.store.write(author: "test") { transaction in
            let b = try transaction.insertCollection(Self.album("b"))
            let f = try transaction.insertCollection(Self.folder("f"))
            let a = try transaction.insertCollection(Self.album("a", in: f))
            let g = try transaction.insertCollection(Self.folder("g", in: f))
            return [b, f, a, g]
        }
    }

    static func album(_ title: String, in parent: Int64 = 0) -> CollectionRecord {
        CollectionRecord(
            id: 0,
            uuid: UUID().uuidString,
            kind: .album,
            title: title,
            parentID: parent,
            position: 0,
            creationDate: Date(timeIntervalSinceReferenceDate: 700_000_000)
        )
    }

    static func folder(_ title: String, in parent: Int64 = 0) -> CollectionRecord {
        var record = album(title, in: parent)
        record.kind = .folder
        return record
    }

    private func titles(_ request: CollectionFetchRequest) throws -> [String] {
        let found = try fetcher.fetch(request).ids
        return try fetcher.load(CollectionLoadRequest(ids: found)).collections.map(\.title)
    }

    private func titles(_ scope: CollectionFetchRequest.Scope, _ kind: ObjectKind? = nil) throws
        -> [String]
    {
        try titles(CollectionFetchRequest(scope: scope, kind: kind))
    }

    private func record(_ index: Int) throws -> CollectionRecord {
        try #require(
            try fetcher.load(CollectionLoadRequest(ids: RowIDBuffer([ids[index]]))).collections
                .first
        )
    }

    @Test func scopes() throws {
        #expect(try titles(.library) == ["b", "f", "a", "g"])
        #expect(try titles(.library, .album) == ["b", "a"])
        #expect(try titles(.library, .folder) == ["f", "g"])
        let root = CollectionRecord.rootUUID
        #expect(try titles(.children(folder: root)) == ["b", "f"])
        #expect(try titles(.children(folder: record(1).uuid)) == ["a", "g"])
        #expect(try titles(.children(folder: record(1).uuid), .album) == ["a"])
        #expect(try titles(.children(folder: UUID().uuidString)) == [])
        #expect(try titles(.parents(collection: record(2).uuid)) == ["f"])
        #expect(try titles(.parents(collection: record(0).uuid)) == [])
        #expect(try titles(.rowIDs(RowIDBuffer([ids[3], 99, ids[0], ids[3]]))) == ["g", "b"])
    }

    /// The folder's own order, not the order of creation (behavior 61).
    @Test func childrenComeInTheFoldersOrder() throws {
        try world.store.write(author: "test") { transaction in
            try transaction.placeCollections([ids[1]], in: 0, after: nil)
        }
        #expect(try titles(.children(folder: CollectionRecord.rootUUID)) == ["f", "b"])
        #expect(try titles(.library) == ["b", "f", "a", "g"])
    }

    /// Each once, in the requested order; unknown ones and those of another kind are omitted.
    @Test func identifiers() throws {
        let (album, folder) = try (record(0), record(1))
        let asked = [
            folder.localIdentifier, "nonsense", UUID().uuidString + "/L0/040",
            album.uuid + "/L0/020", album.localIdentifier, folder.localIdentifier, album.uuid,
        ]
        #expect(try titles(.identifiers(asked)) == ["f", "b"])
        #expect(try titles(.identifiers(asked), .album) == ["b"])
    }

    /// Albums that contain an asset (behavior 69).
    @Test func containing() throws {
        var asset = LibraryWorld.record()
        asset.id = try world.insert(asset)[0]
        #expect(try titles(.containing(asset: asset.uuid)) == [])
        try world.store.write(author: "test") { transaction in
            try transaction.appendMembers([asset.id], to: ids[2])
        }
        #expect(try titles(.containing(asset: asset.uuid)) == ["a"])
        #expect(try titles(.containing(asset: UUID().uuidString)) == [])
    }

    @Test func keys() throws {
        func titles(
            _ key: String,
            _ operation: PredicateComparison.Operator,
            _ value: PredicateValue
        ) throws -> [String] {
            var request = CollectionFetchRequest(scope: .library)
            request.predicate = .comparison(
                PredicateComparison(.key(key, position: nil), operation, .value(value))
            )
            return try self.titles(request)
        }
        #expect(try titles("localizedTitle", .equal, .string("a")) == ["a"])
        #expect(try titles("title", .greaterOrEqual, .string("f")) == ["f", "g"])
        #expect(try titles("estimatedAssetCount", .greater, .integer(0)) == [])
        #expect(try titles("startDate", .equal, .null) == ["b", "f", "a", "g"])
        #expect(try titles("assetCollectionType", .equal, .integer(1)) == ["b", "a"])
        #expect(try titles("assetCollectionSubtype", .equal, .integer(2)) == ["b", "a"])
        #expect(try titles("collectionListType", .equal, .integer(2)) == ["f", "g"])
        #expect(try titles("collectionListSubtype", .notEqual, .integer(100)) == ["b", "a"])
        #expect(try titles("canContainCollections", .equal, .bool(true)) == ["f", "g"])
        #expect(try titles("approximateLocation", .equal, .null).count == 4)
        #expect(try titles("localizedLocationNames", .contains, .string("x")) == [])
        let album = try record(0).localIdentifier
        #expect(try titles("localIdentifier", .equal, .string(album)) == ["b"])
        #expect(try titles("localIdentifier", .endsWith, .string("/L0/020")) == ["f", "g"])
        #expect(throws: LibraryError.self) { try titles("duration", .equal, .integer(1)) }
        do {
            _ = try titles("pixelWidth", .equal, .integer(1))
            Issue.record("a key of assets is not one of albums")
        } catch let error as LibraryError {
            #expect(error.code == .unsupportedPredicate)
            #expect(error.message.contains("albums and folders"))
            #expect(error.recovery?.contains("estimatedAssetCount") == true)
        }
    }

    @Test func everyKeySorts() throws {
        for name in KeyTable.collections.names {
            var request = CollectionFetchRequest(scope: .library)
            request.sort = [.init(name, ascending: false)]
            if KeyTable.collections.named(name)?.isSortable == true {
                #expect(try fetcher.fetch(request).ids.count == 4, "\(name)")
            } else {
                #expect(throws: LibraryError.self) { try fetcher.fetch(request) }
            }
        }
    }

    @Test func sortsAndLimits() throws {
        var request = CollectionFetchRequest(scope: .library)
        request.sort = [.init("title", ascending: false)]
        #expect(try titles(request) == ["g", "f", "b", "a"])
        request.limit = 2
        #expect(try titles(request) == ["g", "f"])
    }

    /// A root folder always exists (behavior 62).
    @Test func theRootFolderIsLoadedByItsNumber() throws {
        let reply = try fetcher.load(CollectionLoadRequest(ids: RowIDBuffer([0, 99, ids[0]])))
        #expect(try reply.collections == [.root, record(0)])
    }

    @Test func whatWasDeletedIsLoadedAsItWasWhereThatIsWanted() throws {
        let before = [try record(0), try record(3)]
        try world.store.write(author: "test") { transaction in
            for record in before { try transaction.deleteCollection(id: record.id) }
        }
        var request = CollectionLoadRequest(ids: RowIDBuffer([ids[0], 99, ids[1], ids[3]]))
        #expect(try fetcher.load(request).collections == [record(1)])
        request.includesFormer = true
        #expect(try fetcher.load(request).collections == [before[0], record(1), before[1]])
        // After the journal is pruned, the tombstone still has its identity.
        try world.store.write(author: "test") { transaction in
            try transaction.database.execute(
                sql: "DELETE FROM journalEntry WHERE objectId = ?",
                arguments: [ids[3]]
            )
        }
        let last = try #require(try fetcher.load(request).collections.last)
        #expect(last.id == ids[3])
        #expect(last.uuid == before[1].uuid)
        #expect(last.kind == .folder)
        #expect(last.title == "")
    }

    /// A repeated fetch costs nothing, and a change is noticed.
    @Test func anAnswerHoldsForOneVersion() throws {
        let request = CollectionFetchRequest(scope: .library)
        let before = try fetcher.fetch(request)
        #expect(try fetcher.fetch(request) == before)
        try world.store.write(author: "test") { _ = try $0.insertCollection(Self.album("c")) }
        let after = try fetcher.fetch(request)
        #expect(after.ids.count == 5)
        #expect(after.snapshot.version == before.snapshot.version + 1)
    }
}
