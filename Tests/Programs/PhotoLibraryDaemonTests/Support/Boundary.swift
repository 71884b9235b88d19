import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing

/// Indicates whether bubblewrap can make a sandbox here.
let hasBubblewrap =
    (try? ProcessRunner.run("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "true"]))?.status == 0

/// A user who is not the one of the library, and may run the programs that were built.
let otherUser: UInt32? = {
    guard geteuid() == 0 else { return nil }
    let words = otherUserWords + ["test", "-x", BuiltProducts.worker.path]
    let output = try? ProcessRunner.run(words[0], Array(words.dropFirst()))
    return output?.status == 0 ? 65534 : nil
}()

private let otherUserWords = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all",
    "--inh-caps=-all",
]

/// Programs that cannot reach the files of a library: in a sandbox, or of another user.
///
/// Not Sendable: one test owns it.
final class Boundary {
    enum Kind: String, CaseIterable {
        /// A sandbox of bubblewrap with the file by which Flatpak names its application.
        case sandboxed
        /// Another user, over the socket of an administrator.
        case otherUser
    }

    static let application = "org.example.Viewer"

    let home: DaemonHome
    let kind: Kind
    /// The folder that the programs and the test share.
    let shared: TemporaryFolder
    /// The permissions of the sandbox, as Flatpak writes them.
    var permissions = ""

    init(_ kind: Kind, of home: DaemonHome) throws {
        self.kind = kind
        self.home = home
        shared = try TemporaryFolder("b", in: URL(fileURLWithPath: "/tmp"))
        chmod(shared.path, 0o777)
    }

    /// The identifier of the program, by which its user grants permission.
    var program: String {
        switch kind {
        case .sandboxed: Self.application
        case .otherUser: "user:65534"
        }
    }

    /// The socket at which the programs connect.
    var socket: String { kind == .otherUser ? shared.path + "/run/socket" : home.socket }

    /// Starts the daemon.
    @discardableResult
    func startDaemon() throws -> ChildProcess {
        guard kind == .otherUser else { return try home.startDaemon() }
        try FileManager.default.createDirectory(
            atPath: shared.path + "/run",
            withIntermediateDirectories: true
        )
        chmod(shared.path + "/run", 0o755)
        let daemon = try home.launch(["--listen", socket, "--socket-mode", "0666"])
        #expect(home.waits { ListeningSockets.contains(socket) || daemon.hasEnded })
        return daemon
    }

    /// Writes a file that the programs can read and the test too.
    func write(_ data: Data, to name: String) throws -> URL {
        let file = try shared.write(data, to: name)
        chmod(file.path, 0o666)
        return file
    }

    /// Makes a folder that the programs can write to.
    func folder(_ name: String) throws -> URL {
        let folder = try shared.folder(name)
        chmod(folder.path, 0o777)
        return folder
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: The path of its executable.
    ///   - arguments: Its arguments.
    /// - Returns: Its output and its status.
    /// - Throws: The reason why it cannot be started.
    func run(_ program: String, _ arguments: [String]) throws
        -> ProcessRunner.Output
    {
        let daemon = kind == .otherUser ? socket : "1"
        let words = try kind == .otherUser ? otherUserWords : sandbox()
        return try home.run(
            words[0],
            Array(words.dropFirst()) + [program] + arguments,
            daemon: daemon
        )
    }

    private func sandbox() throws -> [String] {
        let information = try write(
            Data("[Application]\nname=\(Self.application)\n\n[Context]\n\(permissions)\n".utf8),
            to: "flatpak-info"
        )
        var words = ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent"]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/")
        where !["proc", "dev", "tmp"].contains(name) {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/" + name)
            let place = "/" + name
            words += link.map { ["--symlink", $0, place] } ?? ["--ro-bind", place, place]
        }
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        words += ["--bind", home.runtimePath, home.runtimePath, "--bind", shared.path, shared.path]
        // The program does not see the home with the library.
        words += ["--tmpfs", home.folder.path]
        return words + ["--ro-bind", information.path, "/.flatpak-info"]
    }
}
