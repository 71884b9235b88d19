internal import Foundation
internal import Glibc
internal import NIOCore

/// The address of a client or of this machine: IPv4, IPv6 or a Unix socket.
///
/// IPv4-mapped IPv6 addresses, as dual-stack sockets report them, are converted to IPv4.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The four or sixteen bytes of the address; empty for a client that is connected over a Unix
    /// socket.
    private let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        let isMapped =
            bytes.count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// The address of all clients that are connected over a Unix socket.
    static let ofThisMachine = ClientAddress(bytes: [])

    /// Parses a numeric IPv4 or IPv6 address without brackets and port.
    init?(_ text: some StringProtocol) {
        // The scope ID of a link-local address names an interface and is not part of the address.
        let literal = text.prefix { $0 != "%" }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, String(literal), &bytes) == 1 {
            self.init(bytes: bytes)
        } else if inet_pton(AF_INET, String(literal), &bytes) == 1 {
            self.init(bytes: Array(bytes.prefix(4)))
        } else {
            return nil
        }
    }

    /// Converts a socket address; returns nil for an unknown address.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4, .v6:
            guard let text = address?.ipAddress else { return nil }
            self.init(text)
        case .unixDomainSocket: self = .ofThisMachine
        case nil: return nil
        }
    }

    /// Converts an interface's address; returns nil for families other than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self.init(
                bytes: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
                }
            )
        case AF_INET6:
            self.init(
                bytes: address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
                }
            )
        default: return nil
        }
    }

    /// `true` for loopback addresses and clients of the Unix socket, which are always on this
    /// machine.
    var isOfThisMachine: Bool {
        switch bytes.count {
        case 0: true
        case 4: bytes[0] == 127
        default: bytes == [UInt8](repeating: 0, count: 15) + [1]
        }
    }

    /// `true` if browsers on other machines can use the address in a link.
    ///
    /// Link-local addresses cannot be used: browsers do not accept a scope ID in an address.
    var isReachable: Bool {
        switch bytes.count {
        case 0: false
        case 4: bytes[0] != 127 && bytes[0] != 0 && !bytes.starts(with: [169, 254])
        // Global unicast addresses (2000::/3) and unique local addresses (fc00::/7).
        default: bytes[0] & 0xE0 == 0x20 || bytes[0] & 0xFE == 0xFC
        }
    }

    var isIPv6: Bool { bytes.count == 16 }

    /// The address to which rate limits apply: an IPv4 address, or the /64 network of an IPv6
    /// address.
    ///
    /// An IPv6 client chooses the lower 64 bits itself and can change them at any time.
    var network: ClientAddress {
        isIPv6
            ? ClientAddress(bytes: bytes.prefix(8) + [UInt8](repeating: 0, count: 8)) : self
    }

    var description: String {
        guard !bytes.isEmpty else { return "unix" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv6 ? AF_INET6 : AF_INET
        _ = inet_ntop(family, bytes, &text, socklen_t(text.count))
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    /// The address as written in URLs, with brackets around an IPv6 address.
    var inLinks: String { isIPv6 ? "[\(description)]" : description }
}
