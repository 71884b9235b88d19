internal import Foundation
package import PhotoModel

/// The choice between the engine in this process and the daemon: `$PHOTOS_DAEMON`.
package enum DaemonChoice: String, CaseIterable, Sendable {
    /// The engine in this process.
    case embedded = "0"
    /// The daemon, and an error if it cannot be reached.
    case daemon = "1"
    /// The engine in this process, through the encoding of a connection; for tests.
    case loopback
    /// The daemon if one accepts connections, otherwise the engine in this process.
    case automatic = ""

    /// The name of the environment variable.
    package static let variable = "PHOTOS_DAEMON"

    /// Reads the choice of an environment.
    ///
    /// - Parameter environment: The environment; by default that of this process.
    /// - Throws: `invalidRequest` for another value.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(LibraryError) {
        let text = environment[Self.variable] ?? ""
        guard let choice = DaemonChoice(rawValue: text) else {
            throw LibraryError(
                .invalidRequest,
                "\(Self.variable) has the unknown value “\(text)”.",
                recovery: "Set it to 0 for the engine in this program, to 1 for the daemon, or not"
                    + " at all for the daemon if it runs."
            )
        }
        self = choice
    }
}
