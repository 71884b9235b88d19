internal import Foundation
internal import Glibc
internal import LibraryService

/// The controlling terminal of this process, independent of its standard input.
package final class ControllingTerminal: Sendable {
    private let descriptor: Descriptor

    /// Opens the terminal.
    ///
    /// Returns nil if there is no terminal, or if this process is in the background of the
    /// terminal, where a read would stop it.
    package init?() {
        let number = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
        guard isForeground else { return nil }
    }

    /// Indicates whether this process is in the foreground process group of the terminal.
    package var isForeground: Bool {
        withExtendedLifetime(descriptor) { tcgetpgrp(descriptor.number) == getpgrp() }
    }

    /// Discards input that was typed before a question, so that it is not taken as the answer.
    package func discardInput() {
        withExtendedLifetime(descriptor) { _ = tcflush(descriptor.number, TCIFLUSH) }
    }

    /// Writes text to the terminal; untrusted parts must already be sanitized.
    ///
    /// - Returns: Whether all of the text was written.
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

    /// Reads the next line without surrounding white space; nil at end of file or if the terminal
    /// is no longer available.
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
