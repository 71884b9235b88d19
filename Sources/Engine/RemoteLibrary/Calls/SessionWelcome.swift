package import LibraryService

/// The reply to the request with the number 0, which completes the handshake.
///
/// Later versions may add optional properties.
package struct SessionWelcome: Codable, Hashable, Sendable {
    package var status: LibraryStatus
    /// The kind of the client's identity, as `PeerIdentity.Kind` names it.
    package var peerKind: String
    /// The identifier of the client's program.
    package var program: String
    /// The summary of the client's permission; nil if there is none to report.
    package var permission: String?

    package init(
        status: LibraryStatus,
        peerKind: String,
        program: String,
        permission: String? = nil
    ) {
        self.status = status
        self.peerKind = peerKind
        self.program = program
        self.permission = permission
    }
}
