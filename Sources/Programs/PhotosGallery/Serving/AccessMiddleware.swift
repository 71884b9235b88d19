internal import HTTPTypes
internal import Hummingbird

/// Checks each request before the routes, and adds security headers to each response.
///
/// 1. The host that a request names is this server's own, whatever name resolves to its address.
/// 2. No other site's page causes anything: neither reading nor changing.
/// 3. Everything but the way in needs a session, and all but the page's own files what its page alone knows. A
///    session that only views gets as far as its rights go.
/// 4. Whatever fails is told in JSON, and as a page to who followed a link.
struct AccessMiddleware<Inner: HTTPResponder>: HTTPResponder where Inner.Context == GalleryContext {
    let inner: Inner
    let sessions: Sessions
    let arrivals: Arrivals
    let errorPage: ErrorPage
    /// Files that are shown to who has no session yet.
    let isPublic: @Sendable (String) -> Bool
    /// Shown instead of the page to who has no session.
    let door: @Sendable (Request) -> Response

    func respond(to request: Request, context: GalleryContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, context)
            // Where there is no route, the router answers without a word.
            if [.notFound, .methodNotAllowed].contains(response.status),
                response.headers[.contentType] == nil
            {
                throw HTTPError(response.status)
            }
        } catch {
            let requestError = RequestError(error)
            response =
                ErrorPage.isNavigation(request)
                ? errorPage.response(requestError) : requestError.response
        }
        Self.protect(&response)
        return response
    }

    private func answer(_ request: Request, _ context: GalleryContext) async throws -> Response {
        var context = context
        let arrival = try arrivals.arrival(of: request, at: context.channel)
        context.arrival = arrival
        guard isSameSite(request, as: arrival.origin) else {
            throw RequestError(
                .crossSite,
                ErrorPage.isNavigation(request)
                    ? "Another page led here." : "Another site's page asked for this.",
                recovery: "Open it from the gallery itself."
            )
        }
        let isReading = request.method == .get || request.method == .head
        let path = request.uri.path
        // The router takes several slashes for one.
        if !isReading, path.split(separator: "/").first == "api" {
            let mark = HTTPField.Name("X-Photos-Gallery").flatMap { request.headers[$0] }
            guard request.headers[.origin] != nil, mark == "1" else {
                throw RequestError(
                    .crossSite,
                    "A change needs the Origin of the gallery and X-Photos-Gallery: 1."
                )
            }
        }
        let cookies = CookieJar(request.headers[values: .cookie])
        let isWayIn = ["/api/session", "/login"].contains(path)
        if let name = cookies["photos-\(context.port)"], sessions.contains(name),
            try isAllowed(request, context, of: name, isWayIn: isWayIn)
        {
            context.session = name
            context.rights = sessions.rights(of: name)
            guard context.rights.allow(request.method, path.split(separator: "/")) else {
                throw RequestError.viewOnly
            }
            context.isUnlocked = sessions.isUnlocked(
                name,
                secret: cookies["photos-hidden-\(context.port)"]
            )
            return try await inner.respond(to: request, context: context)
        }
        if isWayIn || isPublic(path) {
            return try await inner.respond(to: request, context: context)
        }
        if path == "/", isReading { return door(request) }
        throw RequestError(
            .noSession,
            "The gallery does not know this browser.",
            recovery: "Open the link that photos serve printed."
        )
    }

    /// Whether a request with the cookie of a session is one of that session's.
    ///
    /// Who comes in anew may have the cookie of a session whose page is gone.
    private func isAllowed(
        _ request: Request,
        _ context: GalleryContext,
        of name: String,
        isWayIn: Bool
    ) throws -> Bool {
        if PageProof(sessions: sessions).holds(request, for: name) {
            sessions.use(name, by: Visitor(request, context))
            return true
        }
        if isWayIn { return false }
        guard PageProof.isStatic(request.uri.path.split(separator: "/")) else {
            throw RequestError(
                .noSession,
                "This was not asked by the gallery's own page.",
                recovery: "Sign in again, or open a new link of photos serve."
            )
        }
        return true
    }

    // MARK: - Where a request comes from

    private func isSameSite(_ request: Request, as own: String) -> Bool {
        if let origin = request.headers[.origin], origin != own { return false }
        guard let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) else {
            return true
        }
        switch site {
        case "same-origin": return true
        case "none": return request.method == .get || request.method == .head
        default: return isLinkToThePage(request)
        }
    }

    /// Whether a browser follows a link from elsewhere to the page, which shows nothing by itself.
    private func isLinkToThePage(_ request: Request) -> Bool {
        func says(_ name: String, _ value: String) -> Bool {
            HTTPField.Name(name).flatMap { request.headers[$0] } == value
        }
        return request.method == .get && request.uri.path == "/"
            && request.headers[.origin] == nil
            && says("Sec-Fetch-Mode", "navigate") && says("Sec-Fetch-Dest", "document")
    }

    // MARK: - What protects the page

    private static var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
            + " media-src 'self' blob:; connect-src 'self'; font-src 'self'; manifest-src 'self';"
            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private static func protect(_ response: inout Response) {
        let fields = [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            // Without any, browsers give the origin of the gallery's own form as null.
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ]
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}

/// The cookies of a request.
struct CookieJar {
    private var values: [Substring: Substring] = [:]

    init(_ headers: [String]) {
        for header in headers {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let name = parts[0].drop { $0 == " " }
                if values[name] == nil { values[name] = parts[1] }
            }
        }
    }

    subscript(_ name: String) -> String? { values[name[...]].map(String.init) }
}
