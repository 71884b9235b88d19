internal import HTTPTypes
internal import Hummingbird

/// Checks each request before it reaches the routes, and adds security headers to each response.
///
/// 1. The requested host is one of this server's own, which prevents DNS rebinding.
/// 2. Pages of other sites can neither read nor change anything.
/// 3. Everything except signing in needs a session. Everything except the page's static files also
///    needs a secret that only the session's page has. View-only sessions are limited to their
///    rights.
/// 4. Errors are reported as JSON, or as a page when the browser navigates.
struct AccessMiddleware<Inner: HTTPResponder>: HTTPResponder where Inner.Context == GalleryContext {
    let inner: Inner
    let sessions: Sessions
    let arrivals: Arrivals
    let errorPage: ErrorPage
    /// Indicates whether a path is served without a session.
    let isPublic: @Sendable (String) -> Bool
    /// Responds with the sign-in page, which is shown without a session.
    let door: @Sendable (Request) -> Response

    func respond(to request: Request, context: GalleryContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, context)
            // For unknown routes, the router responds without a body.
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
        guard let context = try admitted(request, context) else { return door(request) }
        return try await inner.respond(to: request, context: context)
    }

    /// Checks a request, and returns its context with the session and the session's rights.
    ///
    /// - Returns: The context; nil for a request for the page without a session, to which the
    ///   sign-in page is sent.
    /// - Throws: ``RequestError`` when the request is refused.
    func admitted(_ request: Request, _ context: GalleryContext) throws -> GalleryContext? {
        var context = context
        let arrival = try arrivals.arrival(of: request, at: context.channel)
        context.arrival = arrival
        guard isSameSite(request, as: arrival.origin) else {
            throw RequestError(
                .crossSite,
                ErrorPage.isNavigation(request)
                    ? "Another site opened this address." : "Another site sent this request.",
                recovery: "Open it from the gallery."
            )
        }
        let isReading = request.method == .get || request.method == .head
        let path = request.uri.path
        // The router treats repeated slashes as one.
        if !isReading, path.bytewiseSplit("/").first == "api" {
            let mark = FieldNames.gallery.flatMap { request.headers[$0] }
            guard request.headers[.origin] != nil, mark == "1" else {
                throw RequestError(
                    .crossSite,
                    "Changes require the gallery's Origin and X-Photos-Gallery: 1."
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
            guard context.rights.allow(request.method, path.bytewiseSplit("/")) else {
                throw RequestError.viewOnly
            }
            context.isUnlocked = sessions.isUnlocked(
                name,
                secret: cookies["photos-hidden-\(context.port)"]
            )
            return context
        }
        if isWayIn || isPublic(path) { return context }
        if path == "/", isReading { return nil }
        throw RequestError(
            .noSession,
            "This browser is not signed in to the gallery.",
            recovery: "Open the link that photos serve printed."
        )
    }

    /// Indicates whether a request may use the session that its cookie names.
    ///
    /// The request must come from the session's page or be for a static file; otherwise, an error
    /// is thrown. For a sign-in request from elsewhere, the result is false instead.
    ///
    /// A client that signs in again may still have the cookie of an earlier session, whose page is
    /// closed.
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
        guard PageProof.isStatic(request.uri.path.bytewiseSplit("/")) else {
            throw RequestError(
                .noSession,
                "The request did not come from the gallery's page.",
                recovery: "Sign in again, or open a new link from photos serve."
            )
        }
        return true
    }

    // MARK: - The origin of a request

    private func isSameSite(_ request: Request, as own: String) -> Bool {
        if let origin = request.headers[.origin], origin != own { return false }
        guard let site = FieldNames.site.flatMap({ request.headers[$0] }) else {
            return true
        }
        switch site {
        case "same-origin": return true
        case "none": return request.method == .get || request.method == .head
        default: return isLinkToThePage(request)
        }
    }

    /// Indicates whether a browser follows a link from another site to the gallery's page.
    ///
    /// This is permitted, since the page itself contains no data.
    private func isLinkToThePage(_ request: Request) -> Bool {
        func says(_ name: HTTPField.Name?, _ value: String) -> Bool {
            name.flatMap { request.headers[$0] } == value
        }
        return request.method == .get && request.uri.path == "/"
            && request.headers[.origin] == nil
            && says(FieldNames.mode, "navigate") && says(FieldNames.destination, "document")
    }

    // MARK: - Security headers

    private static func protect(_ response: inout Response) {
        // No route sets these fields itself.
        for field in FieldNames.protection { response.headers.append(field) }
        if !response.headers.contains(where: { $0.name == .cacheControl }) {
            response.headers[.cacheControl] = "no-store"
        }
    }
}

/// The header field names and values that are used for every request.
enum FieldNames {
    fileprivate static let gallery = HTTPField.Name("X-Photos-Gallery")
    fileprivate static let site = HTTPField.Name("Sec-Fetch-Site")
    fileprivate static let mode = HTTPField.Name("Sec-Fetch-Mode")
    fileprivate static let destination = HTTPField.Name("Sec-Fetch-Dest")

    /// The security header fields that every response has.
    static let protection: [HTTPField] = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        // With `no-referrer`, browsers would send a null origin for the gallery's own form.
        ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ].compactMap { name, value in
        HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
        + " media-src 'self' blob:; connect-src 'self'; font-src 'self'; manifest-src 'self';"
        + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

/// Parses the cookies of a request.
struct CookieJar {
    private var values: [Substring: Substring] = [:]

    init(_ headers: [String]) {
        for header in headers {
            for pair in header.bytewiseSplit(";") {
                let parts = pair.bytewiseSplit("=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let name = parts[0].drop { $0 == " " }
                if values[name] == nil { values[name] = parts[1] }
            }
        }
    }

    subscript(_ name: String) -> String? { values[name[...]].map(String.init) }
}
