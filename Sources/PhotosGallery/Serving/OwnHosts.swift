internal import Foundation
internal import Glibc
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
    func contain(_ host: String, at channel: any Channel) -> Bool {
        guard let address = channel.localAddress, let port = address.port else { return false }
        var own = names
        if let literal = address.ipAddress {
            own.insert(literal.contains(":") ? "[\(literal)]" : literal)
        }
        let host = host.lowercased()
        return own.contains { host == "\($0):\(port)" || port == 80 && host == $0 }
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

/// The addresses that other machines of the network reach this one at.
enum NetworkAddresses {
    /// Of all interfaces that are up, those of the loopback and of single links apart; numbers with dots.
    static var all: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let interface = entry?.pointee, let address = interface.ifa_addr,
                address.pointee.sa_family == sa_family_t(AF_INET),
                interface.ifa_flags & UInt32(IFF_UP) != 0,
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = getnameinfo(
                address,
                size,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            guard status == 0 else { continue }
            let name = text.withUnsafeBufferPointer { buffer in
                String(
                    decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                    as: UTF8.self
                )
            }
            if !name.hasPrefix("169.254."), !found.contains(name) { found.append(name) }
        }
        return found
    }
}
