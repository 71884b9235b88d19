import Glibc
import LibraryService
import PhotoModel
import ProgramAccess
import RenditionFixture
import Testing

@testable import EmbeddedLibrary
@testable import PhotoLibrary

/// A program without access does not learn when, or how often, the library changes.
@Suite(.timeLimit(.minutes(2))) struct DeniedSessionTests {
    private let world: ClientWorld
    private let engine: LibraryEngine
    private let asset: String

    init() throws {
        world = try ClientWorld()
        asset = try world.library.addPhoto(1)
        engine = try world.engine()
    }

    /// The states that replies name.
    private static func snapshots(_ session: any LibraryService) throws -> [LibrarySnapshot] {
        let status = try session.status()
        let pin = try session.pin()
        try session.unpin(UnpinRequest(pin: pin.pin))
        return [
            LibrarySnapshot(version: status.version, epoch: status.epoch),
            pin.snapshot,
            try session.fetch(AssetFetchRequest()).snapshot,
            try session.fetchCollections(CollectionFetchRequest(scope: .library)).snapshot,
            LibrarySnapshot(
                version: try session.loadAssets(AssetLoadRequest(ids: RowIDBuffer([1]))).version
            ),
        ]
    }

    private static func isReadable(_ signal: Descriptor, within milliseconds: Int32) -> Bool {
        withExtendedLifetime(signal) {
            var request = pollfd(fd: signal.number, events: Int16(POLLIN), revents: 0)
            return poll(&request, 1, milliseconds) == 1
        }
    }

    private func change(_ owner: any LibraryService, isFavorite: Bool) throws {
        _ = try owner.commit(ClientWorld.edit(asset) { $0.isFavorite = isFavorite })
    }

    @Test("Replies without access are equal before and after a change")
    func replies() throws {
        let program = try world.program("p", AccessChoice(readWrite: .denied))
        let client = try engine.session(for: ClientIdentity(program: program))
        let owner = try engine.session()
        defer { for session in [client, owner] { session.close() } }
        let before = try Self.snapshots(client)
        #expect(before.allSatisfy { $0.version == 0 })
        try change(owner, isFavorite: true)
        #expect(try Self.snapshots(client) == before)
        for days in [nil, 100] {
            let error = #expect(throws: LibraryError.self) {
                try client.historyHorizon(HistoryHorizonRequest(days: days))
            }
            #expect(error?.code == .accessDenied)
        }
        // A grant is a later state, with a result that can be advanced.
        try world.access.change("p") { $0.set(.authorized, for: .readWrite) }
        let version = try owner.status().version
        let granted = try Self.snapshots(client)
        #expect(granted.allSatisfy { $0.version == version })
        #expect(granted[0].epoch > before[0].epoch)
        let query = AdvanceRequest.Query.assets(AssetFetchRequest())
        let gained = try client.advance(
            AdvanceRequest(query: query, ids: RowIDBuffer(), snapshot: before[2])
        )
        guard case .steps(let ids, let steps) = gained.outcome else {
            Issue.record("\(gained.outcome)")
            return
        }
        #expect(ids.count == 1 && steps.inserted == [0])
        // So is a revocation, although its version is lower.
        try world.access.change("p") { $0.set(.denied, for: .readWrite) }
        let lost = try client.advance(
            AdvanceRequest(query: query, ids: ids, snapshot: gained.snapshot)
        )
        #expect(lost.outcome == .steps(RowIDBuffer(), ListSteps(removed: [0])))
        #expect(lost.snapshot.version == 0 && lost.snapshot.epoch > gained.snapshot.epoch)
        _ = try owner.historyHorizon(HistoryHorizonRequest())
    }

    @Test("A subscription without access reports a grant and no changes")
    func subscription() throws {
        let program = try world.program("p", AccessChoice(readWrite: .denied))
        let client = try engine.session(for: ClientIdentity(program: program))
        let owner = try engine.session()
        defer { for session in [client, owner] { session.close() } }
        let denied = try client.subscribe()
        let owners = try owner.subscribe()
        try change(owner, isFavorite: true)
        // All descriptors that watch the library become readable together.
        #expect(Self.isReadable(owners, within: 20_000))
        #expect(!Self.isReadable(denied, within: 0))
        try world.access.change("p") { $0.set(.authorized, for: .readWrite) }
        #expect(Self.isReadable(denied, within: 20_000))
        // From then on, the program subscribes anew.
        let granted = try client.subscribe()
        try change(owner, isFavorite: false)
        #expect(Self.isReadable(granted, within: 20_000))
    }
}
