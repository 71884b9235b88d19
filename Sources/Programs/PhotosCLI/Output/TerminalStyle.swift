import Foundation
import Glibc
import PhotosManagement

/// Text styles for terminals, which have no effect where styles are disabled.
enum TerminalStyle: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36

    /// `true` on a terminal, unless the user disabled colors (no-color.org).
    static let isOn: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return StandardOutput.isTerminal && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    func callAsFunction(_ text: String) -> String {
        Self.isOn ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Escapes control characters of the terminal, since names come from untrusted sources.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Escapes terminal control characters in a path.
    ///
    /// Bytes that are not valid UTF-8 are written unchanged for programs, and as U+FFFD on a
    /// terminal.
    static func safe(_ path: SourcePath) -> [UInt8] {
        if path.isUTF8 || StandardOutput.isTerminal { return Array(safe(path.description).utf8) }
        return path.bytes.flatMap { byte in
            byte < 0x20 || byte == 0x7F ? Array("\\u{\(String(byte, radix: 16))}".utf8) : [byte]
        }
    }

    /// Quotes a name for a sentence and escapes its control characters.
    static func quoted(_ text: String) -> String { "“\(safe(text))”" }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The width, in columns, of the terminal to which standard error is connected; 80 if it is
    /// unknown.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
