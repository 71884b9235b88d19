import Foundation
import Glibc
import Synchronization

/// The standard output stream for results, which buffers output and flushes whole lines.
final class StandardOutput: Sendable {
    static let shared = StandardOutput()

    /// `true` if standard output is a terminal.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    private static let limit = 1 << 16
    private let buffer = Mutex<[UInt8]>([])

    /// Appends text to the buffer.
    ///
    /// The buffer is written when it is full or on ``flush()``.
    ///
    /// - Throws: `OutputClosed` when standard output cannot be written to.
    func write(_ text: String) throws {
        try write(bytes: text.utf8)
    }

    /// Appends bytes to the buffer, for names that are not valid UTF-8.
    func write(bytes: some Sequence<UInt8>) throws {
        let isFull = buffer.withLock { buffer in
            buffer.append(contentsOf: bytes)
            return buffer.count >= Self.limit
        }
        if isFull { try flush() }
    }

    /// Writes the buffered bytes.
    func flush() throws {
        let bytes = buffer.withLock { buffer in
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        guard !bytes.isEmpty else { return }
        // If the status line is on the same terminal, it has to be cleared first and then redrawn
        // below.
        guard Self.isTerminal else { return try Self.writeAll(bytes, to: STDOUT_FILENO) }
        try StandardError.shared.withoutStatus { try Self.writeAll(bytes, to: STDOUT_FILENO) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            } else if errno != EINTR {
                throw OutputClosed(number: errno)
            }
        }
    }
}

/// The error when standard output cannot be written to.
struct OutputClosed: Error {
    let number: Int32

    /// Ends the process because standard output cannot be written to.
    ///
    /// If the reader closed the pipe, the process ends by SIGPIPE, as other programs do; otherwise
    /// with a message.
    func exit() -> Never {
        if number == EPIPE { Interrupted(signal: SIGPIPE).exit() }
        let words = String(cString: strerror(number))
        StandardError.shared.say("photos: Standard output cannot be written to: \(words).")
        ExitStatus.end(ExitStatus.failed)
    }
}
