internal import LibraryService
internal import PhotoModel
internal import Photos
internal import RemoteLibrary
internal import WorkerClient

/// The library daemon of this user, `photolibraryd`, which serves libraries to several programs.
///
/// Most programs do not need this type: they use the daemon if it is running, unless
/// `$PHOTOS_DAEMON` states otherwise.
public enum LibraryDaemon {
    /// The name of the daemon's executable.
    public static let programName = "photolibraryd"

    /// The path of the daemon's socket: the one in `$PHOTOS_DAEMON`, otherwise the default path in
    /// this user's runtime folder.
    ///
    /// It is nil if `$XDG_RUNTIME_DIR` is not set and `/run/user` has no folder for this user.
    public static var socketPath: String? {
        (try? DaemonChoice())?.socketPath ?? DaemonSocket.standardPath()
    }

    /// The path of the daemon's executable; nil if it is not installed.
    ///
    /// It is searched in the same places as the worker: in the folder of the running program, and
    /// in `libexec/swift-photos` of that folder's parent, of `/usr/local` and of `/usr`.
    public static var executablePath: String? {
        WorkerLocator.current().locate(companion: programName)
    }

    /// Returns the state of the running daemon.
    ///
    /// - Returns: The state; nil when no daemon accepts connections.
    /// - Throws: `PHPhotosError` when the daemon refuses this program, or has another version.
    public static func state() throws -> LibraryDaemonState? {
        guard let socket = socketPath else { return nil }
        let status = try edge { () throws(LibraryError) -> DaemonStatus? in
            guard let remote = try connect(to: socket) else { return nil }
            defer { remote.close() }
            return try remote.daemonStatus()
        }
        return status.map { LibraryDaemonState($0, socket: socket) }
    }

    /// Connects to the daemon at a socket without opening a library; nil if no daemon accepts
    /// connections at that socket.
    static func connect(to socket: String) throws(LibraryError) -> RemoteLibrary? {
        var configuration = RemoteConfiguration(
            socketPath: socket,
            softwareVersion: SoftwareVersion.current
        )
        configuration.role = .observer
        do throws(ConnectionFailure) {
            return try RemoteLibrary(configuration)
        } catch {
            if case .unreachable = error { return nil }
            throw error.libraryError()
        }
    }
}
