import Foundation
import Glibc
import TestSupport
import Testing

/// A running program of a test, which reads its output, types input, kills it and measures it.
///
/// Not Sendable: one test owns it.
final class LiveProcess {
    /// The status and the costs of a process that has ended.
    struct End {
        /// The exit status, or 128 + the signal that terminated it.
        let status: Int32
        /// The peak memory of the program, or of a worker that it waited for, in bytes.
        let peakMemory: Int
        /// The processor time in seconds, including its workers.
        let processorTime: Double
    }

    let identifier: pid_t
    /// The output so far.
    private(set) var output: [UInt8] = []
    private var pipe: Int32
    private var end: End?

    /// Starts a program whose standard output the test reads, and whose standard error is
    /// discarded.
    ///
    /// If `outputBuffer` is set, the program waits when it has written about as many bytes, at
    /// least some 2,000, that the test has not read; by default, there is room for some 200,000.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        outputBuffer: Int32? = nil
    ) throws {
        var ends: [Int32] = [-1, -1]
        // A socket and not a pipe, because it can be closed for programs that other tests start
        // concurrently.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let isPaired = socketpair(AF_UNIX, kind, 0, &ends) == 0
        try #require(isPaired)
        pipe = ends[0]
        let other = ends[1]
        defer { close(other) }
        if var size = outputBuffer {
            let length = socklen_t(MemoryLayout.size(ofValue: size))
            let isSet = setsockopt(other, SOL_SOCKET, SO_SNDBUF, &size, length) == 0
            try #require(isSet)
        }
        identifier = try ProgramStart.spawn(
            program,
            [program] + arguments,
            environment: environment
        ) { actions in
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, other, STDOUT_FILENO)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
    }

    /// Starts a program on a separate terminal, at which the test acts as the user.
    ///
    /// If `input` is set, the program reads it as its standard input instead of the terminal.
    init(
        onTerminal program: String,
        _ arguments: [String],
        environment: [String: String],
        input: String? = nil
    ) throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        pipe = terminal
        // TIOCSPTLCK and TIOCGPTN are the calls of unlockpt and ptsname, which Swift does not see.
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        let isOpen =
            ioctl(terminal, 0x4004_5431, &isLocked) == 0
            && ioctl(terminal, 0x8004_5430, &number) == 0
        try #require(isOpen)
        let name = "/dev/pts/\(number)"
        identifier = try ProgramStart.spawn(
            program,
            [program] + arguments,
            environment: environment,
            group: .session
        ) { actions in
            // The first terminal that the leader of a session opens becomes the session's.
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
            if let input {
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
            } else {
                posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDIN_FILENO)
            }
        }
    }

    /// Types a line on the terminal.
    func type(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(pipe, bytes, bytes.count)
    }

    deinit {
        kill(SIGKILL)
        if pipe >= 0 { close(pipe) }
        _ = wait()
    }

    /// Sends a signal, unless the process has already been waited for.
    func kill(_ signal: Int32) {
        if end == nil { _ = Glibc.kill(identifier, signal) }
    }

    /// Stops reading, as `head` does when it has enough.
    func closeOutput() {
        if pipe >= 0 { close(pipe) }
        pipe = -1
    }

    /// Reads until a number of lines is complete, the time is up, or the program closed its output.
    ///
    /// - Returns: Whether the program may still print.
    @discardableResult
    func read(lines: Int = .max, atMost time: Duration = .seconds(300)) -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + time
        while pipe >= 0, output.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
            let left = deadline - clock.now
            guard left > .zero else { return true }
            readOnce(atMost: left)
        }
        return pipe >= 0
    }

    /// Reads the next output, if any arrives in time.
    private func readOnce(atMost time: Duration) {
        var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Int32((time / .milliseconds(1)).rounded(.up))) > 0 else { return }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(pipe, &chunk, chunk.count)
        if count <= 0 {
            closeOutput()
        } else {
            output += chunk.prefix(count)
        }
    }

    /// Waits for its end.
    func wait() -> End {
        if let end { return end }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        let end = End(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            peakMemory: usage.ru_maxrss * 1024,
            processorTime: seconds(usage.ru_utime) + seconds(usage.ru_stime)
        )
        self.end = end
        return end
    }

    /// Reads until a text was printed, the time is up, or the program closed its output.
    ///
    /// - Returns: Whether the text was printed.
    @discardableResult
    func read(until text: String, atMost time: Duration = .seconds(60)) -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + time
        while !self.text.contains(text) {
            let left = deadline - clock.now
            guard left > .zero, pipe >= 0 else { return false }
            readOnce(atMost: left)
        }
        return true
    }

    /// The output so far.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The complete lines of the output.
    var lines: [String] {
        output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
