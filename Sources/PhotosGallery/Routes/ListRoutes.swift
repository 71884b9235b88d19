internal import Foundation
internal import Hummingbird
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// Lists of assets, by pages.
struct ListRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/timeline") { request, context -> Response in
            let query = try ListQuery(
                source: request.query("source") ?? "library",
                predicate: request.query("predicate"),
                order: request.query("order"),
                isUnlocked: context.isUnlocked
            )
            try await gallery.follower.catchUp()
            let groups = gallery.duplicates.groups
            let text = try await Blocking.run {
                Self.timeline(try gallery.lists.list(query, duplicates: groups))
            }
            return .json(text: text)
        }
        router.get("/api/assets") { request, context -> Response in
            let (list, state) = try Self.state(gallery, request, context)
            let offset = try request.number("offset", in: 0...Int(Int32.max))
            let count = try request.number("count", in: 0...500, default: 200)
            let text = try await Blocking.run {
                let range = (offset..<offset + count).clamped(to: 0..<state.result.count)
                let found = range.map { state.result.object(at: $0) }
                var object = JSONObject()
                object.add("snapshot", list.snapshot(state.number))
                object.add("offset", offset)
                let lines = try gallery.lines.lines(found)
                object.add("assets", json: "[" + lines.joined(separator: ",") + "]")
                return object.line
            }
            return .json(text: text)
        }
        router.get("/api/assets/index") { request, context -> Response in
            let (_, state) = try Self.state(gallery, request, context)
            let id = request.query("id") ?? ""
            let isUnlocked = context.isUnlocked
            let text = try await Blocking.run {
                let asset = try gallery.assets.find(id.uppercased(), isUnlocked: isUnlocked).asset
                let index = state.result.index(of: asset)
                var object = JSONObject()
                object.add("index", index == NSNotFound ? nil : index)
                return object.line
            }
            return .json(text: text)
        }
        router.get("/api/ids") { request, context -> Response in
            let (_, state) = try Self.state(gallery, request, context)
            let from = try request.number("from", in: 0...Int(Int32.max))
            let to = try request.number("to", in: from...Int(Int32.max))
            guard to - from <= 10_000 else {
                throw Refusal(.tooLarge, "10,000 identifiers are given at once.")
            }
            let text = try await Blocking.run {
                let range = (from..<to).clamped(to: 0..<state.result.count)
                var object = JSONObject()
                object.add("ids", range.map { state.result.object(at: $0).bareIdentifier })
                return object.line
            }
            return .json(text: text)
        }
    }

    private static func state(
        _ gallery: Gallery,
        _ request: Request,
        _ context: GalleryContext
    ) throws -> (GalleryList, GalleryList.State) {
        guard let snapshot = request.query("snapshot") else {
            throw Refusal.badRequest("The address needs snapshot=NAME.")
        }
        return try gallery.lists.state(snapshot, isUnlocked: context.isUnlocked)
    }

    private static func timeline(_ list: GalleryList) -> String {
        let state = list.latest
        var object = JSONObject()
        object.add("snapshot", list.snapshot(state.number))
        object.add("count", state.result.count)
        object.add("dated", list.query.isDated)
        object.add("predicate", list.query.predicate)
        object.add("days", json: TimelineDays.json(state.headings))
        if let groups = list.groups { object.add("groups", json: "\(groups)") }
        return object.line
    }
}
