internal import Glibc

/// Functions for Unix domain sockets in the file system.
enum UnixSocket {
    /// The maximum length of a socket's path, in bytes.
    static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Creates a stream socket that child processes do not inherit.
    ///
    /// - Returns: Its descriptor; negative when it fails, with the reason in `errno`.
    static func make() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Runs `body` with a socket address for a path; paths longer than the limit are truncated.
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
