/// Text from anywhere, made fit to be shown.
package enum PlainText {
    /// The text without what steers a terminal or turns the direction of what follows.
    package static func safe(_ text: String) -> String {
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

    /// The same in one line of at most so many characters.
    package static func line(_ text: String, limit: Int) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let plain = safe(words)
        return plain.count > limit ? String(plain.prefix(limit)) + "…" : plain
    }
}
