internal import Foundation
internal import Hummingbird
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The routes for changes, undo and redo.
struct ChangeRoutes {
    private let gallery: Gallery
    /// The lock that serializes changes, so that the library version that each change creates is
    /// known.
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

    /// The parameters of an undo or redo request: the version to undo or redo, or nil for the
    /// latest change.
    private struct UndoParameters: Decodable, Sendable {
        var undo: String?
        var redo: String?
    }

    /// Undoes or redoes a change that the session may see.
    ///
    /// A session can undo its own last change while hidden photos are locked, provided that no
    /// other change followed. It can therefore undo hiding a photo.
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
                    "\(redoes ? "redo" : "undo") must be a version that a change returned."
                )
            }
            return version
        }
        let isOwn = name != nil && gallery.sessions.lastChange(of: context.session) == version
        let library = (isOwn ? gallery.everything : gallery.view(for: context)).library
        let (made, entries) =
            try redoes
            ? library.commitRedo(ifVersionIs: version)
            : library.commitUndo(ifVersionIs: version)
        // The version that reverses this operation. The library may already be at a later one.
        let present = String(made)
        gallery.sessions.record(change: name == nil ? nil : made, of: context.session)
        var object = JSONObject()
        object.add("done", true)
        object.add("undo", redoes ? present : nil)
        object.add("redo", redoes ? nil : present)
        object.add("versions", json: "\(entries.map(\.version))")
        object.add("author", entries.first?.author)
        return object.line
    }
}
