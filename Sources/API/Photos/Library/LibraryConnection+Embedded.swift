internal import EmbeddedLibrary
package import LibraryService
package import Logging
package import PhotoModel
package import ProgramAccess
internal import RemoteLibrary

// The only place where the public modules use the engine directly; all else uses `LibraryService`.
extension LibraryConnection {
    /// Creates a connection through which a program accesses a library, subject to the program's
    /// permission.
    ///
    /// - Parameters:
    ///   - path: The library's folder, or nil for the default one, which is looked up on opening.
    ///   - logger: Receives errors that a fetch cannot throw.
    ///   - program: The program that accesses the library.
    package convenience init(
        embeddedAt path: String?,
        logger: Logger,
        program: ClientProgram = .current
    ) {
        let permission = LibraryPermission(program, logger: logger) { () throws(LibraryError) in
            try Self.authorization(of: program)
        }
        self.init(logger: logger, permission: permission) { () throws(LibraryError) in
            try Self.open(at: path, for: program, logger: logger)
        }
    }

    /// Opens an existing library in this process or through the daemon, depending on
    /// `$PHOTOS_DAEMON`.
    ///
    /// Without that variable, the daemon is used if it accepts a connection. If it does not serve
    /// this program, or speaks another protocol, the engine in this process is used. An error about
    /// the library itself is thrown.
    ///
    /// - Parameters:
    ///   - path: The library's folder; nil for the default one.
    ///   - acceptsMissingChanges: Whether to open a database that is older than the last commit for
    ///     writing; always in this process.
    ///   - program: The program whose permission counts; nil for the library's owner.
    ///   - logger: Receives the reason why a daemon is not used.
    /// - Returns: The library, as the program or the owner sees it.
    /// - Throws: The reason why the library cannot be opened.
    package static func open(
        at path: String?,
        acceptsMissingChanges: Bool = false,
        for program: ClientProgram?,
        logger: Logger
    ) throws(LibraryError) -> any LibraryService {
        let path = EmbeddedLibrary.absolute(path ?? EmbeddedLibrary.defaultPath)
        let choice = try DaemonChoice()
        func embedded() throws(LibraryError) -> any LibraryService {
            try EmbeddedLibrary.open(
                at: path,
                acceptsMissingChanges: acceptsMissingChanges,
                for: program
            )
        }
        switch choice {
        case .embedded: return try embedded()
        case .loopback:
            let library = try embedded()
            // As a daemon does.
            return LoopbackLibrary(program == nil ? library : try PathlessSession(library))
        // The daemon ignores $PHOTOS_ACCESS.
        case .automatic where program?.override != nil: return try embedded()
        case .automatic, .daemon, .socket: break
        }
        if acceptsMissingChanges { return try embedded() }
        do throws(ConnectionFailure) {
            return try daemon(path, choice, for: program)
        } catch {
            guard choice == .automatic, Self.permitsEmbedding(error) else {
                throw error.libraryError()
            }
            if case .unreachable = error {
            } else {
                logger.notice(
                    "The library daemon is not used.",
                    metadata: error.libraryError().metadata(for: logger)
                )
            }
            return try embedded()
        }
    }

    /// Returns the authorization service for a program that has no open library: the daemon if it
    /// is used, otherwise this process.
    ///
    /// - Parameter program: The program.
    /// - Returns: The authorization; that of a daemon is about the program that the daemon sees.
    /// - Throws: The reason why the daemon is not reached, if it has to be used.
    private static func authorization(
        of program: ClientProgram
    ) throws(LibraryError) -> any AuthorizationService {
        let choice = try DaemonChoice()
        switch choice {
        case .embedded, .loopback: return ProgramAuthorization(program)
        case .automatic where program.override != nil: return ProgramAuthorization(program)
        case .automatic, .daemon, .socket: break
        }
        do throws(ConnectionFailure) {
            return try RemoteLibrary(try configuration(choice, library: nil, role: .observer))
        } catch {
            guard choice == .automatic, Self.permitsEmbedding(error) else {
                throw error.libraryError()
            }
            return ProgramAuthorization(program)
        }
    }

    private static func configuration(
        _ choice: DaemonChoice,
        library: String?,
        role: ClientRole
    ) throws(ConnectionFailure) -> RemoteConfiguration {
        guard let socket = choice.socketPath else {
            throw .unreachable(SystemError(call: "connect", number: 2))
        }
        var configuration = RemoteConfiguration(
            socketPath: socket,
            softwareVersion: BuildVersion.current,
            library: library
        )
        configuration.role = role
        return configuration
    }

    private static func daemon(
        _ path: String,
        _ choice: DaemonChoice,
        for program: ClientProgram?
    ) throws(ConnectionFailure) -> any LibraryService {
        let configuration = try configuration(
            choice,
            library: path,
            role: program == nil ? .owner : .program
        )
        return try RemoteLibrary(configuration)
    }

    /// Returns whether the engine in this process may be used after connecting to the daemon
    /// failed.
    private static func permitsEmbedding(_ failure: ConnectionFailure) -> Bool {
        switch failure {
        case .unreachable, .unsupportedProtocol, .lost, .ended: true
        // The daemon does not serve this program. The engine decides with its own means.
        case .refused(let error): error.code == .accessDenied
        case .closed, .forked: false
        }
    }
}
