internal import Hummingbird
internal import PhotosJSON

/// The routes for search.
struct SearchRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/search") { request, _ -> Response in
            let text = request.query("text") ?? ""
            guard text.utf8.count <= 1_000 else {
                throw RequestError(.tooLarge, "A search can have at most 1,000 bytes.")
            }
            return .json(SearchWords(text).json)
        }
        router.get("/api/search/facets") { _, context -> Response in
            let facets = gallery.view(for: context).facets
            return .json(text: try await Blocking.run { try facets.json() })
        }
    }
}
