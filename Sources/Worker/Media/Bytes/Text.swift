/// The conversion of untrusted text to text that can be stored and displayed.
package enum Text {
    /// The maximum length of a text in UTF-8 bytes.
    package static let limitInBytes = 4096
    /// The maximum length of a caption in UTF-8 bytes.
    ///
    /// Captions from other programs' libraries have the same limit.
    package static let captionLimitInBytes = 32 << 10

    /// Converts bytes to valid UTF-8 without control characters, trimmed and truncated to the
    /// limit; returns nil if the result is empty.
    ///
    /// Bytes that are not valid UTF-8 are read as Latin-1, which cameras and old programs write.
    /// With `keepsLines`, tabs are kept, and all line breaks become line feeds.
    package static func clean(
        _ bytes: some Collection<UInt8>,
        keepsLines: Bool = false,
        limit: Int = limitInBytes
    ) -> String? {
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        let body = bytes[..<end].prefix(limit * 4)
        if let text = String(validating: body, as: UTF8.self) {
            return clean(text, keepsLines: keepsLines, limit: limit)
        }
        let latin = String(String.UnicodeScalarView(body.lazy.map { Unicode.Scalar($0) }))
        return clean(latin, keepsLines: keepsLines, limit: limit)
    }

    package static func clean(
        _ text: String,
        keepsLines: Bool = false,
        limit: Int = limitInBytes
    ) -> String? {
        var result = String.UnicodeScalarView()
        var length = 0
        var isStart = true
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            var kept: Unicode.Scalar = isControl ? " " : scalar
            if keepsLines {
                defer { isAfterReturn = scalar == "\r" }
                if scalar == "\n", isAfterReturn { continue }
                if scalar == "\n" || scalar == "\r" { kept = "\n" }
                if scalar == "\t" { kept = "\t" }
            }
            if isStart, kept.properties.isWhitespace { continue }
            isStart = false
            length += UTF8.width(kept)
            if length > limit { break }
            result.append(kept)
        }
        while let last = result.last, last.properties.isWhitespace { result.removeLast() }
        return result.isEmpty ? nil : String(result)
    }

    /// Decodes UTF-16 without a byte order mark, up to the first null character.
    package static func utf16(_ bytes: ByteView, isBigEndian: Bool) -> String? {
        var units: [UInt16] = []
        var offset = 0
        while offset + 1 < bytes.count, units.count < limitInBytes {
            guard let unit = bytes.integer16(at: offset, isBigEndian: isBigEndian), unit != 0 else {
                break
            }
            units.append(UInt16(truncatingIfNeeded: unit))
            offset += 2
        }
        return clean(String(decoding: units, as: UTF16.self))
    }
}
