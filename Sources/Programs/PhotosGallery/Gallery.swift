internal import Foundation
internal import PhotosManagement

/// The state that all routes share.
final class Gallery: Sendable {
    /// The view of the library for sessions that unlocked hidden photos, and for library-wide
    /// operations.
    let everything: GalleryView
    /// The view of the library, without hidden photos, for all other sessions.
    let unhidden: GalleryView
    let options: GalleryServer.Options
    let page: GalleryPage
    let sessions: Sessions
    let tokens = StartTokens()
    let ways = OpenWays()
    let events = EventHub()
    let disconnects = ClientDisconnects()
    let pictures: Pictures
    let downloads: Downloads
    let movies: Movies
    let imports: Imports
    let duplicates: DuplicatesJob
    let check: CheckJob
    let renditions: RenditionsJob
    let storage: StorageFigures
    let access: AccessFollower

    init(library: PhotoLibraryBundle, options: GalleryServer.Options) throws {
        self.options = options
        everything = try GalleryView(library: library, showsHidden: true, events: events)
        unhidden = try GalleryView(
            library: library.withoutHidden(),
            showsHidden: false,
            events: events
        )
        page = try GalleryPage()
        sessions = Sessions(
            password: options.isOpen ? options.password : nil,
            viewPassword: options.viewPassword
        )
        pictures = Pictures()
        downloads = Downloads(events: events)
        movies = try Movies(
            library: library,
            folder: options.cacheFolder,
            events: events,
            downloads: downloads
        )
        imports = Imports(library: library, events: events)
        // Hidden photos are excluded from the search for duplicates.
        duplicates = DuplicatesJob(library: unhidden.library, events: events)
        check = CheckJob(library: library, events: events)
        renditions = RenditionsJob(
            library: library,
            withoutHidden: unhidden.library,
            events: events
        )
        storage = StorageFigures(library: library)
        access = AccessFollower(events: events)
    }

    func start() {
        everything.follower.start()
        unhidden.follower.start()
        access.start()
        movies.start()
        unhidden.prepare()
    }

    /// Stops all observers, jobs and streams.
    func stop() {
        everything.follower.stop()
        unhidden.follower.stop()
        access.stop()
        ways.close()
        events.close()
        imports.stop()
        movies.stop()
        downloads.stop()
        for job in [duplicates.job, check.job, renditions.job] { job.stop() }
        unhidden.library.close()
    }

    /// Returns the view of the library for the session of a request.
    func view(for context: GalleryContext) -> GalleryView {
        context.isUnlocked ? everything : unhidden
    }
}
