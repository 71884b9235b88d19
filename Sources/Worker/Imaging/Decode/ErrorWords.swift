/// Converts the error messages of C libraries to phrases that can be inserted into sentences for
/// users.
enum ErrorWords {
    /// Returns the first line of a C string in a buffer that may lack a null terminator.
    static func first(inBuffer words: [CChar]) -> String {
        first(of: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// Returns the first line of a C string.
    static func first(in words: UnsafePointer<CChar>?) -> String {
        first(of: words.map { Array(String(cString: $0).utf8) } ?? [])
    }

    private static func first(of bytes: [UInt8]) -> String {
        let line = bytes.split(separator: UInt8(ascii: "\n")).first ?? []
        var text = line.filter { $0 >= 0x20 && $0 < 0x7f }
        while text.last == UInt8(ascii: ".") || text.last == UInt8(ascii: " ") { text.removeLast() }
        return text.isEmpty ? "it is damaged" : String(decoding: text, as: UTF8.self)
    }
}
