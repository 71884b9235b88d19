/// A reader for a sidecar's XMP document, which is converted to UTF-8 for Exiv2 if necessary.
package enum XMPDocument {
    /// The maximum length of a document in bytes; a longer document is truncated and therefore
    /// malformed.
    private static let limitInBytes = 16 << 20

    /// Reads a document into raw metadata.
    ///
    /// Returns false for an invalid document, with the reason in a warning.
    package static func read(_ bytes: ByteView, into metadata: inout RawMetadata) -> Bool {
        let document = bytes.available(at: 0, length: limitInBytes)
        guard let prolog = XMLProlog(document), prolog.encoding.width > 1 else {
            return metadata.readXMP(document)
        }
        // Omits the prolog, whose declaration names the original encoding.
        let text = text(document.available(at: prolog.rootOffset), prolog.encoding)
        return Array(text.utf8).withUnsafeBytes { metadata.readXMP(ByteView($0)) }
    }

    private static func text(_ bytes: ByteView, _ encoding: XMLProlog.Encoding) -> String {
        switch encoding {
        case .bytes: return String(decoding: bytes.bytes, as: UTF8.self)
        case .utf16(let isBigEndian):
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { offset in
                UInt16(
                    truncatingIfNeeded: bytes.integer16(at: offset, isBigEndian: isBigEndian) ?? 0
                )
            }
            return String(decoding: units, as: UTF16.self)
        case .utf32(let isBigEndian):
            let units = stride(from: 0, to: bytes.count - 3, by: 4).map { offset in
                UInt32(
                    truncatingIfNeeded: bytes.integer32(at: offset, isBigEndian: isBigEndian) ?? 0
                )
            }
            return String(decoding: units, as: UTF32.self)
        }
    }
}
