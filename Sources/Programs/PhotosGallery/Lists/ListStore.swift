internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Stores the lists that browsers show.
final class ListStore: Sendable {
    /// The maximum number of lists; the least recently used is dropped first.
    ///
    /// Lists that event streams follow, whose number is limited too, are not dropped, nor is the
    /// list that the page shows first. So there may be more.
    static let limit = 32
    /// The time after which an unused list is dropped, unless an event stream follows it.
    static let patience = Duration.seconds(600)
    /// The maximum number of times that a list is made because the library changes meanwhile.
    private static let attempts = 3

    private struct State {
        var lists: [String: GalleryList] = [:]
        var names: [ListQuery: String] = [:]
    }

    private let library: PhotoLibraryBundle
    private let events: EventHub
    /// Fetches the assets of a list, which for duplicates are in the given groups.
    private let fetch: @Sendable (ListQuery, [[String]]) throws -> PHFetchResult<PHAsset>
    private let state = Mutex(State())
    /// The lock that is held while the first list is fetched, so that concurrent requests share one
    /// fetch.
    private let making = Mutex(())

    /// Creates a store without lists.
    ///
    /// - Parameters:
    ///   - library: The view of the library that the lists show.
    ///   - events: The event streams that follow lists.
    ///   - fetch: Fetches the assets of a list; by default from `library`.
    init(
        library: PhotoLibraryBundle,
        events: EventHub,
        fetch: (@Sendable (ListQuery, [[String]]) throws -> PHFetchResult<PHAsset>)? = nil
    ) {
        self.library = library
        self.events = events
        if let fetch {
            self.fetch = fetch
        } else {
            self.fetch = { try $0.fetch(in: library, duplicates: $1) }
        }
    }

    /// Returns the list of a query, and fetches the list first if necessary.
    ///
    /// `duplicates` contains the groups of duplicates, which only queries of duplicates use.
    func list(_ query: ListQuery, duplicates: [[String]]) throws -> GalleryList {
        if let known = known(query) { return known }
        guard query == .first else { return try make(query, duplicates: duplicates) }
        return try making.withLock { _ in
            try known(query) ?? make(query, duplicates: duplicates)
        }
    }

    private func known(_ query: ListQuery) -> GalleryList? {
        guard query.source != .duplicates else { return nil }
        return state.withLock { state in state.names[query].flatMap { state.lists[$0] } }
    }

    /// Makes the list of a query.
    ///
    /// A change that is announced after the fetch does not reach the list before it is stored. The
    /// list is then made again. The last attempt is used in any case, since a list that missed a
    /// change catches up with the next one.
    private func make(_ query: ListQuery, duplicates: [[String]]) throws -> GalleryList {
        var attempt = 1
        while true {
            let version = try library.version
            let list = try fetched(query, duplicates: duplicates)
            store(list)
            if try attempt == Self.attempts || library.version == version { return shared(list) }
            drop(list)
            attempt += 1
        }
    }

    private func fetched(_ query: ListQuery, duplicates: [[String]]) throws -> GalleryList {
        let result = try fetch(query, duplicates)
        let days =
            query.isDated
            ? TimelineDays(runs: try library.captureDays(of: result), order: query.order) : nil
        return GalleryList(
            name: String(Secret.make().prefix(16)),
            query: query,
            result: result,
            days: days,
            groups: query.source == .duplicates ? Self.sizes(of: duplicates, in: result) : nil
        )
    }

    /// Stores a list, which advances with the library from now on.
    private func store(_ list: GalleryList) {
        state.withLock { state in
            if state.lists.count >= Self.limit { makeRoom(&state) }
            state.lists[list.name] = list
        }
    }

    /// Returns the list that all requests of its query share from now on: a stored list, or the one
    /// that a concurrent request has made.
    private func shared(_ list: GalleryList) -> GalleryList {
        guard list.query.source != .duplicates else { return list }
        return state.withLock { state in
            if let other = state.names[list.query].flatMap({ state.lists[$0] }) {
                Self.drop(list.name, &state)
                return other
            }
            state.names[list.query] = list.name
            return list
        }
    }

    /// Returns the number of photos that each group has in a result; groups without any are left
    /// out.
    private static func sizes(
        of groups: [[String]],
        in result: PHFetchResult<PHAsset>
    ) -> [Int] {
        let listed = Set(result.all.map(\.localIdentifier))
        return groups.map { group in group.count(where: { listed.contains($0) }) }
            .filter { $0 > 0 }
    }

    /// Returns a list and one of its states, by the state's name.
    ///
    /// - Throws: ``RequestError`` with `gone` when it is no longer retained or belongs to another
    ///   view.
    func state(_ snapshot: String) throws -> (GalleryList, GalleryList.State) {
        let parts = snapshot.split(separator: ".")
        if parts.count == 2, let number = Int(parts[1]),
            let list = state.withLock({ $0.lists[String(parts[0])] })
        {
            if let state = list.state(number) { return (list, state) }
        }
        throw RequestError(.gone, "This state of the list is no longer available.")
    }

    /// Drops the lists that were not used for a long time, and returns the remaining ones.
    ///
    /// These are the lists that must be advanced after a change.
    ///
    /// Lists that event streams follow are retained, and so is the list that the page shows first.
    func living() -> [GalleryList] {
        state.withLock { state in
            let followed = events.followed
            let now = ContinuousClock.now
            for (name, list) in state.lists
            where !followed.contains(name) && list.query != .first
                && now - list.lastUse > Self.patience
            {
                Self.drop(name, &state)
            }
            return Array(state.lists.values)
        }
    }

    /// Drops a list that could not be advanced.
    func drop(_ list: GalleryList) { state.withLock { Self.drop(list.name, &$0) } }

    /// Indicates whether a list has not been dropped, and therefore advances with the library.
    func contains(_ list: GalleryList) -> Bool { state.withLock { $0.lists[list.name] != nil } }

    /// Drops the least recently used lists that no event stream follows, so that there is room for
    /// another list.
    ///
    /// A stream that begins to follow one of them at the same time notices that it was dropped.
    private func makeRoom(_ state: inout State) {
        let followed = events.followed
        let unfollowed = state.lists
            .filter { !followed.contains($0.key) && $0.value.query != .first }
            .sorted { $0.value.lastUse < $1.value.lastUse }
        for (name, _) in unfollowed.prefix(state.lists.count - Self.limit + 1) {
            Self.drop(name, &state)
        }
    }

    private static func drop(_ name: String, _ state: inout State) {
        guard let list = state.lists.removeValue(forKey: name) else { return }
        if state.names[list.query] == name { state.names[list.query] = nil }
    }
}
