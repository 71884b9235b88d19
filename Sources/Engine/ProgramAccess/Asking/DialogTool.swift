internal import CLinuxShim
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

    /// Starts the program; returns nil if it cannot be started.
    ///
    /// - Parameters:
    ///   - path: The path of the executable.
    ///   - arguments: Its arguments.
    ///   - input: Its standard input.
    init?(_ path: String, _ arguments: [String], input: FileHandle) {
        let pipe = Pipe()
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for text in words + variables { free(text) }
            try? pipe.fileHandleForWriting.close()
        }
        var process: pid_t = 0
        let error = cphotos_spawn(
            path,
            &words,
            &variables,
            input.fileDescriptor,
            pipe.fileHandleForWriting.fileDescriptor,
            &process
        )
        guard error == 0 else { return nil }
        self.process = process
        output = pipe.fileHandleForReading
    }

    /// Reads the program's output until the program closes it.
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
