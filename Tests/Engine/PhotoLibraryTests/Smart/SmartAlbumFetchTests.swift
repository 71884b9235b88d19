import Foundation
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// Smart albums as collections in fetches of collections.
@Suite(.timeLimit(.minutes(2))) struct SmartAlbumFetchTests {
    private let world: LibraryWorld
    private let view: LibraryView
    private let fetcher: CollectionFetcher

    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
        fetcher = CollectionFetcher(view)
        var favorite = LibraryWorld.record()
        favorite.isFavorite = true
        var movie = LibraryWorld.record("IMG_0002.MOV")
        movie.mediaType = .video
        movie.addedDate = Date()
        try world.insert(favorite, movie, LibraryWorld.record("IMG_0003.JPG"))
    }

    private func albums(_ request: CollectionFetchRequest) throws -> [SmartAlbum] {
        try fetcher.fetch(request).ids.compactMap(SmartAlbum.init(rowID:))
    }

    private func request(
        _ scope: CollectionFetchRequest.Scope = .smartAlbums(nil),
        where key: String? = nil,
        _ operation: PredicateComparison.Operator = .equal,
        _ value: PredicateValue = .null
    ) -> CollectionFetchRequest {
        var request = CollectionFetchRequest(scope: scope, kind: .album)
        request.predicate = key.map {
            .comparison(PredicateComparison(.key($0, position: nil), operation, .value(value)))
        }
        return request
    }

    @Test("All are there, empty ones too (behaviour 68), and those of a subtype; no generic one")
    func scopes() throws {
        #expect(try albums(request()) == SmartAlbum.allCases)
        #expect(try albums(request(.smartAlbums([203]))) == [.favorites])
        #expect(try albums(request(.smartAlbums([200]))) == [])
        #expect(try albums(request(.smartAlbums([]))) == [])
        let names = [SmartAlbum.videos.uuid + "/L0/040", SmartAlbum.raw.uuid + "/L0/040"]
        #expect(try albums(request(.identifiers(names))) == [.videos, .raw])
        let ids = RowIDBuffer([SmartAlbum.raw.rowID, SmartAlbum.videos.rowID, -200, 77])
        #expect(try albums(request(.rowIDs(ids))) == [.raw, .videos])
        // They are not folders, and not in one.
        let folders = CollectionFetchRequest(scope: .smartAlbums(nil), kind: .folder)
        #expect(try albums(folders) == [])
        #expect(try albums(CollectionFetchRequest(scope: .library)) == [])
        let parents = CollectionFetchRequest.Scope.parents(collection: SmartAlbum.raw.uuid)
        #expect(try fetcher.fetch(request(parents)).ids.isEmpty)
    }

    @Test("Albums of both kinds come together by identifier, in the order asked for")
    func mixesWithAlbums() throws {
        let album = try world.store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(CollectionFetcherTests.album("Mine"))
            return try #require(try transaction.collection(id: id))
        }
        let names = [
            SmartAlbum.favorites.uuid + "/L0/040", album.localIdentifier,
            SmartAlbum.videos.uuid + "/L0/040",
        ]
        let ids = try fetcher.fetch(request(.identifiers(names))).ids
        #expect(
            Array(ids) == [SmartAlbum.favorites.rowID, album.id, SmartAlbum.videos.rowID]
        )
        let records = try fetcher.load(CollectionLoadRequest(ids: ids)).collections
        #expect(records.map(\.localIdentifier) == names)
        #expect(records.map(\.assetCount) == [1, 0, 1])
    }

    @Test("Predicates and sort keys count for smart albums as for others")
    func predicates() throws {
        let filled: Set<SmartAlbum> = [.userLibrary, .recentlyAdded, .favorites, .videos]
        let found = try albums(request(where: "estimatedAssetCount", .greater, .integer(0)))
        #expect(Set(found) == filled)
        let title = PredicateValue.string(SmartAlbum.raw.title)
        #expect(try albums(request(where: "localizedTitle", .equal, title)) == [.raw])
        #expect(
            try albums(request(where: "assetCollectionSubtype", .equal, .integer(208)))
                == [.slomoVideos]
        )
        #expect(
            try albums(request(where: "assetCollectionType", .equal, .integer(2)))
                == SmartAlbum.allCases
        )
        #expect(try albums(request(where: "assetCollectionType", .equal, .integer(1))) == [])
        var sorted = request(where: "estimatedAssetCount", .greater, .integer(0))
        sorted.sort = [.init("estimatedAssetCount", ascending: false)]
        sorted.limit = 1
        #expect(try albums(sorted) == [.userLibrary])
    }

    @Test("Details of change name the albums that changed, and those alone")
    func changes() throws {
        let before = try fetcher.fetch(request())
        try world.store.write(author: "test") { transaction in
            var movie = try #require(try transaction.asset(id: 2))
            movie.isFavorite = true
            try transaction.updateAsset(movie, contentChanged: false)
        }
        let reply = try ResultAdvancer(view).advance(
            AdvanceRequest(
                query: .collections(request()),
                ids: before.ids,
                snapshot: before.snapshot
            )
        )
        guard case .steps(let ids, let steps) = reply.outcome else {
            Issue.record("\(reply.outcome)")
            return
        }
        #expect(ids == before.ids)
        #expect(steps.changed.map { ids[$0] } == [SmartAlbum.favorites.rowID])
        #expect(steps.removed.isEmpty && steps.inserted.isEmpty && steps.moves.isEmpty)
        let objects = try ChangedObjects(view).changes(
            ObjectChangesRequest(
                kind: .album,
                ids: RowIDBuffer([SmartAlbum.favorites.rowID, SmartAlbum.videos.rowID]),
                since: before.snapshot.version
            )
        )
        guard case .collection(let record) = objects.outcomes[0] else {
            Issue.record("\(objects.outcomes)")
            return
        }
        #expect(record.assetCount == 2)
        #expect(objects.outcomes[1] == .unchanged)
        let touched = try ChangedObjects(view).touched(
            TouchedRequest(since: before.snapshot.version, through: reply.snapshot.version)
        )
        #expect(Array(touched.collections) == [SmartAlbum.favorites.rowID])
    }

    @Test("A client that may see some assets sees smart albums of those, and one of none no album")
    func access() throws {
        let uuid = try world.store.write(author: "test") { transaction in
            try #require(try transaction.asset(id: 2)).uuid
        }
        view.access.set(.limited([uuid]))
        let ids = try fetcher.fetch(request()).ids
        #expect(ids.count == SmartAlbum.allCases.count)
        let records = try fetcher.load(CollectionLoadRequest(ids: ids)).collections
        let counts = records.filter { $0.assetCount > 0 }.compactMap { SmartAlbum(rowID: $0.id) }
        #expect(counts == [.userLibrary, .recentlyAdded, .videos])
        for record in records {
            let members = AssetFetchRequest(scope: .album(record.uuid))
            #expect(try AssetFetcher(view).fetch(members).ids.count == record.assetCount)
        }
        view.access.set(.none)
        #expect(try fetcher.fetch(request()).ids.isEmpty)
        #expect(try fetcher.load(CollectionLoadRequest(ids: ids)).collections.isEmpty)
    }

    @Test("Recently Added loses what is too old when the day moves on, and says so in steps")
    func dayMovesOn() throws {
        let clock = TestClock()
        clock.advance(by: Date().timeIntervalSince(clock.now))
        let store = try LibraryStore.open(at: world.path, clock: { clock.now })
        let view = LibraryView(store: store)
        let query = AssetFetchRequest(scope: .album(SmartAlbum.recentlyAdded.uuid))
        let before = try AssetFetcher(view).fetch(query)
        #expect(before.ids.count == 1)
        clock.advance(by: 40 * 86_400)
        let reply = try ResultAdvancer(view).advance(
            AdvanceRequest(query: .assets(query), ids: before.ids, snapshot: before.snapshot)
        )
        #expect(reply.outcome == .steps(RowIDBuffer(), ListSteps(removed: [0])))
        #expect(reply.snapshot.version == before.snapshot.version)
        #expect(try AssetFetcher(view).fetch(query).ids.isEmpty)
    }
}
