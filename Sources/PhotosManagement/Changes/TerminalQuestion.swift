internal import Foundation
internal import Glibc

/// Asks the person at the controlling terminal.
enum TerminalQuestion {
    /// Asks, and reads a line: `y` or `yes`, in any case, is a yes.
    ///
    /// No when there is no terminal, or the program is in the background of one: it would be stopped.
    @Sendable
    static func ask(_ question: DeletionConfirmation.Question) -> Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        guard tcgetpgrp(terminal) == getpgrp() else { return false }
        // What was typed before the question does not answer it.
        tcflush(terminal, TCIFLUSH)
        guard write(safe(question.text) + " [y/N] ", to: terminal) else { return false }
        let answer = line(from: terminal).trimmingCharacters(in: .whitespacesAndNewlines)
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// A text without what steers a terminal: file names can be anything.
    static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }
            )
        )
    }

    private static func write(_ text: String, to terminal: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let rest = bytes.baseAddress?.advanced(by: written)
                let count = Glibc.write(terminal, rest, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private static func line(from terminal: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 256 {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
