import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A process of the helper program.
final class StandIn: Sendable {
    private static let executable: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent("daemon-stand-in").path
    }()

    let process: pid_t
    /// The result of `wait`.
    private let status = Mutex<Int32?>(nil)

    /// Starts the helper program.
    convenience init(_ arguments: String...) throws {
        try self.init(path: Self.executable, [Self.executable] + arguments)
    }

    /// Starts it as a service manager does, with a listening socket.
    convenience init(
        activatedBy socket: Int32,
        journal: String,
        idleMilliseconds: Int,
        environment: String = ""
    ) throws {
        // The number of the process is known only to itself.
        let script = "export LISTEN_PID=$$ LISTEN_FDS=1 \(environment); exec \"$@\""
        try self.init(
            path: "/bin/sh",
            [
                "sh", "-c", script, "sh", Self.executable, "activated", journal,
                "\(idleMilliseconds)",
            ],
            passing: socket
        )
    }

    private init(path: String, _ arguments: [String], passing socket: Int32? = nil) throws {
        process = try ProgramStart.spawn(
            path,
            arguments,
            environment: ProcessInfo.processInfo.environment
        ) { actions in
            if let socket { posix_spawn_file_actions_adddup2(&actions, socket, 3) }
        }
    }

    /// Kills the process, unless its end was waited for.
    func kill() {
        status.withLock { status in
            // Its number may be that of another process otherwise.
            if status == nil { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// Waits for the end of the process.
    ///
    /// - Returns: The exit status, or the negative number of the signal.
    @discardableResult
    func wait() -> Int32 {
        status.withLock { status in
            if let status { return status }
            var word: Int32 = 0
            while waitpid(process, &word, 0) < 0, errno == EINTR {}
            let signal = word & 0x7F
            let result = signal == 0 ? (word >> 8) & 0xFF : -signal
            status = result
            return result
        }
    }

    // Exit tests, which wait for any child, must not find one that nobody waits for.
    deinit {
        kill()
        wait()
    }
}
