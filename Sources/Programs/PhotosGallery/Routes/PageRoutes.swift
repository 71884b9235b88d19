internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The routes for the page and for signing in.
struct PageRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        let files = gallery.page.files
        router.get("/") { request, _ -> Response in
            try Self.file("index.html", files, request)
        }
        router.get("/door") { request, _ -> Response in
            Self.door(files, gallery.sessions, request)
        }
        router.get("/page/**") { request, context -> Response in
            // Files are looked up only among those that were loaded at the start.
            let name = context.parameters.getCatchAll().joined(separator: "/")
            return try Self.file(name.removingPercentEncoding ?? name, files, request)
        }
        router.get("/favicon.ico") { request, _ -> Response in
            try Self.file("icon.svg", files, request)
        }
        router.post("/login") { request, context -> Response in
            guard gallery.sessions.needsPassword else {
                throw RequestError.notFound("This address does not exist.")
            }
            // A form that is submitted without the page's script would reveal the secret.
            guard !ErrorPage.isNavigation(request) else {
                throw RequestError.badRequest("This page requires JavaScript.")
            }
            let form = try await request.collected(upTo: 8_192)
            let password = Self.field("password", in: String(decoding: form, as: UTF8.self))
            let session = try await gallery.sessions.begin(
                password: password ?? "",
                from: context.client()
            )
            return SessionRoutes.entered(session, request, context, gallery)
        }
    }

    private static func file(
        _ name: String,
        _ files: [String: GalleryPage.File],
        _ request: Request
    ) throws -> Response {
        guard let file = files[name] else {
            throw RequestError.notFound("The page has no such file.")
        }
        return .tagged(
            file.bytes,
            type: file.type,
            tag: file.tag,
            caching: "no-cache",
            for: request
        )
    }

    // MARK: - Without a session

    /// Indicates whether a file is served without a session.
    ///
    /// These are the sign-in page and the files that it needs.
    static func isPublic(_ path: String) -> Bool {
        doorFiles.contains(path) || path.hasPrefix("/page/languages/")
    }

    private static let doorFiles: Set = [
        "/door", "/favicon.ico", "/page/icon.svg", "/page/style/base.css", "/page/style/gate.css",
        "/page/script/api.js", "/page/script/dom.js", "/page/script/door.js",
        "/page/script/early.js", "/page/script/entering.js", "/page/script/keys.js",
        "/page/script/query.js", "/page/script/text.js",
    ]

    /// Responds with the sign-in page, which is shown without a session.
    static func door(
        _ files: [String: GalleryPage.File],
        _ sessions: Sessions,
        _ request: Request
    ) -> Response {
        let name = sessions.needsPassword ? "login.html" : "denied.html"
        guard let file = files[name] else {
            return RequestError(
                .noSession,
                "This browser is not signed in to the gallery.",
                recovery: "Open the link that photos serve printed."
            ).response
        }
        return .tagged(
            file.bytes,
            type: file.type,
            tag: file.tag,
            caching: "no-store",
            for: request
        )
    }

    /// Returns the value of a field in a URL-encoded form.
    static func field(_ name: String, in form: String) -> String? {
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == name else { continue }
            return parts[1].replacing("+", with: " ").removingPercentEncoding
        }
        return nil
    }
}
