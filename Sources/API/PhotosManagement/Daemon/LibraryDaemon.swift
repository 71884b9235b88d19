internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary
internal import WorkerClient

/// The library daemon of this user, `photolibraryd`, which serves libraries to several programs.
///
/// Programs need none of this: they use the daemon if it runs, and `$PHOTOS_DAEMON` chooses
/// otherwise.
public enum LibraryDaemon {
    /// The name of the daemon's executable.
    public static let programName = "photolibraryd"

    /// The path of this user's socket; nil if `$XDG_RUNTIME_DIR` is not set and there is no folder
    /// that stands for it.
    public static var socketPath: String? { DaemonSocket.standardPath() }

    /// The path of the daemon's executable; nil if it is not installed.
    ///
    /// It is searched where the worker is: beside the running program, and in
    /// `libexec/swift-photos` of the folder above it, of `/usr/local` and of `/usr`.
    public static var executablePath: String? {
        WorkerLocator.current().locate(companion: programName)
    }

    /// Returns the state of the running daemon.
    ///
    /// - Returns: The state; nil when no daemon accepts connections.
    /// - Throws: `PHPhotosError` when the daemon refuses this program, or has another version.
    public static func state() throws -> LibraryDaemonState? {
        guard let socket = socketPath else { return nil }
        var configuration = RemoteConfiguration(
            socketPath: socket,
            softwareVersion: SoftwareVersion.current
        )
        configuration.role = .observer
        let remote: RemoteLibrary
        do throws(ConnectionFailure) {
            remote = try RemoteLibrary(configuration)
        } catch {
            if case .unreachable = error { return nil }
            throw PhotosBridge.error(error.libraryError())
        }
        defer { remote.close() }
        let status = try edge { () throws(LibraryError) in try remote.daemonStatus() }
        return LibraryDaemonState(status, socket: socket)
    }
}
