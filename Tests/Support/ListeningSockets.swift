internal import Foundation

/// The Unix sockets that accept connections.
package enum ListeningSockets {
    /// Returns whether a process listens at a path.
    ///
    /// The file of a socket exists a moment earlier, while connections are still refused. A
    /// connection would tell, too, but the process could notice it.
    ///
    /// - Parameter path: The path at which the socket was bound.
    /// - Returns: Whether one does; false if the system does not say.
    package static func contains(_ path: String) -> Bool {
        // Names of sockets are any bytes.
        let bytes = FileManager.default.contents(atPath: "/proc/net/unix") ?? Data()
        let table = String(decoding: bytes, as: UTF8.self)
        return table.split(separator: "\n").contains { line in
            // Number, references, protocol, flags, type, state, node, path.
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            return fields.count == 8 && fields[3] == "00010000" && fields[7] == path
        }
    }
}
