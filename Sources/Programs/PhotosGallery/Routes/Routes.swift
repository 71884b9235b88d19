internal import Hummingbird

/// All routes of the gallery, as documented in `Docs/gallery-api.md`.
struct Routes {
    let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        PageRoutes(gallery).add(to: router)
        SessionRoutes(gallery).add(to: router)
        StateRoutes(gallery).add(to: router)
        ListRoutes(gallery).add(to: router)
        EventRoutes(gallery).add(to: router)
        AssetRoutes(gallery).add(to: router)
        EditRoutes(gallery).add(to: router)
        ChangeRoutes(gallery).add(to: router)
        CollectionRoutes(gallery).add(to: router)
        SearchRoutes(gallery).add(to: router)
        ImportRoutes(gallery).add(to: router)
        AccessRoutes(gallery).add(to: router)
        SettingsRoutes(gallery).add(to: router)
    }
}
