import Foundation
import Glibc
import Synchronization

/// Where results go: gathered, and written in whole lines.
final class StandardOutput: Sendable {
    static let shared = StandardOutput()

    /// Whether a person is looking.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    private static let limit = 1 << 16
    private let buffer = Mutex<[UInt8]>([])

    /// Adds text; it is written when much has gathered or on ``flush()``.
    ///
    /// - Throws: `OutputClosed` when nobody reads any more.
    func write(_ text: String) throws {
        try write(bytes: text.utf8)
    }

    /// Adds bytes, for names that are not text.
    func write(bytes: some Sequence<UInt8>) throws {
        let isFull = buffer.withLock { buffer in
            buffer.append(contentsOf: bytes)
            return buffer.count >= Self.limit
        }
        if isFull { try flush() }
    }

    /// Writes what has gathered.
    func flush() throws {
        let bytes = buffer.withLock { buffer in
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        guard !bytes.isEmpty else { return }
        // On one terminal with the status line, what is written pushes that line down.
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

/// Standard output takes nothing more.
struct OutputClosed: Error {
    let number: Int32

    /// Ends the process: as quietly as others do when a reader went away, else with the reason.
    func exit() -> Never {
        if number == EPIPE { Interrupted(signal: SIGPIPE).exit() }
        let words = String(cString: strerror(number))
        StandardError.shared.say("photos: Standard output could not be written to: \(words).")
        ExitStatus.end(ExitStatus.failed)
    }
}
