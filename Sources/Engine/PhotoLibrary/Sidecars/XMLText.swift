/// Text in the XMP documents that the engine writes.
enum XMLText {
    /// Returns text for XML; characters that XML does not allow are left out.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default:
                let isAllowed =
                    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                if isAllowed { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
