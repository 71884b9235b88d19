/// Text in the XML documents that this project writes: XMP sidecars and packets.
package enum XMLText {
    /// Escapes text for the content of an element or for an attribute in double quotes.
    ///
    /// Characters that XML does not permit become U+FFFD, so that nothing disappears unnoticed.
    /// Line breaks and tabs become references, because parsers normalize plain ones in attributes,
    /// and carriage returns everywhere.
    package static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "\t", "\n", "\r":
                result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
