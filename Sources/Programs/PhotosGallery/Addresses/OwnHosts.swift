internal import Foundation
internal import NIOCore

/// The names that a server may be called by.
///
/// A name that somebody else's server resolves to this machine is none of them (DNS rebinding).
struct OwnHosts: Sendable {
    /// Names besides the addresses that clients connect to, in lower case.
    private let names: Set<String>

    /// - Parameters:
    ///   - isOpenToNetwork: Whether other machines may connect: then the names count that the network has
    ///     for this one.
    ///   - others: Further names that were said to be this server's.
    init(isOpenToNetwork: Bool, others: [String]) {
        var names: Set = ["localhost"]
        if isOpenToNetwork {
            let whole = ProcessInfo.processInfo.hostName.lowercased()
            let short = String(whole.prefix { $0 != "." })
            names.formUnion([whole, short, short + ".local"])
            for domain in Self.searchDomains { names.insert("\(short).\(domain)") }
        }
        names.formUnion(others.map { $0.lowercased() })
        self.names = names
    }

    /// Whether a request's host, with the port as browsers write it, is this server's own.
    ///
    /// The standard port is the one that browsers leave out.
    func contain(_ text: String, at channel: any Channel, standardPort: Int) -> Bool {
        guard let host = HostAndPort(text), let own = ClientAddress(channel.localAddress) else {
            return false
        }
        // A Unix socket has no port, so its client names none.
        guard let port = channel.localAddress?.port else {
            return host.port == nil && host.host == "localhost"
        }
        guard host.port(standard: standardPort) == port else { return false }
        return names.contains(host.host) || ClientAddress(host.host) == own
    }

    /// Domains that the network's router gives to its machines.
    private static var searchDomains: [String] {
        let text = (try? String(contentsOfFile: "/etc/resolv.conf", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").flatMap { line -> [String] in
            let words = line.split(separator: " ")
            guard words.first == "search" || words.first == "domain" else { return [] }
            return words.dropFirst().map { $0.lowercased() }
        }
    }
}
