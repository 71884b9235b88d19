internal import Foundation
internal import Glibc
internal import NIOCore

/// The address of a client or of this machine: IPv4, IPv6, or this machine's own socket.
///
/// An IPv4 address in IPv6's form, as a socket for both has it, is the IPv4 address.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four or sixteen bytes; none for a client that came over a Unix socket.
    private let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        let isMapped =
            bytes.count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Whoever connects to a Unix socket.
    static let ofThisMachine = ClientAddress(bytes: [])

    /// Reads a number with dots or colons, without brackets and port.
    init?(_ text: some StringProtocol) {
        // The interface of a link-local address is none of the address.
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

    /// That of a connection's end; nil where it is not known.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4, .v6:
            guard let text = address?.ipAddress else { return nil }
            self.init(text)
        case .unixDomainSocket: self = .ofThisMachine
        case nil: return nil
        }
    }

    /// That of an interface; nil for other kinds of addresses.
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

    /// Whether only this machine has it: the loopback's, and that of a Unix socket.
    var isOfThisMachine: Bool {
        switch bytes.count {
        case 0: true
        case 4: bytes[0] == 127
        default: bytes == [UInt8](repeating: 0, count: 15) + [1]
        }
    }

    /// Whether browsers of other machines can use it in a link.
    ///
    /// Those of a single link cannot be: a browser's address has no room for the interface.
    var isReachable: Bool {
        switch bytes.count {
        case 0: false
        case 4: bytes[0] != 127 && bytes[0] != 0 && !bytes.starts(with: [169, 254])
        // Global ones (2000::/3), and those of a local network (fc00::/7).
        default: bytes[0] & 0xE0 == 0x20 || bytes[0] & 0xFE == 0xFC
        }
    }

    var isIPv6: Bool { bytes.count == 16 }

    /// What counts as one client: an IPv4 address, or the 64 bits that an IPv6 network has.
    ///
    /// A machine chooses the other 64 bits itself, as often as it likes.
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

    /// As it stands in links: that of IPv6 in brackets.
    var inLinks: String { isIPv6 ? "[\(description)]" : description }
}
