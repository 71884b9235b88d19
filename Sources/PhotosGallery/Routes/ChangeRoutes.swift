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
        for redoes in [false, true] {
            router.post(redoes ? "/api/redo" : "/api/undo") { request, context -> Response in
                let wish = try await request.decoded(TakingBack.self)
                let text = try await Blocking.run {
                    try Self.turn.withLock { _ in
                        try Self.takeBack(gallery.library, wish, redoes: redoes)
                    }
                }
                return .json(text: text)
            }
        }
    }

    /// What is to be undone or redone; nothing for the last.
    private struct TakingBack: Decodable, Sendable {
        var undo: String?
        var redo: String?
    }

    private static func takeBack(
        _ library: PhotoLibraryBundle,
        _ wish: TakingBack,
        redoes: Bool
    ) throws -> String {
        let name = redoes ? wish.redo : wish.undo
        if let name, try String(library.version) != name {
            throw Refusal(
                .refused,
                "Something else was changed since.",
                recovery: "Look at the library, and \(redoes ? "redo" : "undo") step by step."
            )
        }
        let entries = try redoes ? library.redo() : library.undo()
        // What takes this back in turn.
        let present = try String(library.version)
        var object = JSONObject()
        object.add("done", true)
        object.add("undo", redoes ? present : nil)
        object.add("redo", redoes ? nil : present)
        object.add("versions", json: "\(entries.map(\.version))")
        object.add("author", entries.first?.author)
        return object.line
    }
}
