internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// The lists that browsers look at.
final class ListStore: Sendable {
    /// How many there are at most; the one that was used longest ago goes first.
    static let limit = 32
    /// After how long without a use a list is not carried on, in case nobody follows it.
    static let patience = Duration.seconds(600)

    private struct State {
        var lists: [String: GalleryList] = [:]
        var names: [ListQuery: String] = [:]
    }

    private let library: PhotoLibraryBundle
    private let state = Mutex(State())

    init(library: PhotoLibraryBundle) {
        self.library = library
    }

    /// The list of a query, fetched where it is not there yet.
    ///
    /// The groups that were found are needed for a query of duplicates.
    func list(_ query: ListQuery, duplicates: [[String]]) throws -> GalleryList {
        let isFixed = query.source == .duplicates
        let known = state.withLock { state in
            isFixed ? nil : state.names[query].flatMap { state.lists[$0] }
        }
        if let known { return known }
        let result = try query.fetch(in: library, duplicates: duplicates.flatMap(\.self))
        let days =
            query.isDated
            ? TimelineDays(runs: try library.captureDays(of: result), order: query.order) : nil
        let list = GalleryList(
            name: String(Secret.make().prefix(16)),
            query: query,
            result: result,
            days: days,
            groups: isFixed ? duplicates.map(\.count) : nil
        )
        return state.withLock { state in
            // Who was faster made the same.
            if !isFixed, let other = state.names[query].flatMap({ state.lists[$0] }) {
                return other
            }
            if state.lists.count >= Self.limit { Self.dropOldest(&state) }
            state.lists[list.name] = list
            state.names[query] = list.name
            return list
        }
    }

    /// A list and one of its states, by the name that a browser was given.
    ///
    /// - Throws: ``RequestError`` with `gone` when it is forgotten, or is another view's.
    func state(_ snapshot: String) throws -> (GalleryList, GalleryList.State) {
        let parts = snapshot.split(separator: ".")
        if parts.count == 2, let number = Int(parts[1]),
            let list = state.withLock({ $0.lists[String(parts[0])] })
        {
            if let state = list.state(number) { return (list, state) }
        }
        throw RequestError(.gone, "This state of the list is not kept any more.")
    }

    /// All lists that are to be carried on; those that nobody used for long go.
    ///
    /// Lists that somebody follows, by name, stay.
    func living(followed: Set<String>) -> [GalleryList] {
        state.withLock { state in
            let now = ContinuousClock.now
            for (name, list) in state.lists
            where !followed.contains(name) && now - list.lastUse > Self.patience {
                Self.drop(name, &state)
            }
            return Array(state.lists.values)
        }
    }

    /// Lets go of a list whose way was lost.
    func drop(_ list: GalleryList) { state.withLock { Self.drop(list.name, &$0) } }

    private static func dropOldest(_ state: inout State) {
        let oldest = state.lists.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { drop(oldest.key, &state) }
    }

    private static func drop(_ name: String, _ state: inout State) {
        guard let list = state.lists.removeValue(forKey: name) else { return }
        if state.names[list.query] == name { state.names[list.query] = nil }
    }
}
