internal import Foundation
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore

/// The interfaces or the Unix socket on which the gallery listens.
enum Listening: Sendable, Equatable {
    /// The loopback interface only.
    case loopback
    /// All network interfaces, with IPv4 and, if the kernel supports it, IPv6.
    case network(withIPv6: Bool)
    /// A Unix socket at a path.
    case socket(String)

    init(_ options: GalleryServer.Options) {
        if let path = options.socketPath {
            self = .socket(path)
        } else if options.isOpenToNetwork {
            self = .network(withIPv6: Self.hasIPv6)
        } else {
            self = .loopback
        }
    }

    func address(port: Int) -> BindAddress {
        switch self {
        case .loopback: .hostname("127.0.0.1", port: port)
        // One dual-stack socket serves both: IPv4 clients appear with mapped addresses.
        case .network(let withIPv6): .hostname(withIPv6 ? "::" : "0.0.0.0", port: port)
        case .socket(let path): .unixDomainSocket(path: path)
        }
    }

    /// `true` if the kernel of this machine supports IPv6.
    private static var hasIPv6: Bool {
        let number = Glibc.socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return false }
        defer { close(number) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
        } == 0
    }

    // MARK: - Unix sockets

    /// Checks that the Unix socket can be created.
    ///
    /// A stale socket, on which no process listens, will be replaced.
    func prepare() throws {
        guard case .socket(let path) = self else { return }
        guard path.utf8.count <= UnixSocket.pathLimit else {
            throw GalleryError.cannotListenAtSocket(path, reason: "its path is too long")
        }
        guard let about = try? FileManager.default.attributesOfItem(atPath: path) else { return }
        guard about[.type] as? FileAttributeType == .typeSocket else {
            throw GalleryError.cannotListenAtSocket(path, reason: "another file exists there")
        }
        let number = UnixSocket.make()
        guard number >= 0 else { return }
        defer { close(number) }
        let status = UnixSocket.withAddress(of: path) { connect(number, $0, $1) }
        guard status != 0 else { throw GalleryError.socketInUse(path) }
    }

    /// Permits the members of the Unix socket's group to connect.
    ///
    /// The proxy belongs to this group.
    func open() {
        if case .socket(let path) = self { chmod(path, 0o660) }
    }

    /// Removes the Unix socket.
    func end() {
        if case .socket(let path) = self { unlink(path) }
    }
}
