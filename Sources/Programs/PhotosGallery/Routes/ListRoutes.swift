internal import Foundation
internal import Hummingbird
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The routes for lists of assets, in pages.
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
                order: request.query("order")
            )
            let view = gallery.view(for: context)
            try context.requireAccess(to: query)
            if query.isOfHidden { try view.requireHidden() }
            let first = try request.number("first", in: 0...500, default: 0)
            try await view.follower.catchUp()
            let text = try await Blocking.run {
                let groups = query.source == .duplicates ? try gallery.duplicates.groups : []
                let list = try view.lists.list(query, duplicates: groups)
                return try Self.timeline(list, first: first, view.lines)
            }
            return .json(text: text)
        }
        router.get("/api/assets") { request, context -> Response in
            let view = gallery.view(for: context)
            let (list, state) = try Self.state(view, request, context)
            let offset = try request.number("offset", in: 0...Int(Int32.max))
            let count = try request.number("count", in: 0...500, default: 200)
            let text = try await Blocking.run {
                var object = JSONObject()
                object.add("snapshot", list.snapshot(state.number))
                object.add("offset", offset)
                let assets = try Self.assets(state, offset..<offset + count, view.lines)
                object.add("assets", json: assets)
                return object.line
            }
            return .json(text: text)
        }
        router.get("/api/assets/index") { request, context -> Response in
            let (_, state) = try Self.state(gallery.view(for: context), request, context)
            let id = request.query("id") ?? ""
            let text = try await Blocking.run {
                let asset = try gallery.asset(id.uppercased(), for: context).asset
                let index = state.result.index(of: asset)
                var object = JSONObject()
                object.add("index", index == NSNotFound ? nil : index)
                return object.line
            }
            return .json(text: text)
        }
        router.get("/api/ids") { request, context -> Response in
            let view = gallery.view(for: context)
            let (_, state) = try Self.state(view, request, context)
            let from = try request.number("from", in: 0...Int(Int32.max))
            let to = try request.number("to", in: from...Int(Int32.max))
            guard to - from <= 10_000 else {
                throw RequestError(.tooLarge, "A request can ask for at most 10,000 identifiers.")
            }
            let text = try await Blocking.run {
                let range = (from..<to).clamped(to: 0..<state.result.count)
                let found = range.map { state.result.object(at: $0) }
                var object = JSONObject()
                object.add("ids", try view.lines.identifiers(found))
                return object.line
            }
            return .json(text: text)
        }
    }

    private static func state(
        _ view: GalleryView,
        _ request: Request,
        _ context: GalleryContext
    ) throws -> (GalleryList, GalleryList.State) {
        guard let snapshot = request.query("snapshot") else {
            throw RequestError.badRequest("The address requires snapshot=NAME.")
        }
        let found = try view.lists.state(snapshot)
        try context.requireAccess(to: found.0.query)
        return found
    }

    private static func assets(
        _ state: GalleryList.State,
        _ places: Range<Int>,
        _ lines: AssetLines
    ) throws -> String {
        let range = places.clamped(to: 0..<state.result.count)
        let found = range.map { state.result.object(at: $0) }
        return "[" + (try lines.lines(found)).joined(separator: ",") + "]"
    }

    private static func timeline(
        _ list: GalleryList,
        first: Int,
        _ lines: AssetLines
    ) throws -> String {
        let state = list.latest
        var object = JSONObject()
        object.add("snapshot", list.snapshot(state.number))
        object.add("count", state.result.count)
        object.add("dated", list.query.isDated)
        object.add("predicate", list.query.predicate)
        object.add("days", json: TimelineDays.json(state.headings))
        if let groups = list.groups { object.add("groups", json: "\(groups)") }
        if first > 0 { object.add("assets", json: try assets(state, 0..<first, lines)) }
        return object.line
    }
}
