internal import Foundation

/// The URLs at which browsers reach the gallery.
struct GalleryLinks: Sendable {
    let options: GalleryServer.Options
    let listening: Listening
    let proxied: PublicAddress?
    let port: Int

    /// The gallery's origin for browsers on this machine.
    ///
    /// With TLS it uses a host name, because certificates are issued for names.
    var own: String {
        if case .socket = listening, let proxied { return proxied.origin }
        return options.tls == nil
            ? "http://127.0.0.1:\(port)" : origin(options.hostNames.first ?? machine)
    }

    /// The URLs for browsers on other machines; the first is the most likely to work.
    var others: [URL] {
        var origins = proxied.map { [$0.origin] } ?? []
        if case .network(let withIPv6) = listening {
            let addresses = NetworkAddresses.all(includesIPv6: withIPv6).map(\.inLinks)
            let names = options.hostNames + [machine]
            origins += (options.tls == nil ? addresses + names : names + addresses).map(origin)
        }
        var links: [URL] = []
        for link in origins.compactMap({ URL(string: $0 + "/") }) where !links.contains(link) {
            links.append(link)
        }
        return links
    }

    private var machine: String { ProcessInfo.processInfo.hostName }

    private func origin(_ host: String) -> String {
        let isEncrypted = options.tls != nil
        let ending = port == (isEncrypted ? 443 : 80) ? "" : ":\(port)"
        return (isEncrypted ? "https://" : "http://") + host + ending
    }
}
