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
                let controller = ChangeController(
                    view: view,
                    duplicates: gallery.duplicates,
                    command: command
                )
                let outcome =
                    try command.action == "rotate"
                    ? RotationController(controller: controller).perform()
                    : controller.perform(controller.make)
                gallery.sessions.record(change: outcome.version, for: context)
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

    /// The parameters of an undo or redo request.
    private struct UndoParameters: Decodable, Sendable {
        /// The version of the change or redo to undo; nil for the latest.
        var undo: String?
        /// The version of the undo to redo; nil for the latest.
        var redo: String?
        /// The version that the library must have; nil for that of `undo` or `redo`.
        var version: String?
    }

    /// Undoes or redoes a change that the session may see.
    ///
    /// The library refuses unless the given change is the next one to undo or redo. A session can
    /// therefore undo its own changes while hidden photos are locked, and with them the hiding of a
    /// photo, but none of another session or program.
    private static func undoOrRedo(
        _ gallery: Gallery,
        _ context: GalleryContext,
        _ parameters: UndoParameters,
        redoes: Bool
    ) throws -> String {
        let change = try version(
            redoes ? parameters.redo : parameters.undo,
            redoes ? "redo" : "undo"
        )
        let present = try version(parameters.version, "version") ?? change
        let isOwn = [change, present].allSatisfy { version in
            version.map { gallery.sessions.hasCreated($0, in: context.session) } ?? false
        }
        let library = (isOwn ? gallery.everything : gallery.view(for: context)).library
        let (made, entries) =
            try redoes
            ? library.commitRedo(of: change, ifVersionIs: present)
            : library.commitUndo(of: change, ifVersionIs: present)
        // The version that reverses this operation. The library may already be at a later one.
        let reverse = String(made)
        gallery.sessions.record(change: change == nil ? nil : made, for: context)
        var object = JSONObject()
        object.add("done", true)
        object.add("undo", redoes ? reverse : nil)
        object.add("redo", redoes ? nil : reverse)
        object.add("versions", json: "\(entries.map(\.version))")
        object.add("author", entries.first?.author)
        return object.line
    }

    /// Decodes a library version of a request; returns nil if it is not given.
    private static func version(_ text: String?, _ name: String) throws -> Int64? {
        guard let text else { return nil }
        guard let version = Int64(text) else {
            throw RequestError.badRequest("\(name) must be a version that a change returned.")
        }
        return version
    }
}
