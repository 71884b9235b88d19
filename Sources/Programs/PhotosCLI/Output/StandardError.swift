import Foundation
import Glibc
import Synchronization

/// The standard error stream, for messages and progress.
///
/// Errors of writing are ignored, so that they cannot make a command fail.
final class StandardError: Sendable {
    static let shared = StandardError()

    /// `true` if standard error is a terminal.
    static let isTerminal = isatty(STDERR_FILENO) == 1

    /// The status line that is shown; empty if there is none.
    private let status = Mutex("")

    /// Writes a line above the status line, if one is shown.
    func say(_ text: String) {
        status.withLock { status in
            Self.write((status.isEmpty ? "" : Self.clearLine) + text + "\n" + status)
        }
    }

    /// Shows a status line on a terminal, in place of the previous one.
    func show(status text: String) {
        guard Self.isTerminal else { return }
        status.withLock { status in
            Self.write(Self.clearLine + text)
            status = text
        }
    }

    /// Clears the status line while `body` writes to the same terminal.
    func withoutStatus(_ body: () throws -> Void) rethrows {
        try status.withLock { status in
            if !status.isEmpty { Self.write(Self.clearLine) }
            defer { if !status.isEmpty { Self.write(status) } }
            try body()
        }
    }

    /// Clears the status line.
    func clearStatus() {
        status.withLock { status in
            if !status.isEmpty { Self.write(Self.clearLine) }
            status = ""
        }
    }

    private static let clearLine = "\r\u{1B}[K"

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
