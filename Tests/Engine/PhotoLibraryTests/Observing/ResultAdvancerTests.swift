import Foundation
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// Change details in named cases; the property test covers all the others.
@Suite(.timeLimit(.minutes(2))) struct ResultAdvancerTests {
    private let world: LibraryWorld
    private let view: LibraryView

    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
    }

    private static func request(_ sort: String...) -> AssetFetchRequest {
        var request = AssetFetchRequest()
        request.sort = sort.map { .init($0, ascending: true) }
        return request
    }

    private func record(_ day: Double) -> AssetRecord {
        var record = LibraryWorld.record()
        record.creationDate = Date(timeIntervalSinceReferenceDate: day * 86_400)
        return record
    }

    private func update(_ id: Int64, _ body: (inout AssetRecord) -> Void) throws {
        try world.store.write(author: "test") { transaction in
            guard var record = try transaction.asset(id: id) else { return }
            body(&record)
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    private func advance(
        _ request: AssetFetchRequest,
        _ before: AssetFetchReply,
        wantsSteps: Bool = true
    ) throws -> AdvanceReply.Outcome {
        try ResultAdvancer(view).advance(
            AdvanceRequest(
                query: .assets(request),
                ids: before.ids,
                snapshot: before.snapshot,
                wantsSteps: wantsSteps
            )
        ).outcome
    }

    /// A changed sort value yields a change and a move (behavior 96).
    @Test func anotherDateMovesAndChanges() throws {
        let ids = try world.insert([record(1), record(2), record(3)])
        let request = Self.request("creationDate")
        let before = try AssetFetcher(view).fetch(request)
        try update(ids[0]) { $0.creationDate = record(9).creationDate }
        let after = RowIDBuffer([ids[1], ids[2], ids[0]])
        let steps = ListSteps(changed: [2], moves: [ListSteps.Move(from: 0, to: 2)])
        #expect(try advance(request, before) == .steps(after, steps))
        #expect(try advance(request, before, wantsSteps: false) == .reload(after))
    }

    /// An object that starts to match is inserted, one that stops matching is removed (behavior
    /// 96).
    @Test func matchingIsMembership() throws {
        let ids = try world.insert([record(1), record(2), record(3)])
        var request = Self.request("creationDate")
        request.predicate = .comparison(
            PredicateComparison(.key("isFavorite", position: nil), .equal, .value(.bool(true)))
        )
        try update(ids[1]) { $0.isFavorite = true }
        let before = try AssetFetcher(view).fetch(request)
        try update(ids[0]) { $0.isFavorite = true }
        try update(ids[1]) { $0.isFavorite = false }
        let steps = ListSteps(removed: [0], inserted: [0])
        #expect(try advance(request, before) == .steps(RowIDBuffer([ids[0]]), steps))
    }

    @Test func whatIsNotInTheResultDoesNotMatter() throws {
        let ids = try world.insert([record(1), record(2)])
        var request = Self.request("creationDate")
        request.mediaType = .video
        let before = try AssetFetcher(view).fetch(request)
        try update(ids[0]) { $0.title = "x" }
        #expect(try advance(request, before) == .unchanged)
        #expect(try advance(request, before, wantsSteps: false) == .unchanged)
    }

    /// A renumbered album has the same members in the same order.
    @Test func renumberingIsNoChange() throws {
        let ids = try world.insert((0..<4).map { record(Double($0)) })
        let album = CollectionFetcherTests.album("album")
        let id = try world.store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(album)
            try transaction.appendMembers(ids, to: id)
            return id
        }
        let request = AssetFetchRequest(scope: .album(album.uuid))
        let before = try AssetFetcher(view).fetch(request)
        #expect(before.ids == RowIDBuffer(ids))
        // The last two are swapped until there is no gap between the first two.
        try world.store.write(author: "test") { transaction in
            for round in 0..<80 {
                try transaction.placeMembers([ids[2 + round % 2]], in: id, after: ids[0])
            }
            try transaction.placeMembers([ids[2], ids[3]], in: id, after: ids[1])
        }
        guard case .steps(let after, let steps) = try advance(request, before) else {
            Issue.record("two members were touched")
            return
        }
        #expect(after == before.ids)
        #expect(steps == ListSteps(changed: [2, 3]))
    }

    @Test func anUnknownAlbumIsEmpty() throws {
        let request = AssetFetchRequest(scope: .album(UUID().uuidString))
        #expect(try AssetFetcher(view).fetch(request).ids.isEmpty)
    }

    /// The window of a limit moves when an object is inserted before it.
    @Test func limitsAreWindows() throws {
        let ids = try world.insert([record(2), record(3), record(4)])
        var request = Self.request("creationDate")
        request.limit = 2
        let before = try AssetFetcher(view).fetch(request)
        let new = try world.insert(record(1))[0]
        let steps = ListSteps(removed: [1], inserted: [0])
        #expect(try advance(request, before) == .steps(RowIDBuffer([new, ids[0]]), steps))
    }

    /// Changes of more than a quarter of a large result are not reported individually (behavior
    /// 91).
    @Test func tooManyChangesMakeAReload() throws {
        try world.insert((0..<ResultAdvancer.largeResult).map { record(Double($0)) })
        let request = Self.request("creationDate")
        let before = try AssetFetcher(view).fetch(request)
        func touch(_ count: Int) throws {
            try world.store.write(author: "test") { transaction in
                for id in before.ids.prefix(count) {
                    guard var record = try transaction.asset(id: id) else { continue }
                    record.isFavorite.toggle()
                    try transaction.updateAsset(record, contentChanged: false)
                }
            }
        }
        try touch(ResultAdvancer.largeResult / 4)
        guard case .steps(let ids, let steps) = try advance(request, before) else {
            Issue.record("a quarter is not too much")
            return
        }
        #expect(ids == before.ids)
        #expect(steps.changed == Array(0..<ResultAdvancer.largeResult / 4))
        try touch(ResultAdvancer.largeResult / 4 + 1)
        #expect(try advance(request, before) == .reload(before.ids))
    }

    /// The new result is cached: the same fetch reads no row.
    @Test func theSameFetchAfterwardsIsKnown() throws {
        let ids = try world.insert([record(1), record(2), record(3)])
        let request = Self.request("creationDate")
        let before = try AssetFetcher(view).fetch(request)
        try update(ids[0]) { $0.creationDate = nil }
        _ = try advance(request, before)
        let known = view.cache.answer(to: .assets(request))
        #expect(known?.snapshot.version == before.snapshot.version + 1)
        #expect(try known?.ids == AssetFetcher(view).fetch(request).ids)
    }
}
