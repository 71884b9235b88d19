import Foundation
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// A client sees only what it is permitted to see, with every request.
@Suite(.timeLimit(.minutes(2))) struct LibraryAccessTests {
    private let world: LibraryWorld
    private let view: LibraryView
    /// Both are in the album; a limited client may see the first.
    private let mine: AssetRecord
    private let hidden: AssetRecord
    private let album: CollectionRecord
    private let resources: [ResourceRecord]

    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
        var records = [LibraryWorld.record("mine.jpg"), LibraryWorld.record("hidden.jpg")]
        var files: [ResourceRecord] = []
        for index in records.indices {
            let bytes = Array("bytes of \(index)".utf8)
            files.append(try world.insertWithFile(records[index], bytes: bytes))
            records[index].id = files[index].assetID
        }
        resources = files
        (mine, hidden) = (records[0], records[1])
        let ids = records.map(\.id)
        var record = CollectionFetcherTests.album("album")
        record.id = try world.store.write(author: "test") { transaction in
            let album = try transaction.insertCollection(record)
            try transaction.appendMembers(ids, to: album)
            return album
        }
        album = record
    }

    private var limited: LibraryAccess { .limited([mine.uuid]) }

    private func fetch(_ scope: AssetFetchRequest.Scope) throws -> [Int64] {
        Array(try AssetFetcher(view).fetch(AssetFetchRequest(scope: scope)).ids)
    }

    @Test func fetchesAndLoads() throws {
        let both = RowIDBuffer([mine.id, hidden.id])
        let fetcher = AssetFetcher(view)
        let names = [mine.localIdentifier, hidden.localIdentifier]
        for (access, seen) in [(LibraryAccess.full, 2), (limited, 1), (.none, 0)] {
            view.access.set(access)
            #expect(try fetch(.library).count == seen)
            #expect(try fetch(.identifiers(names)).count == seen)
            #expect(try fetch(.rowIDs(both)).count == seen)
            #expect(try fetch(.album(album.uuid)).count == (access == .full ? 2 : 0))
            #expect(try fetcher.load(AssetLoadRequest(ids: both)).assets.count == seen)
            let counts = try fetcher.count(AssetCountRequest(ids: both)).counts
            #expect(counts == (seen == 0 ? [:] : [.image: seen]))
        }
        view.access.set(limited)
        #expect(try fetch(.library) == [mine.id])
    }

    /// A client receives the state that it saw, and nothing from before its first request.
    @Test func whatWasHiddenIsLoadedAsItWasSeen() throws {
        func edit(_ record: AssetRecord, _ change: (inout AssetRecord) -> Void) throws {
            try world.store.write(author: "test") { transaction in
                var new = try #require(try transaction.asset(id: record.id))
                change(&new)
                try transaction.updateAsset(new, contentChanged: false)
            }
        }
        try edit(mine) { $0.isHidden = true }
        let fetcher = AssetFetcher(view)
        let one = AssetLoadRequest(ids: RowIDBuffer([hidden.id]))
        let shown = try #require(try fetcher.load(one).assets.first)
        view.access.set(.unhidden)
        let ids = try fetcher.fetch(AssetFetchRequest(scope: .library))
        #expect(Array(ids.ids) == [hidden.id])
        try edit(hidden) { $0.isHidden = true }
        try edit(hidden) { $0.caption = "said where nobody may read it" }
        let both = RowIDBuffer([mine.id, hidden.id])
        #expect(try fetcher.load(AssetLoadRequest(ids: both)).assets.isEmpty)
        // An old version grants no access: the first asset was hidden before the client's first
        // request.
        for since in [0, ids.snapshot.version] {
            let request = AssetLoadRequest(ids: both, since: since)
            #expect(try fetcher.load(request).assets == [shown])
            let counts = try fetcher.count(AssetCountRequest(ids: both, since: since)).counts
            #expect(counts == [.image: 1])
        }
        view.access.set(.limited([mine.uuid]))
        let request = AssetLoadRequest(ids: RowIDBuffer([hidden.id]), since: 0)
        #expect(try fetcher.load(request).assets.isEmpty)
    }

    @Test func files() throws {
        let reader = ResourceFetcher(view)
        for (access, seen) in [(LibraryAccess.full, 2), (limited, 1), (.none, 0)] {
            view.access.set(access)
            let lists = try [mine, hidden].map { record in
                try reader.list(ResourceListRequest(assetUUID: record.uuid)).resources.count
            }
            #expect(lists == [seen > 0 ? 1 : 0, seen > 1 ? 1 : 0])
            let opened = resources.filter { resource in
                (try? reader.open(ResourceOpenRequest(resourceUUID: resource.uuid))) != nil
            }
            #expect(opened.count == seen)
            let request = FindContentRequest(digests: resources.map(\.sha256))
            #expect(try reader.find(request).matches.joined().count == seen)
        }
    }

    @Test func albums() throws {
        let fetcher = CollectionFetcher(view)
        let all = CollectionFetchRequest(scope: .library)
        let both = CollectionLoadRequest(ids: RowIDBuffer([0, album.id]))
        for (access, seen) in [(LibraryAccess.full, 2), (limited, 1), (.none, 0)] {
            view.access.set(access)
            #expect(try fetcher.fetch(all).ids.count == (seen > 1 ? 1 : 0))
            // The root folder reveals nothing.
            #expect(try fetcher.load(both).collections.count == seen)
        }
    }

    @Test func history() throws {
        let current = try world.store.currentVersion()
        let reader = HistoryReader(view)
        func names() throws -> Set<String> {
            let reply = try reader.history(HistoryRequest(since: 0, limit: .max))
            #expect(reply.current == current)
            #expect(reply.versions.count == Int(current))
            return Set(reply.versions.flatMap(\.changes).map(\.uuid))
        }
        #expect(try names() == [mine.uuid, hidden.uuid, album.uuid])
        view.access.set(limited)
        #expect(try names() == [mine.uuid])
        for since in [current + 1, -1] {
            #expect {
                try reader.history(HistoryRequest(since: since, limit: 1))
            } throws: { error in
                (error as? LibraryError)?.code == .historyExpired
            }
        }
        #expect(try reader.history(HistoryRequest(since: current, limit: 1)).versions.isEmpty)
        // Without access there is no history, whether the version exists or not.
        view.access.set(.none)
        for since in [0, current, current + 1, -1] {
            #expect {
                try reader.history(HistoryRequest(since: since, limit: 1))
            } throws: { error in
                (error as? LibraryError)?.code == .accessDenied
            }
        }
    }

    @Test func changedObjects() throws {
        let current = try world.store.currentVersion()
        let all = TouchedRequest(since: 0, through: current)
        let ids = RowIDBuffer([mine.id, hidden.id])
        func outcomes() throws -> [ObjectChangesReply.Outcome] {
            let request = ObjectChangesRequest(kind: .asset, ids: ids, since: current)
            return try ChangedObjects(view).changes(request).outcomes
        }
        // Smart albums, which have no rows, exist for every client that may see anything.
        func albums() throws -> [Int64] {
            try ChangedObjects(view).touched(all).collections.filter { $0 > 0 }
        }
        #expect(try ChangedObjects(view).touched(all).assets == ids)
        #expect(try albums() == [album.id])
        #expect(try outcomes() == [.unchanged, .unchanged])
        view.access.set(limited)
        #expect(try ChangedObjects(view).touched(all).assets == RowIDBuffer([mine.id]))
        #expect(try albums().isEmpty)
        #expect(try outcomes() == [.unchanged, .deleted])
        view.access.set(.none)
        #expect(try ChangedObjects(view).touched(all).assets.isEmpty)
        #expect(try ChangedObjects(view).touched(all).collections.isEmpty)
        #expect(try outcomes() == [.deleted, .deleted])
        let albums = ObjectChangesRequest(
            kind: .album,
            ids: RowIDBuffer([album.id]),
            since: current
        )
        #expect(try ChangedObjects(view).changes(albums).outcomes == [.deleted])
    }

    /// A loss of access is a change like any other: assets that are no longer visible are removed.
    @Test func resultsAdvanceWithTheAccess() throws {
        let request = AssetFetchRequest()
        let before = try AssetFetcher(view).fetch(request)
        #expect(before.ids.count == 2)
        view.access.set(limited)
        var advance = AdvanceRequest(
            query: .assets(request),
            ids: before.ids,
            snapshot: before.snapshot
        )
        let less = try ResultAdvancer(view).advance(advance)
        let gone = try #require(before.ids.firstIndex(of: hidden.id))
        #expect(
            less.outcome == .steps(RowIDBuffer([mine.id]), ListSteps(removed: [gone]))
        )
        #expect(less.snapshot.epoch == before.snapshot.epoch + 1)
        view.access.set(.full)
        advance.ids = RowIDBuffer([mine.id])
        advance.snapshot = less.snapshot
        let more = try ResultAdvancer(view).advance(advance)
        #expect(more.outcome == .steps(before.ids, ListSteps(inserted: [gone])))
        // Epochs of another process may be higher, if the clock was set back in between.
        var later = advance
        later.snapshot.epoch = .max
        let other = try ResultAdvancer(view).advance(later)
        #expect(other.outcome == .steps(before.ids, ListSteps(inserted: [gone])))
        #expect(other.snapshot == more.snapshot)
        // No steps lead back in time.
        advance.snapshot = more.snapshot
        advance.ids = before.ids
        #expect(try ResultAdvancer(view).advance(advance).outcome == .unchanged)
    }
}
