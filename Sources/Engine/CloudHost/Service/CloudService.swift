package import CloudKeys
package import EmbeddedLibrary
internal import Foundation
internal import LibraryService
package import Logging
package import PhotoModel
package import RemoteLibrary

/// A lease that keeps a library open in the daemon.
package struct CloudLease: Sendable {
    let engine: LibraryEngine
    /// Returns whether the daemon performs the background work of the library.
    let holdsLock: @Sendable () -> Bool
    let end: @Sendable () -> Void

    package init(
        engine: LibraryEngine,
        holdsLock: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        self.engine = engine
        self.holdsLock = holdsLock
        self.end = end
    }
}

/// The interface through which the cloud service opens the daemon's libraries.
package protocol CloudLibraries: Sendable {
    /// Opens a library, which stays open until the lease ends.
    func open(_ path: String) throws(LibraryError) -> CloudLease
}

/// The service that connects the daemon's libraries to their cloud libraries.
package final class CloudService: Sendable {
    /// A function that starts a thread with a name and a body, and returns false if the system has
    /// reached its limit of threads.
    package typealias ThreadStart = @Sendable (String, @escaping @Sendable () -> Void) -> Bool

    let secrets: any SecretStore
    let opener: StoreOpener
    let logger: Logger
    /// Starts the threads of sessions.
    let startThread: ThreadStart
    private let libraries: any CloudLibraries
    private let connections = Monitor<[String: CloudConnection]>([:])
    private let isStopping = Monitor(false)

    package init(
        of libraries: any CloudLibraries,
        secrets: any SecretStore = FileSecretStore(),
        opener: StoreOpener = .process,
        logger: Logger = Logger(label: "photos.cloud"),
        startThread: @escaping ThreadStart = { NamedThread.start($0, $1) }
    ) {
        self.secrets = secrets
        self.opener = opener
        self.logger = logger
        self.startThread = startThread
        self.libraries = libraries
    }

    /// Opens a library, which stays open until the lease ends.
    func lease(_ path: String) throws(LibraryError) -> CloudLease { try libraries.open(path) }

    /// Carries out a request and returns the reply.
    ///
    /// A request to sync only begins a session, which continues after the reply.
    package func answer(_ request: CloudRequest) throws(LibraryError) -> CloudReply {
        guard request.library.hasPrefix("/") else {
            throw LibraryError(
                .invalidRequest,
                "The path of the library does not begin with a slash: \(request.library).",
                recovery: "Name the library by its absolute path."
            )
        }
        return try connection(to: request.library).answer(request.action)
    }

    /// Cancels the sessions and requests in progress, and permits no others.
    package func cancel() {
        isStopping.update { $0 = true }
        for connection in connections.withLock({ Array($0.values) }) { connection.cancel() }
    }

    /// Cancels the sessions and requests in progress, and closes the libraries when they have
    /// ended.
    package func stop() {
        cancel()
        for connection in connections.withLock({ Array($0.values) }) { connection.release() }
    }

    var mayContinue: Bool { !isStopping.withLock(\.self) }

    func connection(to path: String) -> CloudConnection {
        connections.update { connections in
            if let known = connections[path] { return known }
            let made = CloudConnection(path, self)
            connections[path] = made
            return made
        }
    }
}

extension CloudService {
    /// Returns the paths of the libraries whose cloud keys are on this computer.
    func storedLibraries() -> [String] {
        secrets.libraries().compactMap { library in
            (try? StoredSettings(of: library, in: secrets).read())?.library
        }
    }
}
