internal import Foundation
internal import Glibc
internal import Synchronization

/// A running program that shows a dialog.
///
/// It inherits the environment and no descriptor but its input and output. It is started without
/// Foundation's `Process`, which crashes in programs with more than about 1,300 open files, as the
/// daemon can have.
///
/// `read` and `waitForEnd` are called once, by one thread; any thread may call `end`.
final class DialogTool: Sendable {
    private let process: pid_t
    private let output: FileHandle
    private let isRunning = Mutex(true)

    /// Starts the program; nil if it cannot be started.
    ///
    /// - Parameters:
    ///   - path: The path of the executable.
    ///   - arguments: Its arguments.
    ///   - input: Its standard input.
    init?(_ path: String, _ arguments: [String], input: FileHandle) {
        let pipe = Pipe()
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            for text in words + variables { free(text) }
            try? pipe.fileHandleForWriting.close()
        }
        posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(
            &actions,
            pipe.fileHandleForWriting.fileDescriptor,
            STDOUT_FILENO
        )
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // Threads of this process may block or ignore signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        guard posix_spawn(&process, path, &actions, &attributes, &words, &variables) == 0 else {
            return nil
        }
        self.process = process
        output = pipe.fileHandleForReading
    }

    /// Reads what the program prints, until it closes its output.
    func read() -> Data { (try? output.readToEnd()) ?? Data() }

    /// Kills the program.
    func end() { isRunning.withLock { if $0 { _ = kill(process, SIGKILL) } } }

    /// Waits for the end of the program.
    ///
    /// - Returns: The exit status; nil if a signal ended the program.
    func waitForEnd() -> Int32? {
        var information = siginfo_t()
        // The identifier stays in use until the status is collected, so that `end` kills no other
        // process.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return isRunning.withLock { isRunning in
            isRunning = false
            var status: Int32 = 0
            guard waitpid(process, &status, 0) == process, status & 0x7f == 0 else { return nil }
            return status >> 8 & 0xff
        }
    }
}
