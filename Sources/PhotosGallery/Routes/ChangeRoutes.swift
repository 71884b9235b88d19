internal import Foundation
internal import Hummingbird
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Changes, and taking them back.
struct ChangeRoutes {
    private let gallery: Gallery
    /// Changes come one after the other, so that each knows the version it made.
    static let turn = Mutex(())

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.post("/api/changes") { request, context -> Response in
            let order = try await request.decoded(ChangeOrder.self)
            let isUnlocked = context.isUnlocked
            let text = try await Blocking.run {
                let desk = ChangeDesk(gallery: gallery, order: order, isUnlocked: isUnlocked)
                let outcome = try Self.turn.withLock { _ in try desk.perform() }
                var object = JSONObject()
                object.add("done", true)
                object.add("undo", outcome.undo)
                object.add("count", outcome.count)
                if let created = outcome.created { object.add("created", created) }
                return object.line
            }
            return .json(text: text)
        }
        router.post("/api/undo") { request, context -> Response in
            let wish = try await request.decoded(Undoing.self)
            let text = try await Blocking.run {
                try Self.turn.withLock { _ in try Self.undo(gallery.library, wish.undo) }
            }
            return .json(text: text)
        }
    }

    private struct Undoing: Decodable, Sendable {
        var undo: String?
    }

    private static func undo(_ library: PhotoLibraryBundle, _ name: String?) throws -> String {
        if let name, try String(library.version) != name {
            throw Refusal(
                .refused,
                "Something else was changed since.",
                recovery: "Look at the library, and undo step by step."
            )
        }
        let undone = try library.undo()
        var object = JSONObject()
        object.add("done", true)
        object.add("undo", nil as String?)
        object.add("versions", json: "\(undone.map(\.version))")
        object.add("author", undone.first?.author)
        return object.line
    }
}
