/// Sanitizes untrusted text for display.
package enum PlainText {
    /// Returns the text with control characters, format characters and line separators replaced by
    /// U+FFFD.
    ///
    /// They could control a terminal or change the text direction.
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

    /// Returns the sanitized text as one line, truncated to a maximum number of characters.
    package static func line(_ text: String, limit: Int) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let plain = safe(words)
        return plain.count > limit ? String(plain.prefix(limit)) + "…" : plain
    }
}
