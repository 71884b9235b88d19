import Foundation
import Glibc
import Synchronization

/// Where talk and progress go.
///
/// Nothing here can fail a command.
final class StandardError: Sendable {
    static let shared = StandardError()

    /// Whether a person is looking.
    static let isTerminal = isatty(STDERR_FILENO) == 1

    /// The status line that is shown; empty when there is none.
    private let status = Mutex("")

    /// Writes a line, above the status line when there is one.
    func say(_ text: String) {
        status.withLock { status in
            Self.write((status.isEmpty ? "" : Self.clearLine) + text + "\n" + status)
        }
    }

    /// Shows a line that the next one replaces; only on a terminal.
    func show(status text: String) {
        guard Self.isTerminal else { return }
        status.withLock { status in
            Self.write(Self.clearLine + text)
            status = text
        }
    }

    /// Takes the status line away while `body` writes to the same terminal.
    func withoutStatus(_ body: () throws -> Void) rethrows {
        try status.withLock { status in
            if !status.isEmpty { Self.write(Self.clearLine) }
            defer { if !status.isEmpty { Self.write(status) } }
            try body()
        }
    }

    /// Takes the status line away.
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
