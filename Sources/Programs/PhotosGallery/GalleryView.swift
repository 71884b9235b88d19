internal import PhotosManagement

/// The library as one group of sessions sees it: with or without hidden photos.
///
/// Each view has its own lists and caches, so that sessions never receive data of another view.
final class GalleryView: Sendable {
    /// The maximum processor time of a fetch with a predicate, which browsers can choose freely.
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
        lists = ListStore(library: library)
        assets = AssetMemory(library: library)
        facets = FacetCache(library: library)
        importDays = ImportDays(library: library)
        follower = try LibraryFollower(
            library: library,
            lists: lists,
            assets: assets,
            events: events,
            audience: showsHidden ? .unlocked : .locked
        )
    }

    /// The encoder of assets in lists.
    var lines: AssetLines { AssetLines(library: library, assets: assets) }

    /// Fetches, in the background, the list that the page shows first.
    ///
    /// The first request finds it, or waits for the same fetch. A failure is reported there.
    func prepare() {
        Blocking.begin { [lists] in _ = try? lists.list(.first, duplicates: []) }
    }

    /// Throws unless the view includes hidden photos.
    func requireHidden() throws {
        guard showsHidden else { throw RequestError.hiddenLocked }
    }
}
