import Foundation
import LibraryService
import PhotoModel

/// Keeps a copy of the library's assets and albums up to date by its history only, and the results
/// of some fetches by their steps.
///
/// `@unchecked Sendable`: `state`, `results` and `failure` belong to the thread that runs until
/// `done` is signaled, and afterwards to the one that waits.
final class Follower: @unchecked Sendable {
    /// The tracked values by UUID.
    typealias State = [String: String]

    private let library: any LibraryService
    private var version: Int64
    private var state: State = [:]
    private var results: [HeldResult] = []
    private var failure: (any Error)?
    private let done = DispatchSemaphore(value: 0)

    init(library: any LibraryService, since version: Int64) {
        self.library = library
        self.version = version
    }

    /// Follows until a given version is reached.
    func run(until last: Int64) {
        defer { done.signal() }
        do {
            state = try Self.presentState(of: library)
            results = try Self.queries(in: library).map { try HeldResult($0, in: library) }
            let bell = try library.subscribe()
            while version < last {
                guard try !step(), version < last else { continue }
                var request = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
                if poll(&request, 1, 200) > 0 {
                    var bytes = [UInt8](repeating: 0, count: 4_096)
                    _ = read(bell.number, &bytes, bytes.count)
                }
            }
        } catch { failure = error }
    }

    /// Waits for the end, and returns the followed state.
    func wait() throws -> State {
        guard done.wait(timeout: .now() + 900) == .success else {
            throw HammerError("The follower stands at version \(version).")
        }
        if let failure { throw failure }
        for var result in results {
            try result.advance(in: library)
            guard try result.ids == HeldResult(result.query, in: library).ids else {
                throw HammerError("A held result is not what a fetch gives: \(result.query).")
            }
        }
        return state
    }

    /// Advances by some versions, if there are any.
    private func step() throws -> Bool {
        let reply = try library.history(HistoryRequest(since: version, limit: 100))
        for entry in reply.versions {
            guard entry.version == version + 1 else {
                throw HammerError("Version \(entry.version) came after \(version).")
            }
            version = entry.version
            for change in entry.changes { state[change.uuid] = nil }
        }
        let touched = Set(reply.versions.flatMap(\.changes).map(\.localIdentifier))
        state.merge(try Self.state(of: touched.sorted(), in: library)) { _, new in new }
        for index in results.indices { try results[index].advance(in: library) }
        return !reply.versions.isEmpty
    }

    // MARK: - States

    /// Returns queries of favorites by rating, albums by title, and the members of each album.
    private static func queries(in library: any LibraryService) throws -> [AdvanceRequest.Query] {
        var favorites = everything
        favorites.predicate = .comparison(
            PredicateComparison(
                .key("isFavorite", position: 0),
                .equal,
                .value(.bool(true))
            )
        )
        favorites.sort = [AssetFetchRequest.SortKey("rating", ascending: false)]
        var albums = CollectionFetchRequest(scope: .library)
        albums.sort = [AssetFetchRequest.SortKey("localizedTitle", ascending: true)]
        let ids = try library.fetchCollections(albums).ids
        let records = try library.loadCollections(CollectionLoadRequest(ids: ids)).collections
        return [.assets(favorites), .collections(albums)]
            + records.map { .assets(AssetFetchRequest(scope: .album($0.uuid))) }
    }

    static var everything: AssetFetchRequest {
        var request = AssetFetchRequest()
        request.includesHidden = true
        return request
    }

    static func presentState(of library: any LibraryService) throws -> State {
        let assets = try library.fetch(everything).ids
        let albums = try library.fetchCollections(CollectionFetchRequest(scope: .library)).ids
        return try state(assets: assets, albums: albums, in: library)
    }

    private static func state(of identifiers: [String], in library: any LibraryService) throws
        -> State
    {
        try state(
            assets: library.fetch(AssetFetchRequest(scope: .identifiers(identifiers))).ids,
            albums: library.fetchCollections(
                CollectionFetchRequest(scope: .identifiers(identifiers))
            ).ids,
            in: library
        )
    }

    private static func state(
        assets: RowIDBuffer,
        albums: RowIDBuffer,
        in library: any LibraryService
    ) throws -> State {
        var state: State = [:]
        for asset in try library.loadAssets(AssetLoadRequest(ids: assets)).assets {
            state[asset.uuid] =
                "\(asset.isFavorite) \(asset.rating) \(asset.keywords) \(asset.modificationDate)"
        }
        for album in try library.loadCollections(CollectionLoadRequest(ids: albums)).collections {
            let members = try library.fetch(AssetFetchRequest(scope: .album(album.uuid))).ids
            state[album.uuid] = "\(album.title) \(album.assetCount) \(Array(members))"
        }
        return state
    }

    /// Returns a text that is equal for equal states.
    static func digest(of state: State) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for (key, value) in state.sorted(by: { $0.key < $1.key }) {
            for byte in (key + value).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }
}
