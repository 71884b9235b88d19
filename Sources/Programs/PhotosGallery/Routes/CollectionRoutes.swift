internal import Hummingbird
internal import PhotosJSON

/// The routes for the sidebar, moments and duplicates.
struct CollectionRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/collections") { _, context -> Response in
            let view = gallery.view(for: context)
            let text = try await Blocking.run {
                try Sidebar(gallery: gallery, view: view).json(isViewOnly: context.isViewOnly)
            }
            return .json(text: text)
        }
        router.get("/api/moments") { request, context -> Response in
            let offset = try request.number("offset", in: 0...Int(Int32.max), default: 0)
            let count = try request.number("count", in: 0...200, default: 100)
            let view = gallery.view(for: context)
            let text = try await Blocking.run {
                try Sidebar(gallery: gallery, view: view).moments(
                    offset: offset,
                    count: count
                )
            }
            return .json(text: text)
        }
        router.get("/api/duplicates") { _, context -> Response in
            let view = gallery.view(for: context)
            let text = try await Blocking.run {
                try gallery.duplicates.json(with: view.lines).line
            }
            return .json(text: text)
        }
        router.post("/api/duplicates") { request, _ -> Response in
            let command = try await request.decoded(JobCommand.self)
            switch command.action {
            case "find": gallery.duplicates.find()
            case "stop": gallery.duplicates.job.stop()
            default: throw RequestError.badRequest("action must be find or stop.")
            }
            return try await Blocking.run { .json(gallery.duplicates.json) }
        }
    }
}

/// A command for a background job, such as to start or to stop it.
struct JobCommand: Decodable, Sendable {
    var action: String
}
