import Foundation

/// The Unix sockets that accept connections.
public enum ListeningSockets {
    /// Whether a process listens at a path.
    ///
    /// The file of a socket exists a moment before, in which connections are refused. Nothing is
    /// connected, which the process could notice.
    ///
    /// - Parameter path: The path at which the socket was bound.
    /// - Returns: False also if the system cannot say it.
    public static func contains(_ path: String) -> Bool {
        let table = (try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { line in
            // Number, references, protocol, flags, type, state, node, path.
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            return fields.count == 8 && fields[3] == "00010000" && fields[7] == path
        }
    }
}
