package import LibraryService

/// The properties of a connection to a daemon.
package struct RemoteConfiguration: Sendable {
    /// The path of the daemon's socket.
    package var socketPath: String
    /// The path of the library; nil for the daemon's default library.
    package var library: String?
    package var restriction: SessionRequest.Restriction = .none
    /// The role of the client.
    package var role = ClientRole.program
    /// The author of the client's changes, which only the library's owner may choose; nil for the
    /// name of the program.
    package var author: String?
    /// The preferred encoding of requests and replies.
    package var form: WireForm = .binary
    /// The version of this software, for error messages.
    package var softwareVersion: String
    package var protocols = ProtocolVersions.supported
    /// The maximum time that a call waits for a new connection after it lost its connection.
    package var patience = Duration.seconds(30)
    /// The maximum time for connecting, including the handshake.
    package var handshakeLimit = Duration.seconds(10)
    package var limits = CallLimits()

    package init(socketPath: String, softwareVersion: String, library: String? = nil) {
        self.socketPath = socketPath
        self.softwareVersion = softwareVersion
        self.library = library
    }
}
