internal import Foundation
package import PhotoModel
internal import RemoteLibrary

/// The choice between the in-process engine and the daemon, as set by `$PHOTOS_DAEMON`.
package enum DaemonChoice: Hashable, Sendable {
    /// The engine in this process.
    case embedded
    /// The daemon only; opening a library fails if the daemon cannot be reached.
    case daemon
    /// The daemon of another user, by the absolute path of its socket; opening a library fails if
    /// the daemon cannot be reached.
    case socket(String)
    /// The engine in this process, called through the wire format of a connection; for tests.
    case loopback
    /// The daemon if one accepts connections, otherwise the engine in this process.
    case automatic

    /// The name of the environment variable.
    package static let variable = "PHOTOS_DAEMON"

    /// Creates the choice from the value of the environment variable `PHOTOS_DAEMON`.
    ///
    /// - Parameter environment: The environment; by default that of this process.
    /// - Throws: `invalidRequest` for another value.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(LibraryError) {
        let text = environment[Self.variable] ?? ""
        switch text {
        case "": self = .automatic
        case "0": self = .embedded
        case "1": self = .daemon
        case "loopback": self = .loopback
        case let path where path.hasPrefix("/"): self = .socket(path)
        default:
            throw LibraryError(
                .invalidRequest,
                "\(Self.variable) has the unknown value “\(text)”.",
                recovery: "Set it to 0 for the engine in this program, to 1 for the daemon, to the"
                    + " path of the socket of another user's daemon, or not at all for the daemon"
                    + " if it runs."
            )
        }
    }

    /// The path of the daemon's socket, or nil if it cannot be determined.
    package var socketPath: String? {
        if case .socket(let path) = self { path } else { DaemonSocket.standardPath() }
    }
}
