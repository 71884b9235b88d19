internal import Dispatch
package import Foundation
internal import Synchronization

/// A program that a test started.
///
/// It is started and waited for by the system's own calls. Foundation's `Process` looks for the end
/// of a program every 50 ms, which would be most of the time of a test that runs many.
package final class RunningProcess: Sendable {
    /// The end of a program, which a thread of its own waits for.
    ///
    /// Each program is waited for, whether its owner asks or not: exit tests wait for any child,
    /// and would find the one that nobody reaps again and again.
    private final class End: Sendable {
        /// The status as `waitpid` returned it; nil until it was called.
        let status = Mutex<Int32?>(nil)
        let group = DispatchGroup()

        init(of identifier: Int32, in folder: URL) {
            group.enter()
            let thread = Thread { [self] in
                var information = siginfo_t()
                // Its number stays its own until nobody sends it a signal.
                while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0,
                    errno == EINTR
                {}
                status.withLock { status in
                    var ended: Int32 = 0
                    while waitpid(identifier, &ended, 0) < 0, errno == EINTR {}
                    status = ended
                }
                // An event in the folder, for those who wait for output.
                _ = FileManager.default.createFile(
                    atPath: folder.appendingPathComponent("ended").path,
                    contents: nil
                )
                group.leave()
            }
            thread.start()
        }
    }

    package let identifier: Int32
    private let folder: TemporaryFolder
    private let end: End

    /// Starts a program with exactly these variables, and with its input closed.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        in workingFolder: URL?
    ) throws {
        folder = try TemporaryFolder("photos-process")
        // The system's call to start it in another folder is not visible to Swift.
        let command =
            (workingFolder.map { ["/usr/bin/env", "-C", $0.path] } ?? []) + [program] + arguments
        identifier = try ProgramStart.spawn(
            command[0],
            command,
            environment: environment,
            group: .own
        ) { [folder] actions in
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            for (number, name) in [(STDOUT_FILENO, "stdout"), (STDERR_FILENO, "stderr")] {
                let flags = O_WRONLY | O_CREAT | O_TRUNC
                let path = folder.file(name).path
                posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                guard let number = Int32(name), number > STDERR_FILENO else { continue }
                posix_spawn_file_actions_addclose(&actions, number)
            }
        }
        end = End(of: identifier, in: folder.url)
    }

    package var isRunning: Bool { end.status.withLock { $0 == nil } }

    /// The output so far.
    package var standardOutput: Data {
        (try? Data(contentsOf: folder.file("stdout"))) ?? Data()
    }

    /// Waits until a value is found in the output so far.
    ///
    /// - Returns: The value, or nil if the program ended without it or the time is up.
    package func output<Value>(
        seconds: Double = 60,
        _ find: (Data) throws -> Value?
    ) rethrows -> Value? {
        var found: Value?
        _ = try FileEvents.wait(in: folder.url, seconds: seconds) {
            let hasEnded = !isRunning
            found = try find(standardOutput)
            return found != nil || hasEnded
        }
        return found
    }

    /// Kills it at once, as a power cut would.
    package func kill() { send(SIGKILL) }

    /// Asks it to stop, as Ctrl-C does.
    package func interrupt() { send(SIGINT) }

    private func send(_ signal: Int32) {
        end.status.withLock { if $0 == nil { _ = Foundation.kill(identifier, signal) } }
    }

    /// Waits for its end.
    package func wait() -> ProcessRunner.Output {
        end.group.wait()
        let status = end.status.withLock { $0 ?? 0 }
        let signal = status & 0x7F
        return ProcessRunner.Output(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            standardOutput: standardOutput,
            standardError: (try? Data(contentsOf: folder.file("stderr"))) ?? Data()
        )
    }
}
