import CQREncode
import Glibc

/// A QR code as text for terminals, so that a phone can scan it from the screen.
struct QRCode {
    /// The width of the quiet zone around a code, in modules.
    private static let margin = 4

    /// The rows of modules from top to bottom; `true` for dark modules.
    private let rows: [[Bool]]

    /// Encodes a text as a QR code; returns nil if the text is too long.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        let side = width + 2 * Self.margin
        var rows = [[Bool]](repeating: [Bool](repeating: false, count: side), count: side)
        for place in 0..<width * width where data[place] & 1 == 1 {
            rows[place / width + Self.margin][place % width + Self.margin] = true
        }
        self.rows = rows
    }

    /// The width in terminal columns.
    var width: Int { rows.count }

    /// The lines of half-block characters, black on white regardless of the terminal's colors.
    var lines: [String] {
        stride(from: 0, to: rows.count, by: 2).map { top in
            let upper = rows[top]
            let lower = top + 1 < rows.count ? rows[top + 1] : upper.map { _ in false }
            let blocks = zip(upper, lower).map { pair in
                switch pair {
                case (true, true): "\u{2588}"
                case (true, false): "\u{2580}"
                case (false, true): "\u{2584}"
                case (false, false): " "
                }
            }
            return "\u{1B}[38;5;16;48;5;231m" + blocks.joined() + "\u{1B}[0m"
        }
    }

    /// Shows the code if standard error is a terminal that is wide enough.
    func show() {
        guard StandardError.isTerminal, let kind = getenv("TERM"), String(cString: kind) != "dumb"
        else { return }
        var size = winsize()
        if ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
            Int(size.ws_col) < width
        {
            return
        }
        StandardError.shared.say(lines.joined(separator: "\n"))
    }
}
