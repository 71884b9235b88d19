internal import HTTPTypes
internal import Hummingbird

/// What a request brings to prove that the gallery's own page made it.
///
/// Browsers send a cookie to every server of its host, whatever the port, so the session's cookie alone opens
/// nothing. The page has a secret that it keeps under its origin, which the port is part of, and sends it in a
/// header; where it cannot add headers, it has a key in the address.
struct PageProof: Sendable {
    static let header = HTTPField.Name("X-Photos-Secret")
    static let member = "key"

    let sessions: Sessions

    /// Whether a path has nothing but the files of the page, which are the same for every library.
    static func isStatic(_ path: [Substring]) -> Bool {
        path.isEmpty || path.first == "page" || path == ["favicon.ico"] || path == ["door"]
    }

    /// Whether a request proves that it was made by the page of a session.
    func holds(_ request: Request, for session: String) -> Bool {
        if let name = Self.header, let secret = request.headers[name] {
            return sessions.secret(of: session).map { Secret.areEqual($0, secret) } ?? false
        }
        guard request.method == .get || request.method == .head,
            let family = MediaFamily(path: request.uri.path.split(separator: "/")),
            let key = request.query(Self.member),
            let own = sessions.mediaKey(for: family, of: session)
        else { return false }
        return Secret.areEqual(own, key)
    }
}
