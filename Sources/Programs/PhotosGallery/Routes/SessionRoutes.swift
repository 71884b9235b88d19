internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import PhotosJSON

/// The routes for sessions, and for exchanging a link's token for a session.
struct SessionRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.post("/api/session") { request, context -> Response in
            let start = try await request.decoded(Start.self)
            guard gallery.tokens.take(start.token) else {
                throw RequestError(
                    .noSession,
                    "This link has already been used, or belongs to another gallery.",
                    recovery:
                        "Press Return where photos serve is running, or run photos serve --new-link."
                )
            }
            return Self.entered(gallery.sessions.begin(), request, context, gallery)
        }
        router.get("/api/sessions") { _, context -> Response in
            .json(Self.list(gallery, context))
        }
        router.delete("/api/sessions") { _, context -> Response in
            gallery.end(gallery.sessions.names(except: context.session))
            return .json(Self.list(gallery, context))
        }
        router.delete("/api/sessions/:session") { _, context -> Response in
            let identifier = try context.path("session")
            if context.isViewOnly,
                !gallery.sessions.list(for: context).contains(where: { $0.identifier == identifier }
                )
            {
                throw RequestError.viewOnly
            }
            guard let name = gallery.sessions.name(of: identifier) else {
                throw RequestError.notFound("This session has already ended.")
            }
            gallery.end([name])
            guard name == context.session else {
                return .json(Self.list(gallery, context))
            }
            var object = JSONObject()
            object.add("done", true)
            var response = Response.json(object)
            for cookie in ["photos-\(context.port)", "photos-hidden-\(context.port)"] {
                response.add(cookie: cookie, "", context.cookieAttributes + "; Max-Age=0")
            }
            response.clearBrowserCache()
            return response
        }
    }

    private struct Start: Decodable, Sendable {
        var token: String
    }

    /// Creates the response to a client that signed in.
    ///
    /// The response has the session's cookie and the secrets that the page stores. The browser's
    /// previous session ends with the first request of the new session's page. Until then its other
    /// windows do not have the new secrets.
    static func entered(
        _ session: String,
        _ request: Request,
        _ context: GalleryContext,
        _ gallery: Gallery
    ) -> Response {
        gallery.sessions.use(session, by: Visitor(request, context))
        var keys = JSONObject()
        for family in MediaFamily.allCases {
            keys.add(family.rawValue, gallery.sessions.mediaKey(for: family, of: session))
        }
        var object = JSONObject()
        object.add("secret", gallery.sessions.secret(of: session))
        object.add("keys", keys)
        var response = Response.json(object)
        response.add(cookie: "photos-\(context.port)", session, context.cookieAttributes)
        if context.session.isEmpty {
            gallery.end([])
        } else {
            gallery.sessions.record(former: context.session, of: session)
        }
        return response
    }

    private static func list(_ gallery: Gallery, _ context: GalleryContext) -> JSONObject {
        var object = JSONObject()
        object.add(
            "sessions",
            gallery.sessions.list(for: context).map { entry -> JSONObject in
                var line = JSONObject()
                line.add("id", entry.identifier)
                line.add("current", entry.isCurrent)
                line.add("viewOnly", entry.rights == .viewing)
                line.add("begun", entry.firstUse)
                line.add("used", entry.lastUse)
                line.add("address", entry.visitor.address)
                line.add("browser", entry.visitor.browser)
                line.add("system", entry.visitor.system)
                return line
            }
        )
        return object
    }
}

extension Response {
    /// Adds a cookie to the response.
    fileprivate mutating func add(cookie name: String, _ value: String, _ attributes: String) {
        headers.append(HTTPField(name: .setCookie, value: "\(name)=\(value); \(attributes)"))
    }
}

extension Gallery {
    /// Returns a closure that indicates whether the session of a request still exists.
    func keeps(_ context: GalleryContext) -> @Sendable () -> Bool {
        { [sessions, name = context.session] in sessions.contains(name) }
    }

    /// Ends sessions, notifies their windows and closes the sessions' event streams.
    ///
    /// The windows of all other sessions are notified that the list of sessions changed.
    func end(_ names: [String]) {
        for name in names {
            sessions.end(name)
            events.send("ended", "{}", session: name)
            events.end(name)
        }
        events.send("sessions", "{}")
    }
}
