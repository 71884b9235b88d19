internal import Foundation
internal import NIOCore

/// The host names for which a server accepts requests.
///
/// Rejecting all other names prevents DNS rebinding, where a foreign name resolves to this machine.
struct OwnHosts: Sendable {
    /// The accepted host names in lowercase.
    ///
    /// The addresses to which clients connect are accepted as well.
    private let names: Set<String>

    /// Collects the host names of this machine.
    ///
    /// - Parameters:
    ///   - isOpenToNetwork: Whether other machines may connect. If so, this machine's names on the
    ///     network are accepted, too.
    ///   - others: Further accepted names, from the configuration.
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

    /// Indicates whether a request's host, with an optional port, denotes this server.
    ///
    /// `standardPort` is the default port of the scheme, which browsers omit.
    func contain(_ text: String, at channel: any Channel, standardPort: Int) -> Bool {
        guard let host = HostAndPort(text), let own = ClientAddress(channel.localAddress) else {
            return false
        }
        // A Unix socket has no port, so its clients send none.
        guard let port = channel.localAddress?.port else {
            return host.port == nil && host.host == "localhost"
        }
        guard host.port(standard: standardPort) == port else { return false }
        return names.contains(host.host) || ClientAddress(host.host) == own
    }

    /// The DNS search domains in this machine's resolver configuration.
    private static var searchDomains: [String] {
        let text = (try? String(contentsOfFile: "/etc/resolv.conf", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").flatMap { line -> [String] in
            let words = line.split(separator: " ")
            guard words.first == "search" || words.first == "domain" else { return [] }
            return words.dropFirst().map { $0.lowercased() }
        }
    }
}
