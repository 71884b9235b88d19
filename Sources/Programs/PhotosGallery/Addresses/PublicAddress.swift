internal import Foundation

/// The address at which browsers reach the gallery through a proxy.
struct PublicAddress: Sendable, Equatable {
    /// The scheme, `http` or `https`.
    let scheme: String
    private let host: HostAndPort

    /// Parses the URL of a proxy.
    ///
    /// - Throws: ``GalleryError`` when it is not an `http` or `https` URL with only a host and an
    ///   optional port.
    init(_ url: URL) throws {
        let text = url.absoluteString
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let start = text.range(of: "://")
        else { throw GalleryError.noPublicAddress(text) }
        let rest = text[start.upperBound...]
        let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
        let isPlain = authority.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && scalar.value > 32 && !"/?#@%\\\"<>".unicodeScalars.contains(scalar)
        }
        guard isPlain, let host = HostAndPort(authority) else {
            throw GalleryError.noPublicAddress(text)
        }
        self.scheme = scheme
        self.host = host
    }

    private var standardPort: Int { scheme == "https" ? 443 : 80 }

    /// The origin as browsers write it: without the default port of the scheme.
    var origin: String {
        let name = host.host.contains(":") ? "[\(host.host)]" : host.host
        let port = host.port(standard: standardPort)
        return "\(scheme)://\(name)" + (port == standardPort ? "" : ":\(port)")
    }

    /// Indicates whether the host of a request has the host name and port of this address; a
    /// missing port means the scheme's default port.
    func isNamed(by text: String) -> Bool {
        guard let other = HostAndPort(text) else { return false }
        let isHost =
            other.host == host.host
            || ClientAddress(other.host).map { $0 == ClientAddress(host.host) } ?? false
        return isHost && other.port(standard: standardPort) == host.port(standard: standardPort)
    }
}
