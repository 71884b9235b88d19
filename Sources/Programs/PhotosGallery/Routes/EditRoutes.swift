internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PhotosManagement

/// The routes for editing.
struct EditRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/assets/:id/edit") { _, context -> Response in
            let known = try await AssetRoutes.asset(gallery, context)
            let controller = EditController(gallery: gallery, context: context)
            return .json(text: try await Blocking.run { try controller.json(known) })
        }
        router.put("/api/assets/:id/edit") { request, context -> Response in
            let known = try await AssetRoutes.asset(gallery, context)
            let version = try Self.version(request)
            try request.requireJSON()
            let recipe = try EditController.recipe(from: try await request.collected(upTo: 65_536))
            let controller = EditController(gallery: gallery, context: context)
            return .json(
                text: try await Blocking.run {
                    try controller.save(recipe, of: known, at: version)
                }
            )
        }
        router.delete("/api/assets/:id/edit") { request, context -> Response in
            let known = try await AssetRoutes.asset(gallery, context)
            let version = try Self.version(request)
            let controller = EditController(gallery: gallery, context: context)
            return .json(text: try await Blocking.run { try controller.revert(known, at: version) })
        }
        router.get("/api/assets/:id/auto") { _, context -> Response in
            _ = try await AssetRoutes.asset(gallery, context)
            var recipe = PhotoAdjustments()
            recipe.isAutoEnhanced = true
            return .json(text: String(decoding: try recipe.data(), as: UTF8.self))
        }
        router.get("/api/assets/:id/preview") { request, context -> Response in
            let known = try await AssetRoutes.asset(gallery, context)
            let size = try request.number("size", in: 1...EditPreview.sizeLimit, default: 1_024)
            let recipe = try Self.recipe(request)
            let (picture, present) = try await AssetRoutes.waiting(for: known, gallery, context) {
                try await EditPreview(gallery: gallery).picture(recipe, of: known, size: size)
            }
            let tag = "\"\(Digest.sha256(picture).prefix(32))\""
            return .tagged(
                ByteBuffer(bytes: picture),
                type: "image/jpeg",
                tag: tag,
                caching: AssetRoutes.caching(of: present),
                for: request
            )
        }
    }

    /// Returns the content version that the client has of the photo.
    private static func version(_ request: Request) throws -> Int {
        try request.number("version", in: 0...Int.max)
    }

    /// Decodes the adjustments in the URL, which are JSON in base64url.
    ///
    /// Without the parameter, there are no adjustments.
    private static func recipe(_ request: Request) throws -> PhotoAdjustments {
        guard let text = request.query("recipe"), !text.isEmpty else { return PhotoAdjustments() }
        var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
            .replacing(" ", with: "+")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard text.utf8.count <= 65_536, let data = Data(base64Encoded: base64) else {
            throw RequestError.badRequest("recipe must be JSON in base64url.")
        }
        return try EditController.recipe(from: data)
    }
}
