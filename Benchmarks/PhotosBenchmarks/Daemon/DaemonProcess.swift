import Foundation
import LibraryService
import RemoteLibrary

/// A daemon of its own: the `photolibraryd` next to this program.
final class DaemonProcess {
    private let process = Process()
    private let socket: String

    /// The number of the daemon's process.
    var identifier: Int32 { process.processIdentifier }

    /// Starts a daemon, and waits until it accepts connections.
    ///
    /// This process and its children find it from then on.
    ///
    /// - Parameter folder: The folder for the socket.
    /// - Throws: The reason why there is no daemon.
    init(in folder: URL) throws {
        setenv("XDG_RUNTIME_DIR", folder.path, 1)
        guard let socket = DaemonSocket.standardPath() else {
            throw BenchmarkError(description: "There is no path for a socket.")
        }
        self.socket = socket
        let program = try Probe.neighbor("photolibraryd")
        process.executableURL = program
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 20)
        while (try? connect(nil)) == nil {
            guard process.isRunning, Date() < deadline else {
                throw BenchmarkError(description: "\(program.path) does not accept connections.")
            }
            usleep(20_000)
        }
    }

    deinit { stop() }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// Connects to a library as its owner.
    ///
    /// - Parameter library: The library's folder; nil for a connection that only asks for the
    ///   daemon's state.
    /// - Returns: The library at the daemon.
    /// - Throws: The reason why there is no connection.
    func connect(_ library: URL?) throws -> RemoteLibrary {
        var configuration = RemoteConfiguration(
            socketPath: socket,
            softwareVersion: "benchmark",
            library: library?.path
        )
        configuration.role = library == nil ? .observer : .owner
        configuration.patience = .seconds(1)
        return try RemoteLibrary(configuration)
    }

    /// Waits until the daemon does no work in the background, for three minutes at most.
    func waitForDuties(of remote: RemoteLibrary) throws {
        let deadline = Date(timeIntervalSinceNow: 180)
        while Date() < deadline {
            let before = ProcessMemory.processorTime(of: identifier)
            sleep(2)
            let isIdle = ProcessMemory.processorTime(of: identifier) - before < 0.1
            if isIdle, try !remote.daemonStatus().duties.contains(where: { $0.state == "running" })
            {
                return
            }
        }
    }
}
