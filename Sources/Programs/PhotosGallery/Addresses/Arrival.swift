internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Where a request comes from, and by which of the gallery's addresses.
struct Arrival: Sendable {
    /// The client, as limits count it.
    var client: ClientAddress
    /// The origin that the gallery's own page has there, as browsers write it.
    var origin: String
    /// Whether nobody else reads what is sent.
    var isSecure: Bool
}

/// Finds out where requests come from.
///
/// What a request says of itself is believed only where nobody else can say it: forwarding headers of a
/// proxy on this machine, and these only where one was said to be there.
struct Arrivals: Sendable {
    let hosts: OwnHosts
    /// Whether the gallery itself encrypts.
    let isEncrypted: Bool
    /// Where a proxy on this machine shows the gallery.
    let proxied: PublicAddress?

    /// - Throws: ``RequestError`` when the address that is named is none of the gallery's.
    func arrival(of request: Request, at channel: any Channel) throws -> Arrival {
        guard let host = request.head.authority, let peer = Self.peer(of: channel) else {
            throw Self.wrongHost
        }
        let isOwn = hosts.contain(host, at: channel, standardPort: isEncrypted ? 443 : 80)
        if let proxied, peer.isOfThisMachine {
            let forwarded = try ForwardingHeaders(request.headers)
            // A proxy may name its own way to the gallery, but nothing else.
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
        // A Unix socket is there for a proxy alone.
        guard isOwn, channel.localAddress?.port != nil else { throw Self.wrongHost }
        return Arrival(
            client: peer,
            origin: (isEncrypted ? "https://" : "http://") + host,
            isSecure: isEncrypted
        )
    }

    /// The other end of a connection; that of a Unix socket is this machine's, whatever it is called.
    private static func peer(of channel: any Channel) -> ClientAddress? {
        let ends = [channel.localAddress, channel.remoteAddress]
        for case .unixDomainSocket? in ends { return .ofThisMachine }
        return ClientAddress(channel.remoteAddress)
    }

    private static let wrongHost = RequestError(
        .wrongHost,
        "The address names another host than the gallery's.",
        recovery: "Open the link that photos serve printed."
    )

    private static func wrongProxy(_ proxied: PublicAddress) -> RequestError {
        RequestError(
            .wrongHost,
            "The proxy names another address than \(proxied.origin).",
            recovery: "Have it hand on the Host header, or set X-Forwarded-Host and -Proto."
        )
    }
}
