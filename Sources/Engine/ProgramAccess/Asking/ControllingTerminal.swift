internal import Foundation
internal import Glibc
internal import LibraryService

/// The terminal that a program was started from, and never its standard input.
package final class ControllingTerminal: Sendable {
    private let descriptor: Descriptor

    /// The terminal; nil when there is none, or the program is in the background of one, where
    /// reading would stop it.
    package init?() {
        let number = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
        guard isForeground else { return nil }
    }

    /// Whether the person at the terminal has this program before them.
    package var isForeground: Bool {
        withExtendedLifetime(descriptor) { tcgetpgrp(descriptor.number) == getpgrp() }
    }

    /// Forgets what was typed already: it does not answer a question that comes later.
    package func discardInput() {
        withExtendedLifetime(descriptor) { _ = tcflush(descriptor.number, TCIFLUSH) }
    }

    /// Shows text, whose parts from elsewhere have to be safe already.
    ///
    /// - Returns: Whether all of it was shown.
    package func show(_ text: String) -> Bool {
        defer { withExtendedLifetime(descriptor) {} }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor.number,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// The next line, without white space around it; nil when the terminal is gone or at its end.
    package func line() -> String? {
        defer { withExtendedLifetime(descriptor) {} }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4_096 {
            guard isForeground else { return nil }
            let count = read(descriptor.number, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
