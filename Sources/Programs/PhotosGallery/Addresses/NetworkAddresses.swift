internal import Glibc

/// Lists the addresses at which other machines on the network can reach this machine.
enum NetworkAddresses {
    /// Returns the addresses of all active interfaces except loopback and link-local addresses,
    /// IPv4 first.
    ///
    /// IPv6 addresses are included only if the gallery listens on IPv6.
    static func all(includesIPv6: Bool) -> [ClientAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [ClientAddress] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let interface = entry?.pointee, let raw = interface.ifa_addr,
                interface.ifa_flags & UInt32(IFF_UP) != 0,
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                let address = ClientAddress(raw), address.isReachable,
                includesIPv6 || !address.isIPv6, !found.contains(address)
            else { continue }
            found.append(address)
        }
        return found.filter { !$0.isIPv6 } + found.filter(\.isIPv6)
    }
}
