internal import CCrypto
internal import Foundation

/// A kind of route that browsers ask for by its address alone: they add no headers of a page to pictures,
/// movies, downloads and event streams.
enum MediaFamily: String, CaseIterable, Sendable {
    case picture, movie, file, events

    /// The family of a path, by its parts; nil for a route whose requests can carry headers.
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

/// Makes the keys that stand in the addresses of pictures, movies, downloads and event streams.
///
/// A key is an HMAC of a session and a family: it opens the routes of that family, for who has the cookie of
/// that session. It stays the same as long as the session lasts, so that browsers can cache.
struct MediaKeys: Sendable {
    private let key: [UInt8]

    /// Begins with a random key, so that nothing is valid of what an earlier server made.
    init() {
        key = Secret.bytes(32)
    }

    /// The key of a session for a family: 32 hexadecimal digits.
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
        // Where OpenSSL refuses, nobody can know the key.
        guard result != nil, length == code.count else { return Secret.make() }
        return Digest.hexadecimal(code.prefix(16))
    }
}
