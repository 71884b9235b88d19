internal import Foundation
internal import Hummingbird
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Changes, and taking them back.
struct ChangeRoutes {
    private let gallery: Gallery
    /// Changes come one after the other, so that each knows the version it made.
    static let lock = Mutex(())

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.post("/api/changes") { request, context -> Response in
            let command = try await request.decoded(ChangeCommand.self)
            let view = gallery.view(for: context)
            let text = try await Blocking.run {
                let controller = ChangeController(view: view, command: command)
                let outcome =
                    try command.action == "rotate"
                    ? RotationController(controller: controller).perform()
                    : controller.perform(controller.make)
                gallery.sessions.record(change: outcome.version, of: context.session)
                var object = JSONObject()
                object.add("done", true)
                object.add("undo", outcome.undo)
                object.add("count", outcome.count)
                if let created = outcome.created { object.add("created", created) }
                return object.line
            }
            var response = Response.json(text: text)
            if command.action == "hide" { response.clearBrowserCache() }
            return response
        }
        for redoes in [false, true] {
            router.post(redoes ? "/api/redo" : "/api/undo") { request, context -> Response in
                let parameters = try await request.decoded(UndoParameters.self)
                let text = try await Blocking.run {
                    try Self.lock.withLock { _ in
                        try Self.undoOrRedo(gallery, context, parameters, redoes: redoes)
                    }
                }
                return .json(text: text)
            }
        }
    }

    /// What is to be undone or redone; nothing for the last.
    private struct UndoParameters: Decodable, Sendable {
        var undo: String?
        var redo: String?
    }

    /// Undoes or redoes what a session may.
    ///
    /// What hides a photo can be taken back by the session that made it, also while hidden photos are locked:
    /// its own last change, which nothing followed.
    private static func undoOrRedo(
        _ gallery: Gallery,
        _ context: GalleryContext,
        _ parameters: UndoParameters,
        redoes: Bool
    ) throws -> String {
        let name = redoes ? parameters.redo : parameters.undo
        let version = try name.map { name in
            guard let version = Int64(name) else {
                throw RequestError.badRequest(
                    "\(redoes ? "redo" : "undo") is what a change answered."
                )
            }
            return version
        }
        let isOwn = name != nil && gallery.sessions.lastChange(of: context.session) == version
        let library = (isOwn ? gallery.everything : gallery.view(for: context)).library
        let entries =
            try redoes
            ? library.redo(ifVersionIs: version)
            : library.undo(ifVersionIs: version)
        // What takes this back in turn.
        let present = try String(library.version)
        // The version that was asked for was the present one, so the next is that of the undoing.
        gallery.sessions.record(change: version.map { $0 + 1 }, of: context.session)
        var object = JSONObject()
        object.add("done", true)
        object.add("undo", redoes ? present : nil)
        object.add("redo", redoes ? nil : present)
        object.add("versions", json: "\(entries.map(\.version))")
        object.add("author", entries.first?.author)
        return object.line
    }
}
