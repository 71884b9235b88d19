import Foundation
import Glibc
import PhotoModel
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

/// A user's home with a library and a socket for the daemon, which tests start and kill.
///
/// Not Sendable: one test owns it.
final class DaemonHome {
    let folder: TemporaryFolder
    /// The folder of the socket, whose address has at most 107 bytes.
    private let runtime: TemporaryFolder
    private var daemons: [ChildProcess] = []

    init() throws {
        folder = try TemporaryFolder("photos-home")
        runtime = try TemporaryFolder("d", in: URL(fileURLWithPath: "/tmp"))
        chmod(runtime.path, 0o700)
    }

    deinit { for daemon in daemons { daemon.kill() } }

    var library: String { folder.file("Test.photolibrary").path }
    var socket: String { runtime.path + "/photolibraryd/socket" }
    var runtimePath: String { runtime.path }

    /// The only variables that the programs see.
    var environment: [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": folder.path,
            "XDG_STATE_HOME": folder.file("state").path,
            "XDG_CONFIG_HOME": folder.file("config").path,
            "XDG_RUNTIME_DIR": runtime.path,
            "PHOTOS_LIBRARY": library,
            "PHOTOS_WORKER": BuiltProducts.worker.path,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        ]
    }

    // MARK: - Programs

    /// Runs the `photos` command to its end, with a value of `$PHOTOS_DAEMON`; nil for none.
    @discardableResult
    func photos(_ arguments: String..., daemon: String?) throws -> ProcessRunner.Output {
        try run(BuiltProducts.photos.path, arguments, daemon: daemon)
    }

    func run(
        _ program: String,
        _ arguments: [String],
        daemon: String?
    ) throws -> ProcessRunner.Output {
        var changes = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in environment { changes[name] = value }
        changes["PHOTOS_DAEMON"] = .some(daemon)
        return try ProcessRunner.run(program, arguments, environment: changes, folder: folder.url)
    }

    /// Runs the command, which must succeed.
    @discardableResult
    func succeed(_ arguments: String..., daemon: String? = "1") throws -> String {
        let output = try run(BuiltProducts.photos.path, arguments, daemon: daemon)
        #expect(output.status == 0, "\(arguments): \(output.errorText)")
        return output.text
    }

    /// Writes drawn photos to a folder.
    func drawPhotos(_ names: String..., side: Int = 64) throws -> String {
        for (index, name) in names.enumerated() {
            try folder.write(Self.photo(UInt64(index + 1), side: side), to: "source/" + name)
        }
        return folder.file("source").path
    }

    /// Draws a photo, whose bytes depend on the seed.
    static func photo(_ seed: UInt64, side: Int = 64) throws -> Data {
        let size = PixelSize(width: side, height: side * 3 / 4)
        return try SampleFile.jpeg(SamplePhoto(Picture(.hills, seed: seed), size: size))
    }

    // MARK: - The daemon

    /// Starts the daemon and waits until it accepts connections.
    @discardableResult
    func startDaemon(
        _ arguments: String...,
        variables: [String: String] = [:]
    ) throws -> ChildProcess {
        let daemon = try launch(arguments, variables: variables)
        #expect(isServed(by: daemon), "The daemon did not start.")
        return daemon
    }

    /// Starts the daemon without waiting.
    func launch(
        _ arguments: [String],
        variables: [String: String] = [:],
        program: String? = nil
    ) throws -> ChildProcess {
        // Background work must not depend on the machine, unless the test says how.
        let isGiven = arguments.contains("--io-pressure")
        let daemon = try ChildProcess(
            program ?? BuiltProducts.executable("photolibraryd").path,
            isGiven
                ? arguments : arguments + ["--io-pressure", "/none", "--power-supplies", "/none"],
            environment: environment.merging(variables) { $1 }
        )
        daemons.append(daemon)
        return daemon
    }

    /// Starts the daemon as systemd does, with a listening socket.
    func activateDaemon(_ listener: Int32, _ arguments: [String]) throws -> ChildProcess {
        let script = "export LISTEN_PID=$$ LISTEN_FDS=1; exec \"$@\""
        let daemon = try ChildProcess(
            "/bin/sh",
            ["-c", script, "sh", BuiltProducts.executable("photolibraryd").path] + arguments,
            environment: environment,
            passing: listener
        )
        daemons.append(daemon)
        return daemon
    }

    /// Waits until a daemon accepts connections.
    ///
    /// - Returns: False if it ended.
    func isServed(by daemon: ChildProcess) -> Bool {
        let end = SuspendingClock.now + .seconds(30)
        while .now < end, !daemon.hasEnded {
            if (try? client(role: .observer)) != nil { return true }
            Self.rest()
        }
        return false
    }

    /// Connects to a daemon that is starting; nil if it ended.
    func connect(_ configuration: RemoteConfiguration, to daemon: ChildProcess) -> RemoteLibrary? {
        let end = SuspendingClock.now + .seconds(30)
        while .now < end, !daemon.hasEnded {
            if let client = try? RemoteLibrary(configuration) { return client }
            Self.rest()
        }
        return nil
    }

    /// Waits until a condition holds.
    ///
    /// `pause` is in milliseconds. It is longer where the condition starts a program, so that the
    /// work that is waited for is not slowed down.
    func waits(
        seconds: Double = 30,
        pause: UInt32 = 10,
        _ condition: () throws -> Bool
    ) rethrows -> Bool {
        let end = SuspendingClock.now + .seconds(seconds)
        while .now < end {
            if try condition() { return true }
            Self.rest(milliseconds: pause)
        }
        return false
    }

    /// Leaves the cores to the programs that are waited for.
    private static func rest(milliseconds: UInt32 = 10) {
        // Time is the subject: the work that is waited for needs both cores.
        usleep(milliseconds * 1_000)
    }

    /// Connects to the daemon.
    func client(
        role: ClientRole = .owner,
        protocols: ClosedRange<Int> = ProtocolVersions.supported
    ) throws -> RemoteLibrary {
        var configuration = RemoteConfiguration(
            socketPath: socket,
            softwareVersion: "test",
            library: library
        )
        configuration.role = role
        configuration.protocols = protocols
        return try RemoteLibrary(configuration)
    }
}
