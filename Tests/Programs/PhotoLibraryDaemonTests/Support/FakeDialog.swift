import Foundation
import Glibc
import TestSupport
import Testing

/// The dialogs of a desktop, which the test answers.
///
///     dialog.answer("Don’t Allow", home)
///
/// Not Sendable: one test owns it.
final class FakeDialog {
    private let folder: URL
    private let path: String
    private var answered: Set<pid_t> = []

    /// Writes a tool that shows nothing and prints the line that the test writes.
    init(_ home: DaemonHome) throws {
        folder = home.folder.file("dialogs")
        path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let script = """
            #!/bin/sh
            mkfifo '\(folder.path)/'$$
            printf '%s\\n' "$*" >> '\(folder.path)/texts'
            echo $$ >> '\(folder.path)/asked'
            read -r answer < '\(folder.path)/'$$
            echo "$answer" | tr ' ' '\\n' > '\(folder.path)/words'
            case $1 in
            --list) cat '\(folder.path)/words' ;;
            *) echo "$answer"; exit 1 ;;
            esac
            """
        let tool = try home.folder.write(Data(script.utf8), to: "dialogs/zenity")
        try #require(chmod(tool.path, 0o700) == 0)
    }

    /// The variables of a process that has the desktop.
    var variables: [String: String] {
        ["DISPLAY": ":7", "PATH": folder.path + ":" + path]
    }

    /// The processes of the dialogs that were shown.
    var asked: [pid_t] {
        let text = try? String(contentsOfFile: folder.path + "/asked", encoding: .utf8)
        return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }

    /// The words of all dialogs.
    var texts: String {
        (try? String(contentsOfFile: folder.path + "/texts", encoding: .utf8)) ?? ""
    }

    /// Indicates whether the last dialog is shown.
    var isShown: Bool { asked.last.map { kill($0, 0) == 0 } ?? false }

    /// Answers the dialog that is shown and was not answered, or that is about to be.
    func answer(_ line: String, _ home: DaemonHome) {
        var number: Int32 = -1
        let isOpen = home.waits {
            guard let dialog = asked.last, !answered.contains(dialog) else { return false }
            // It fails until the dialog reads.
            number = open(folder.path + "/\(dialog)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if number >= 0 { answered.insert(dialog) }
            return number >= 0
        }
        #expect(isOpen, "No dialog was shown.")
        let bytes = Array((line + "\n").utf8)
        #expect(write(number, bytes, bytes.count) == bytes.count)
        close(number)
    }
}
