internal import PhotosManagement

/// A view of the library, with or without hidden photos, for a group of sessions.
///
/// Each view has its own lists and caches, so that sessions never receive data of another view.
final class GalleryView: Sendable {
    /// The maximum processor time of a fetch, since browsers can send any predicate.
    private static let fetchLimit = Duration.seconds(5)

    let library: PhotoLibraryBundle
    /// `true` if the view includes hidden photos.
    let showsHidden: Bool
    let lists: ListStore
    let assets: AssetMemory
    let facets: FacetCache
    let importDays: ImportDays
    let follower: LibraryFollower

    init(library: PhotoLibraryBundle, showsHidden: Bool, events: EventHub) throws {
        library.limitFetches(to: Self.fetchLimit)
        self.library = library
        self.showsHidden = showsHidden
        lists = ListStore(library: library, events: events)
        assets = AssetMemory(library: library)
        facets = FacetCache(library: library, showsHidden: showsHidden)
        importDays = ImportDays(library: library)
        follower = try LibraryFollower(
            library: library,
            lists: lists,
            assets: assets,
            events: events,
            audience: showsHidden ? .unlocked : .locked
        )
    }

    /// The object that encodes assets as list entries.
    var lines: AssetLines { AssetLines(library: library, assets: assets) }

    /// Starts a background fetch of the first list that the page shows.
    ///
    /// The first request uses its result, or waits for the same fetch. That request also reports a
    /// failure.
    func prepare() {
        Blocking.begin { [lists] in _ = try? lists.list(.first, duplicates: []) }
    }

    /// Throws an error unless the view includes hidden photos.
    func requireHidden() throws {
        guard showsHidden else { throw RequestError.hiddenLocked }
    }
}
