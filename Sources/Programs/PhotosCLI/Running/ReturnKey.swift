import Foundation
import Glibc

/// The Return key of the terminal that standard input comes from.
enum ReturnKey {
    /// Whether somebody can press it.
    static let isThere = isatty(STDIN_FILENO) == 1

    /// Calls `handler` each time that the key is pressed, on a thread of its own; never without a terminal.
    static func whenPressed(_ handler: @escaping @Sendable () -> Void) {
        guard isThere else { return }
        Thread.detachNewThread {
            while isReadable() {
                // Who reads from a terminal in the background is stopped, with all of its threads.
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

    /// Waits for what is typed; false once the terminal is gone.
    private static func isReadable() -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return input.revents & Int16(POLLIN) != 0
    }
}
