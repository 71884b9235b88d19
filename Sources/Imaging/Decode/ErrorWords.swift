/// Makes a clause for people of what a library wrote.
enum ErrorWords {
    /// The first line.
    static func first(in words: [CChar]) -> String {
        let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let line = bytes.split(separator: 0x0a).first.map(Array.init) ?? []
        var text = line.filter { $0 >= 0x20 && $0 < 0x7f }
        while text.last == UInt8(ascii: ".") || text.last == UInt8(ascii: " ") { text.removeLast() }
        return text.isEmpty ? "it is damaged" : String(decoding: text, as: UTF8.self)
    }

    /// The first line of a C string.
    static func first(in words: UnsafePointer<CChar>?) -> String {
        guard let words else { return "it is damaged" }
        return first(in: Array(String(cString: words).utf8.map { CChar(bitPattern: $0) }))
    }
}
