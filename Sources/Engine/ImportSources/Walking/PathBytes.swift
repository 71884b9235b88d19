/// Operations on the bytes of paths and names.
extension [UInt8] {
    /// Runs `body` with the bytes, null-terminated.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                // A buffer of at least one element has an address.
                guard let start = characters.baseAddress else { return body([0]) }
                return body(start)
            }
        }
    }

    /// The part after the last slash.
    package var lastComponent: [UInt8] {
        Array(self[((lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
    }

    /// The path of the containing folder; empty for an entry of the root folder.
    package var parentPath: [UInt8] { Array(self[..<(lastIndex(of: UInt8(ascii: "/")) ?? 0)]) }

    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    package var text: String { String(decoding: self, as: UTF8.self) }

    /// Returns whether the bytes end with the given bytes.
    package func hasSuffix(_ other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }

    /// The bytes with `A` to `Z` converted to lowercase.
    package var lowercasedASCII: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
