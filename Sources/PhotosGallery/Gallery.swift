internal import Foundation
internal import PhotosManagement

/// Everything that the routes share.
final class Gallery: Sendable {
    let library: PhotoLibraryBundle
    let options: GalleryServer.Options
    let page: GalleryPage
    let sessions: Sessions
    let lists: ListStore
    let assets: AssetMemory
    let events = EventHub()
    let departures = Departures()
    let pictures: Pictures
    let movies: Movies
    let imports: Imports
    let duplicates: DuplicatesJob
    let check: CheckJob
    let renditions: RenditionsJob
    let facets: FacetDesk
    let importDays: ImportDays
    let follower: LibraryFollower
    let access: AccessFollower

    init(library: PhotoLibraryBundle, options: GalleryServer.Options) throws {
        self.library = library
        self.options = options
        page = try GalleryPage()
        sessions = Sessions(password: options.isOpenToNetwork ? options.password : nil)
        lists = ListStore(library: library)
        assets = AssetMemory(library: library)
        pictures = Pictures()
        movies = try Movies(library: library, folder: options.cacheFolder, events: events)
        imports = Imports(library: library, events: events)
        duplicates = DuplicatesJob(library: library, events: events)
        check = CheckJob(library: library, events: events)
        renditions = RenditionsJob(library: library, events: events)
        facets = FacetDesk(library: library)
        importDays = ImportDays(library: library)
        follower = try LibraryFollower(
            library: library,
            lists: lists,
            assets: assets,
            events: events
        )
        access = AccessFollower(events: events)
    }

    func start() {
        follower.start()
        access.start()
    }

    /// Ends what goes on by itself.
    func stop() {
        follower.stop()
        access.stop()
        events.close()
        imports.stop()
        movies.stop()
        for job in [duplicates.job, check.job, renditions.job] { job.stop() }
    }

    /// What makes lines of lists.
    var lines: AssetLines { AssetLines(library: library, assets: assets) }
}
