internal import Hummingbird
internal import PhotosJSON
internal import PhotosManagement

/// The routes for library verification, storage and renditions.
struct SettingsRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/check") { _, context -> Response in
            let isUnlocked = context.isUnlocked
            return try await Blocking.run {
                .json(gallery.check.json(showsHidden: isUnlocked))
            }
        }
        router.post("/api/check") { request, context -> Response in
            let command = try await request.decoded(CheckCommand.self)
            try gallery.check.start(full: command.full ?? false, repair: command.repair ?? false)
            let isUnlocked = context.isUnlocked
            return try await Blocking.run {
                .json(gallery.check.json(showsHidden: isUnlocked), status: .accepted)
            }
        }
        router.delete("/api/check") { _, context -> Response in
            gallery.check.job.stop()
            let isUnlocked = context.isUnlocked
            return try await Blocking.run { .json(gallery.check.json(showsHidden: isUnlocked)) }
        }
        router.get("/api/renditions") { _, context -> Response in
            let view = gallery.view(for: context)
            return try await Blocking.run { .json(try gallery.renditions.json(for: view)) }
        }
        router.post("/api/renditions") { request, context -> Response in
            let view = gallery.view(for: context)
            let command = try await request.decoded(JobCommand.self)
            let text = try await Blocking.run {
                switch command.action {
                case "build": try gallery.renditions.build()
                case "drop": try gallery.renditions.drop()
                case "stop": gallery.renditions.job.stop()
                default: throw RequestError.badRequest("action must be build, drop or stop.")
                }
                return try gallery.renditions.json(for: view).line
            }
            return .json(text: text)
        }
        router.get("/api/storage") { _, context -> Response in
            let view = gallery.view(for: context)
            return .json(text: try await Blocking.run { try gallery.storage.json(for: view) })
        }
    }

    private struct CheckCommand: Decodable, Sendable {
        var full: Bool?
        var repair: Bool?
    }
}
