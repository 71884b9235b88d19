internal import PhotosManagement

/// The library as some sessions see it: as a whole, or without what is hidden.
///
/// Each view has lists, a memory and caches of its own, so that nothing that one session may see is
/// answered to another.
final class GalleryView: Sendable {
    /// How much processor time a fetch with a predicate may take, whatever a browser asks for.
    private static let fetchLimit = Duration.seconds(5)

    let library: PhotoLibraryBundle
    /// Whether hidden photos are part of it.
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

    /// What makes lines of lists.
    var lines: AssetLines { AssetLines(library: library, assets: assets) }

    /// Makes sure that hidden photos are part of it.
    func requireHidden() throws {
        guard showsHidden else { throw RequestError.hiddenLocked }
    }
}
