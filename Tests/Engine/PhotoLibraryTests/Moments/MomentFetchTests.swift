import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Moments and lists of moments, fetched and loaded as collections.
@Suite(.timeLimit(.minutes(2))) struct MomentFetchTests {
    private let world: LibraryWorld
    private let view: LibraryView
    private let assets: [Int64]

    /// Creates two moments in January 2019 in one cluster, one in March 2019, and one in 2020.
    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
        let hours = [0, 1, 30, 60 * 24, 420 * 24]
        assets = try world.insert(
            hours.enumerated().map { index, hour in
                var record = LibraryWorld.record("\(index).JPG")
                let date = Date(timeIntervalSinceReferenceDate: 568_800_000 + Double(hour) * 3_600)
                record.creationDate = date
                return record
            }
        )
    }

    private func fetch(
        _ scope: CollectionFetchRequest.Scope,
        _ configure: (inout CollectionFetchRequest) -> Void = { _ in }
    ) throws -> [CollectionRecord] {
        var request = CollectionFetchRequest(scope: scope)
        configure(&request)
        let fetcher = CollectionFetcher(view)
        let ids = try fetcher.fetch(request).ids
        let records = try fetcher.load(CollectionLoadRequest(ids: ids)).collections
        #expect(records.map(\.id) == Array(ids))
        return records
    }

    private func moments(
        _ levels: Set<MomentLevel>,
        _ relation: CollectionFetchRequest.MomentScope.Relation = .all
    ) throws -> [CollectionRecord] {
        try fetch(.moments(.init(levels, relation)))
    }

    @Test("Each level is there, in the order of time, and leads to the others")
    func levels() throws {
        let all = try moments([.moment])
        #expect(all.map(\.assetCount) == [2, 1, 1, 1])
        let clusters = try moments([.cluster])
        #expect(clusters.map(\.assetCount) == [3, 1, 1])
        let years = try moments([.year])
        #expect(years.map(\.assetCount) == [4, 1])
        #expect(years.map(\.title) == ["2019", "2020"])
        #expect(try moments([.moment], .inList(years[0].uuid)) == Array(all.prefix(3)))
        #expect(try moments([.moment], .inList(clusters[0].uuid)) == Array(all.prefix(2)))
        #expect(try moments([.cluster], .inList(years[1].uuid)) == [clusters[2]])
        #expect(
            try moments([.cluster, .year], .holding(all[2].uuid)).map(\.uuid)
                == [years[0].uuid, clusters[1].uuid]
        )
        let uuid = try #require(try world.uuid(of: assets[1]))
        #expect(try moments([.moment], .ofAsset(uuid)) == [all[0]])
        #expect(try moments([.moment], .ofAsset("?")) == [])
        #expect(try moments([.moment], .inList("?")) == [])
        #expect(try moments([]) == [])
    }

    @Test("They are named among albums and smart albums by row ids and identifiers")
    func mixed() throws {
        let album = try world.album("Album", assets)
        let all = try moments([.moment, .year])
        let wanted = [all[1].id, album, SmartAlbum.favorites.rowID, all[0].id, -5_000_000]
        let records = try fetch(.rowIDs(RowIDBuffer(wanted)))
        #expect(records.map(\.id) == wanted.dropLast())
        let identifiers = records.map(\.localIdentifier)
        #expect(try fetch(.identifiers(identifiers)).map(\.id) == records.map(\.id))
        let lists = try fetch(.identifiers(identifiers)) { $0.kind = .folder }
        #expect(lists.allSatisfy { $0.kind == .momentList })
        let sorted = try fetch(.rowIDs(RowIDBuffer(wanted))) {
            $0.sort = [AssetFetchRequest.SortKey("estimatedAssetCount", ascending: false)]
        }
        #expect(sorted.map(\.assetCount) == sorted.map(\.assetCount).sorted(by: >))
        // An album's identifier with a moment's UUID matches nothing.
        #expect(try fetch(.identifiers([all[0].uuid + "/L0/040"])) == [])
    }

    @Test("A client that sees only some assets sees no moments, not even one that it held")
    func limited() throws {
        let moment = try moments([.moment])[0]
        let version = try world.store.currentVersion()
        let uuid = try #require(try world.uuid(of: assets[0]))
        for access in [LibraryAccess.limited([uuid]), .none] {
            view.access.set(access)
            #expect(try moments([.moment, .cluster, .year]) == [])
            #expect(try fetch(.rowIDs(RowIDBuffer([moment.id]))) == [])
            #expect(try fetch(.identifiers([moment.localIdentifier])) == [])
            let members = AssetFetchRequest(scope: .moment(moment.uuid))
            #expect(try AssetFetcher(view).fetch(members).ids.isEmpty)
            let load = CollectionLoadRequest(ids: RowIDBuffer([moment.id]))
            #expect(try CollectionFetcher(view).load(load).collections == [])
            let changes = try ChangedObjects(view).changes(
                ObjectChangesRequest(kind: .album, ids: RowIDBuffer([moment.id]), since: version)
            )
            #expect(changes.outcomes == [.deleted])
            let touched = try ChangedObjects(view).touched(TouchedRequest(since: 0, through: .max))
            #expect(!touched.collections.contains(moment.id))
        }
    }

    @Test("A moment that is gone is told as gone")
    func gone() throws {
        let moment = try moments([.moment])[2]
        let version = try world.store.currentVersion()
        try world.store.write(author: "test") { try $0.trashAssets([assets[3]]) }
        let reply = try ChangedObjects(view).changes(
            ObjectChangesRequest(kind: .album, ids: RowIDBuffer([moment.id]), since: version)
        )
        #expect(reply.outcomes == [.deleted])
    }
}

extension LibraryWorld {
    fileprivate func uuid(of asset: Int64) throws -> String? {
        try store.write(author: "test") { try $0.asset(id: asset)?.uuid }
    }
}
