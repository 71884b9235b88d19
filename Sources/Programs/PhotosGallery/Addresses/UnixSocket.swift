internal import Glibc

/// Sockets of the file system.
enum UnixSocket {
    /// Bytes that a socket's path may have.
    static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Makes a stream socket, which programs that are started do not get.
    ///
    /// - Returns: Its descriptor; negative with `errno` where there is none.
    static func make() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Runs `body` with the address of a path, of which no more is used than fits.
    static func withAddress<Value>(
        of path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path.utf8.prefix(pathLimit))
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
