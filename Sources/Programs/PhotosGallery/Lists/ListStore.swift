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

    private struct State {
        var lists: [String: GalleryList] = [:]
        var names: [ListQuery: String] = [:]
    }

    private let library: PhotoLibraryBundle
    private let events: EventHub
    private let state = Mutex(State())
    /// The lock that is held while the first list is fetched, so that concurrent requests share one
    /// fetch.
    private let making = Mutex(())

    init(library: PhotoLibraryBundle, events: EventHub) {
        self.library = library
        self.events = events
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

    private func make(_ query: ListQuery, duplicates: [[String]]) throws -> GalleryList {
        let isFixed = query.source == .duplicates
        let result = try query.fetch(in: library, duplicates: duplicates)
        let days =
            query.isDated
            ? TimelineDays(runs: try library.captureDays(of: result), order: query.order) : nil
        let list = GalleryList(
            name: String(Secret.make().prefix(16)),
            query: query,
            result: result,
            days: days,
            groups: isFixed ? Self.sizes(of: duplicates, in: result) : nil
        )
        return state.withLock { state in
            // A concurrent request may have created the same list.
            if !isFixed, let other = state.names[query].flatMap({ state.lists[$0] }) {
                return other
            }
            if state.lists.count >= Self.limit { makeRoom(&state) }
            state.lists[list.name] = list
            state.names[query] = list.name
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
