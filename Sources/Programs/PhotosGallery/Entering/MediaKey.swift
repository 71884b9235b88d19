internal import CCrypto
internal import Foundation

/// A family of routes that browsers request without the HTTP headers that the gallery's script
/// adds: images, movies, downloads and event streams.
enum MediaFamily: String, CaseIterable, Sendable {
    case picture, movie, file, events

    /// Returns the family of a route from its path components; nil for other routes, whose requests
    /// can carry the page's headers.
    init?(path: [Substring]) {
        if path == ["api", "events"] {
            self = .events
            return
        }
        guard path.count >= 4, path[0] == "api", path[1] == "assets" else { return nil }
        switch (path.count, path[3]) {
        case (4, "picture"), (4, "preview"): self = .picture
        case (4, "movie"): self = .movie
        case (5, "resources"): self = .file
        default: return nil
        }
    }
}

/// Derives the access keys that the gallery's page puts in the URLs of images, movies, downloads
/// and event streams.
///
/// A key is an HMAC of a session and a family. With the cookie of the same session, it grants
/// access to the routes of the family. It stays the same during the session, so that browsers can
/// cache responses.
struct MediaKeys: Sendable {
    private let key: [UInt8]

    /// Generates a random HMAC key, so that keys of earlier server runs are invalid.
    init() {
        key = Secret.bytes(32)
    }

    /// Returns the key of a session for a family: 32 hexadecimal digits.
    func key(for family: MediaFamily, of session: String) -> String {
        let message = Array("\(family.rawValue)\n\(session)".utf8)
        var code = [UInt8](repeating: 0, count: 32)
        var length = 0
        let result = EVP_Q_mac(
            nil,
            "HMAC",
            nil,
            "SHA256",
            nil,
            key,
            key.count,
            message,
            message.count,
            &code,
            code.count,
            &length
        )
        // If OpenSSL fails, return a random key, which nobody can know.
        guard result != nil, length == code.count else { return Secret.make() }
        return Digest.hexadecimal(code.prefix(16))
    }
}
