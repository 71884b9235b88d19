import Foundation
import Glibc

/// Observes the Return key on the terminal at standard input.
enum ReturnKey {
    /// `true` if standard input is a terminal.
    static let isThere = isatty(STDIN_FILENO) == 1

    /// Calls `handler` on a separate thread each time the Return key is pressed.
    ///
    /// Does nothing without a terminal.
    static func whenPressed(_ handler: @escaping @Sendable () -> Void) {
        guard isThere else { return }
        Thread.detachNewThread {
            while isReadable() {
                // Reading from a terminal in the background would stop the process with all its
                // threads.
                guard tcgetpgrp(STDIN_FILENO) == getpgrp() else {
                    sleep(1)
                    continue
                }
                var bytes = [UInt8](repeating: 0, count: 1_024)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return }
                for byte in bytes.prefix(max(0, count)) where byte == UInt8(ascii: "\n") {
                    handler()
                }
            }
        }
    }

    /// Waits until the terminal has input; returns `false` if the terminal is closed.
    private static func isReadable() -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return input.revents & Int16(POLLIN) != 0
    }
}
