import Foundation
import Glibc

/// Reads text from the terminal without echoing it.
enum HiddenInput {
    /// Asks a question on the controlling terminal and returns the typed text; returns nil without
    /// a terminal.
    static func read(_ question: String) -> String? {
        guard Confirmation.isPossible else { return nil }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var former = termios()
        guard tcgetattr(terminal, &former) == 0 else { return nil }
        var hidden = former
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &hidden)
        defer { tcsetattr(terminal, TCSAFLUSH, &former) }
        let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
        try? handle.write(contentsOf: Data(question.utf8))
        var bytes: [UInt8] = []
        while bytes.count < 4_096, let data = try? handle.read(upToCount: 1), let byte = data.first,
            byte != UInt8(ascii: "\n")
        {
            bytes.append(byte)
        }
        try? handle.write(contentsOf: Data("\n".utf8))
        return String(decoding: bytes, as: UTF8.self)
    }
}
