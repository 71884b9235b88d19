import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A process that a test starts, signals and waits for.
final class ChildProcess: Sendable {
    let number: pid_t
    /// The result of `wait`.
    private let status = Mutex<Int32?>(nil)

    /// Starts a program, whose output is that of the tests.
    ///
    /// - Parameters:
    ///   - path: The executable.
    ///   - arguments: The arguments without the name of the program.
    ///   - environment: The whole environment.
    ///   - socket: A descriptor that the program gets as number 3; nil for none.
    /// - Throws: When the program cannot be started.
    init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        passing socket: Int32? = nil
    ) throws {
        number = try ProgramStart.spawn(
            path,
            [path] + arguments,
            environment: environment
        ) { actions in
            if let socket { posix_spawn_file_actions_adddup2(&actions, socket, 3) }
        }
    }

    /// Indicates whether the process has ended.
    var hasEnded: Bool {
        status.withLock { status in
            if status != nil { return true }
            var word: Int32 = 0
            guard waitpid(number, &word, WNOHANG) == number else { return false }
            status = Self.result(word)
            return true
        }
    }

    /// Sends a signal, unless the end of the process was waited for.
    func kill(_ signal: Int32 = SIGKILL) {
        status.withLock { status in
            // Its number may be that of another process otherwise.
            if status == nil { _ = Glibc.kill(number, signal) }
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
            while waitpid(number, &word, 0) < 0, errno == EINTR {}
            let result = Self.result(word)
            status = result
            return result
        }
    }

    private static func result(_ word: Int32) -> Int32 {
        let signal = word & 0x7F
        return signal == 0 ? (word >> 8) & 0xFF : -signal
    }

    // Exit tests, which wait for any child, must not find one that nobody waits for.
    deinit {
        kill()
        wait()
    }
}
