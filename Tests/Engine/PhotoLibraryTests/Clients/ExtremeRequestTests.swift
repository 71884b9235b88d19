import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Testing

@testable import EmbeddedLibrary
@testable import PhotoLibrary

/// Requests with numbers that no library gives out: each gets a reply or an error, and none ends
/// the process.
@Suite(.timeLimit(.minutes(2))) struct ExtremeRequestTests {
    static let numbers: [Int64] = [
        .min, .min + 1, -1_000_000, -1_001, -1_000, -2, -1, 0, 513, 1 << 48, .max - 1, .max,
    ]

    private let world: ClientWorld
    private let engine: LibraryEngine
    private let assets: [String]

    init() throws {
        world = try ClientWorld()
        let library = world.library
        assets = try (1...3).map { try library.addPhoto($0) }
        engine = try world.engine()
    }

    @Test("Days and counts of many assets that do not exist", arguments: numbers)
    func manyAssets(_ number: Int64) throws {
        let session = try engine.session()
        defer { session.close() }
        let ids = RowIDBuffer(Array(repeating: number, count: 5_000))
        let days = try session.captureDays(CaptureDaysRequest(ids: ids))
        #expect(days.runs == [CaptureDaysReply.Run(day: nil, count: 5_000)])
        #expect(try session.countAssets(AssetCountRequest(ids: ids, since: number)).counts.isEmpty)
        #expect(try session.loadAssets(AssetLoadRequest(ids: ids, since: number)).assets.isEmpty)
    }

    @Test("Limits of facets, histories and fetches")
    func limits() throws {
        let session = try engine.session()
        defer { session.close() }
        for limit in [Int.min, -1, 0] {
            let facets = try session.searchFacets(SearchFacetsRequest(limit: limit))
            #expect(facets.cameras.isEmpty && facets.places.isEmpty)
            let history = try session.history(HistoryRequest(since: 0, limit: limit))
            #expect(history.versions.isEmpty)
        }
        for limit in [Int.min, -1, 0, Int.max] {
            var request = AssetFetchRequest()
            request.limit = limit
            #expect(try session.fetch(request).ids.count == 3)
        }
        _ = try session.searchFacets(SearchFacetsRequest(limit: .max))
        for patience in [Double.nan, -.infinity, .infinity] {
            let request = DuplicatesRequest(patience: patience)
            _ = try session.duplicates(request)
        }
    }

    @Test("Row ids and versions of observed objects", arguments: numbers)
    func observing(_ number: Int64) throws {
        let base = try engine.session()
        let session = HoldingSession(base, smallest: 1)
        defer { session.close() }
        let request = AssetFetchRequest()
        let before = try session.fetch(request)
        _ = try base.commit(ClientWorld.edit(assets[1]) { $0.isFavorite = true })
        // Twice the same ones, in no order, and some that do not exist.
        let ids = RowIDBuffer([number, 3, 1, 2, 2, 1, number])
        for wantsSteps in [true, false] {
            let advance = AdvanceRequest(
                query: .assets(request),
                ids: ids,
                snapshot: before.snapshot,
                wantsSteps: wantsSteps
            )
            _ = try session.advance(advance)
            _ = try session.advanceHeld(HeldAdvanceRequest(advance))
        }
        for kind in [ObjectKind.asset, .album] {
            let request = ObjectChangesRequest(kind: kind, ids: ids, since: number)
            #expect(try session.objectChanges(request).outcomes.count == ids.count)
        }
        _ = try session.touched(TouchedRequest(since: max(0, number), through: number))
        let load = CollectionLoadRequest(ids: RowIDBuffer([number]))
        #expect(try session.loadCollections(load).collections.count <= 1)
        try session.unpin(UnpinRequest(pin: number))
    }

    @Test("Positions and numbers of checks", arguments: numbers)
    func checks(_ position: Int64) throws {
        let session = try engine.session()
        defer { session.close() }
        #expect(chmod(world.path, 0o755) == 0)
        var tally = VerifyTally(version: position)
        (tally.notes, tally.damages, tally.repaired) = (.max, .max, .max)
        for stage in 0..<9 {
            for repairs in [false, true] {
                let cursor = VerifyCursor(stage: stage, position: position, tally: tally)
                let request = VerifyRequest(isFull: false, repairs: repairs, cursor: cursor)
                let reply = try session.verify(request)
                if let next = reply.next?.tally { #expect(next == tally) }
            }
        }
        let build = RenditionBuildRequest(side: 256, cursor: position, limit: Int(position))
        _ = try session.buildRenditions(build)
    }
}
