internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// The client of a request and the address that the client requested.
struct Arrival: Sendable {
    /// The client whose rate limits apply to the request.
    var client: ClientAddress
    /// The web origin of the gallery's page at the requested address.
    var origin: String
    /// `true` if the browser's connection is encrypted.
    var isSecure: Bool
}

/// Determines a request's client and the address that the client requested.
///
/// Forwarding headers are trusted only if a proxy on this machine is configured and the connection
/// comes from this machine. Only the proxy can set them then.
struct Arrivals: Sendable {
    let hosts: OwnHosts
    /// `true` if the gallery itself encrypts connections.
    let isEncrypted: Bool
    /// The public address of the proxy on this machine; nil without a proxy.
    let proxied: PublicAddress?

    /// Returns the client and requested address of a request that arrived on a channel.
    ///
    /// - Throws: ``RequestError`` when the request names an address that is not the gallery's.
    func arrival(of request: Request, at channel: any Channel) throws -> Arrival {
        guard let host = request.head.authority, let peer = Self.peer(of: channel) else {
            throw Self.wrongHost
        }
        let isOwn = hosts.contain(host, at: channel, standardPort: isEncrypted ? 443 : 80)
        if let proxied, peer.isOfThisMachine {
            let forwarded = try ForwardingHeaders(request.headers)
            // A proxy may also use the address by which it reaches the gallery itself, but no
            // other.
            let named = proxied.isNamed(by: host) ? host : isOwn ? forwarded.host : nil
            if let named {
                guard proxied.isNamed(by: named),
                    forwarded.scheme == nil || forwarded.scheme == proxied.scheme
                else { throw Self.wrongProxy(proxied) }
                return Arrival(
                    client: forwarded.client ?? peer,
                    origin: proxied.origin,
                    isSecure: proxied.scheme == "https"
                )
            }
            guard forwarded.isEmpty else { throw Self.wrongProxy(proxied) }
        }
        // Only proxies may connect to the Unix socket.
        guard isOwn, channel.localAddress?.port != nil else { throw Self.wrongHost }
        return Arrival(
            client: peer,
            origin: (isEncrypted ? "https://" : "http://") + host,
            isSecure: isEncrypted
        )
    }

    /// Returns the address of a connection's peer; a peer on a Unix socket counts as this machine.
    private static func peer(of channel: any Channel) -> ClientAddress? {
        let ends = [channel.localAddress, channel.remoteAddress]
        for case .unixDomainSocket? in ends { return .ofThisMachine }
        return ClientAddress(channel.remoteAddress)
    }

    private static let wrongHost = RequestError(
        .wrongHost,
        "The request's host is not a host of the gallery.",
        recovery: "Open the link that photos serve printed."
    )

    private static func wrongProxy(_ proxied: PublicAddress) -> RequestError {
        RequestError(
            .wrongHost,
            "The address that the proxy forwards is not \(proxied.origin).",
            recovery: "Configure it to forward Host, or to set X-Forwarded-Host and -Proto."
        )
    }
}
