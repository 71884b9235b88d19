internal import HTTPTypes
internal import Hummingbird

/// Verifies that the gallery's own page made a request.
///
/// Browsers send a cookie to every server on a host, regardless of the port, so the session's
/// cookie alone does not grant access. The page stores a secret under its origin, which includes
/// the port, and sends it in a header. Where it cannot add headers, it puts a key in the URL.
struct PageProof: Sendable {
    static let header = HTTPField.Name("X-Photos-Secret")
    static let member = "key"

    let sessions: Sessions

    /// Indicates whether the route at a path serves only static files, which are the same for every
    /// library.
    static func isStatic(_ path: [Substring]) -> Bool {
        path.isEmpty || path.first == "page" || path == ["favicon.ico"] || path == ["door"]
    }

    /// Indicates whether a request carries the secret or a media key of a session.
    ///
    /// This proves that the session's page sent the request.
    func holds(_ request: Request, for session: String) -> Bool {
        if let name = Self.header, let secret = request.headers[name] {
            return sessions.secret(of: session).map { Secret.areEqual($0, secret) } ?? false
        }
        guard request.method == .get || request.method == .head,
            let family = MediaFamily(path: request.uri.path.bytewiseSplit("/")),
            let key = request.query(Self.member),
            let own = sessions.mediaKey(for: family, of: session)
        else { return false }
        return Secret.areEqual(own, key)
    }
}
