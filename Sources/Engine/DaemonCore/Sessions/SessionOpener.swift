package import LibraryService
package import PeerIdentity
package import PhotoModel
package import RemoteLibrary

/// A client that asks for a session.
package struct ClientDescription: Sendable {
    /// The identified program and the kind of its identification, which is never `unknown`.
    package var identity: PeerIdentity
    /// The client's first message.
    ///
    /// Its statements are ignored if the permission of the program is a security boundary
    /// (`PeerIdentity.Kind.isBoundary`).
    package var hello: ClientHello

    package init(identity: PeerIdentity, hello: ClientHello) {
        self.identity = identity
        self.hello = hello
    }
}

/// A session of one client.
package struct OpenedSession: Sendable {
    /// The session; the daemon closes it once, after its calls have ended.
    package var service: any LibraryService
    /// The identifier of the library, which all of its sessions share.
    package var library: String
    /// The stored answers to requests that changed the library.
    package var answers: any AnsweredRequests
    /// Indicates whether the client is the library's owner, who may see other clients and the paths
    /// of files.
    package var isOwner: Bool
    /// Returns whether the client may currently read the whole library.
    ///
    /// Fetches of clients that may not are rate-limited.
    package var hasFullAccess: @Sendable () -> Bool
    /// The summary of the client's permission, to be sent to the client.
    package var permission: String?
    /// The provider of read-only files; nil for a program of this user, which could change them
    /// anyway.
    package var readOnlyFiles: ReadOnlyFiles?

    package init(
        service: any LibraryService,
        library: String,
        answers: any AnsweredRequests,
        isOwner: Bool,
        hasFullAccess: @escaping @autoclosure @Sendable () -> Bool,
        permission: String? = nil,
        readOnlyFiles: ReadOnlyFiles? = nil
    ) {
        self.service = service
        self.library = library
        self.answers = answers
        self.isOwner = isOwner
        self.hasFullAccess = hasFullAccess
        self.permission = permission
        self.readOnlyFiles = readOnlyFiles
    }
}

/// An opener of sessions for a daemon's clients.
package protocol SessionOpener: Sendable {
    /// Opens a session, on the thread of the client's connection.
    ///
    /// - Throws: The error that the client receives in place of a session.
    func open(_ client: ClientDescription) throws(LibraryError) -> OpenedSession
}
