internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The routes for single assets: their details, images, movies and files.
struct AssetRoutes {
    /// The maximum length, in pixels, of the longer side of an image that is requested by size.
    static let sizeLimit = 8_192

    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        addFacts(to: router)
        addPicture(to: router)
        addMovie(to: router)
        addLeaving(to: router)
        addFiles(to: router)
    }

    /// Returns the asset that the path of a request identifies.
    static func asset(
        _ gallery: Gallery,
        _ context: GalleryContext
    ) async throws -> AssetMemory.Known {
        let uuid = try context.path("id").uppercased()
        return try await Blocking.run { try gallery.asset(uuid, for: context) }
    }

    private func addFacts(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/assets/:id") { _, context -> Response in
            let known = try await Self.asset(gallery, context)
            let info = AssetInfo(view: gallery.view(for: context))
            let text = try await Blocking.run { try info.json(known) }
            return .json(text: text)
        }
        router.get("/api/assets/:id/burst") { _, context -> Response in
            let known = try await Self.asset(gallery, context)
            guard let burst = known.asset.burstIdentifier else {
                throw RequestError.notFound("\(known.facts.originalFilename) is not in a burst.")
            }
            let info = AssetInfo(view: gallery.view(for: context))
            let text = try await Blocking.run { try info.burst(burst) }
            return .json(text: text)
        }
    }

    // MARK: - Images

    private func addPicture(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/assets/:id/picture") { request, context -> Response in
            let uuid = try context.path("id").uppercased()
            if let answer = try Self.cachedPicture(uuid, request, context, gallery) {
                return answer.response
            }
            let known = try await Self.asset(gallery, context)
            let variant = try Self.variant(request, known)
            let tag = Self.tag(variant)
            if variant.size == 0, variant.version == .current, Self.moves(known) {
                return try await Self.original(known, request, context, gallery)
            }
            if !variant.isFast, request.headers[.ifNoneMatch] == tag {
                return Response(status: .notModified, headers: [.eTag: tag])
            }
            let library = gallery.view(for: context).library
            let downloads = gallery.downloads
            let session = context.session
            let (picture, present) = try await Self.waiting(for: known, gallery, context) {
                try await gallery.pictures.large.limited(variant, of: known, in: library) { file in
                    _ = try await downloads.open(file, of: known.asset, in: library, for: session)
                } _: {
                    try await gallery.pictures.picture(variant, of: known.asset, in: library) {
                        downloads.notify(known.asset.bareIdentifier, $0, session: session)
                    }
                }
            }
            guard let picture else { return Response(status: .noContent) }
            return Self.answer(picture, tag, present, request).response
        }
    }

    /// A response with an image.
    struct PictureAnswer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        /// The bytes of the image; empty if the browser has the current version.
        let bytes: ByteBuffer

        var response: Response {
            status == .notModified
                ? Response(status: status, headers: headers)
                : Response(
                    status: status,
                    headers: headers,
                    body: ResponseBody(byteBuffer: bytes)
                )
        }
    }

    /// Returns the response to an image request from the cache; nil if the image has to be
    /// rendered.
    ///
    /// Takes some microseconds, so that it can be called on any thread.
    ///
    /// - Throws: ``RequestError`` for an asset that the session may not see, and an invalid query.
    static func cachedPicture(
        _ uuid: String,
        _ request: Request,
        _ context: GalleryContext,
        _ gallery: Gallery
    ) throws -> PictureAnswer? {
        guard let known = try gallery.cachedAsset(uuid, for: context) else { return nil }
        let variant = try variant(request, known)
        guard let picture = gallery.pictures.cached(variant) else { return nil }
        return answer(picture, tag(variant), known, request)
    }

    private static func answer(
        _ picture: Pictures.Picture,
        _ tag: String,
        _ known: AssetMemory.Known,
        _ request: Request
    ) -> PictureAnswer {
        let tag = picture.isDegraded ? "W/" + tag : tag
        let caching = picture.isDegraded ? "no-store" : caching(of: known)
        var headers: HTTPFields = [.eTag: tag, .cacheControl: caching]
        if picture.isDegraded, let degraded {
            headers.append(HTTPField(name: degraded, value: "1"))
        }
        if request.headers[.ifNoneMatch] == tag {
            return PictureAnswer(status: .notModified, headers: headers, bytes: ByteBuffer())
        }
        headers.append(HTTPField(name: .contentType, value: "image/jpeg"))
        return PictureAnswer(status: .ok, headers: headers, bytes: picture.bytes)
    }

    private static let degraded = HTTPField.Name("X-Photos-Degraded")

    /// Returns the value of the Cache-Control header for an asset.
    ///
    /// A browser that caches an image has to revalidate it each time, because any program may have
    /// hidden the asset since. Hidden assets are never cached.
    static func caching(of known: AssetMemory.Known) -> String {
        known.asset.isHidden ? "no-store" : "private, no-cache"
    }

    private static func variant(_ request: Request, _ known: AssetMemory.Known) throws
        -> Pictures.Variant
    {
        Pictures.Variant(
            uuid: known.asset.bareIdentifier,
            content: known.facts.contentVersion,
            size: try request.number("size", in: 0...sizeLimit, default: 1_024),
            fills: try choice(request, "fit", no: "fit", yes: "fill"),
            isFast: try choice(request, "quality", no: "sharp", yes: "fast"),
            version: try version(request)
        )
    }

    private static func version(_ request: Request) throws -> PHImageRequestOptionsVersion {
        switch request.query("version") {
        case nil, "current": .current
        case "unadjusted": .unadjusted
        case "original": .original
        default: throw RequestError.badRequest("version must be current, unadjusted or original.")
        }
    }

    private static func choice(
        _ request: Request,
        _ name: String,
        no: String,
        yes: String
    ) throws -> Bool {
        switch request.query(name) {
        case nil, no: return false
        case yes: return true
        default:
            let values = [no, yes].sorted().joined(separator: " or ")
            throw RequestError.badRequest("\(name) must be \(values).")
        }
    }

    private static func tag(_ variant: Pictures.Variant) -> String {
        let kind = (variant.fills ? "c" : "f") + String(variant.version.rawValue)
        return "\"\(variant.uuid)-\(variant.content)-\(variant.size)-\(kind)\""
    }

    /// Indicates whether an asset is an animated GIF or PNG.
    ///
    /// Such an image is sent as its original file.
    private static func moves(_ known: AssetMemory.Known) -> Bool {
        known.asset.playbackStyle == .imageAnimated
            && ["com.compuserve.gif", "public.png"].contains(known.facts.uniformTypeIdentifier)
    }

    private static func original(
        _ known: AssetMemory.Known,
        _ request: Request,
        _ context: GalleryContext,
        _ gallery: Gallery
    ) async throws -> Response {
        let library = gallery.view(for: context).library
        let photo = try await Blocking.run {
            let all = try library.resources(of: known.asset.localIdentifier)
            guard let photo = all.first(where: { $0.role == .photo }) else {
                throw RequestError.notFound("\(known.facts.originalFilename) has no picture.")
            }
            return photo
        }
        let (file, present) = try await open(photo, of: known, context, gallery)
        let isGIF = known.facts.uniformTypeIdentifier == "com.compuserve.gif"
        return FileAnswer.response(
            file,
            headers: [
                .contentType: isGIF ? "image/gif" : "image/png", .eTag: "\"\(photo.sha256)\"",
                .cacheControl: caching(of: present),
            ],
            for: request,
            while: gallery.keeps(context)
        )
    }

    /// Opens a file of an asset, and returns it with the asset as it is afterward.
    ///
    /// A file that is only in the cloud is downloaded first, as long as the client stays connected.
    private static func open(
        _ file: ResourceFacts,
        of known: AssetMemory.Known,
        _ context: GalleryContext,
        _ gallery: Gallery
    ) async throws -> (file: OpenFile, asset: AssetMemory.Known) {
        let (library, session) = (gallery.view(for: context).library, context.session)
        let (open, present) = try await waiting(for: known, gallery, context) {
            try await gallery.downloads.open(file, of: known.asset, in: library, for: session)
        }
        guard let open else { throw RequestError.notFound("The file does not exist.") }
        return (open, present)
    }

    // MARK: - Movies

    private func addMovie(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/assets/:id/movie") { request, context -> Response in
            let known = try await Self.asset(gallery, context)
            let version = try Self.version(request)
            let session = context.session
            let (movie, present) = try await Self.waiting(for: known, gallery, context) {
                try await gallery.movies.movie(of: known, version: version, for: session)
            }
            switch movie {
            case .file(let path):
                let isSound = known.asset.mediaType == .audio
                let isWebM = path.hasSuffix(".webm") || path.hasSuffix(".mkv")
                return FileAnswer.response(
                    try OpenFile(path: path),
                    headers: [
                        // With this type, browsers also play QuickTime files whose codecs they
                        // support.
                        .contentType: isSound ? "audio/mp4" : isWebM ? "video/webm" : "video/mp4",
                        .eTag: "\"\(known.asset.bareIdentifier)-\(known.facts.contentVersion)"
                            + "-\(version.rawValue)\"",
                        .cacheControl: Self.caching(of: present),
                    ],
                    for: request,
                    while: gallery.keeps(context)
                )
            case .downloading:
                var object = JSONObject()
                object.add("state", "downloading")
                return .json(object, status: .accepted)
            case .converting(let progress):
                var object = JSONObject()
                object.add("state", "converting")
                object.add("progress", progress)
                return .json(object, status: .accepted)
            case .failed(let message):
                throw RequestError(
                    .failed,
                    "The video could not be converted for browsers.",
                    reason: message,
                    recovery: "Download the original and play it in another app."
                )
            }
        }
    }

    private func addLeaving(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.delete("/api/assets/:id/movie") { _, context -> Response in
            let known = try await Self.asset(gallery, context)
            gallery.movies.leave(known.asset.bareIdentifier, session: context.session)
            var object = JSONObject()
            object.add("done", true)
            return .json(object)
        }
    }

    // MARK: - Files

    private func addFiles(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/assets/:id/resources/:number") { request, context -> Response in
            let known = try await Self.asset(gallery, context)
            let number = Int(try context.path("number")) ?? -1
            let library = gallery.view(for: context).library
            let resources = try await Blocking.run {
                try library.resources(of: known.asset.localIdentifier)
            }
            guard resources.indices.contains(number) else {
                throw RequestError.notFound(
                    "\(known.facts.originalFilename) has no file \(number)."
                )
            }
            let resource = resources[number]
            let (file, present) = try await Self.open(resource, of: known, context, gallery)
            return FileAnswer.response(
                file,
                headers: [
                    .contentType: "application/octet-stream",
                    .eTag: "\"\(resource.sha256)\"",
                    .contentDisposition: Self.attachment(resource.originalFilename),
                    .cacheControl: Self.caching(of: present),
                ],
                for: request,
                while: gallery.keeps(context)
            )
        }
    }

    /// Returns the value of a Content-Disposition header that makes a browser save a file as
    /// `name`, which may contain any characters (RFC 6266).
    static func attachment(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                let isPlain =
                    (0x20...0x7E).contains(scalar.value)
                    && !"\"\\%/".unicodeScalars.contains(scalar)
                return isPlain ? Character(scalar) : "_"
            }
        )
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
