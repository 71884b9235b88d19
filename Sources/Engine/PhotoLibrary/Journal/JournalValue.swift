internal import Foundation
internal import GRDB

/// The journal's encoding of column values: one flat JSON object per entry.
///
/// Doubles are lossless (the shortest text that parses to the same value). Blobs are strings with
/// the prefix `x:`, and a string that begins with `x:` or `s:` gets the prefix `s:`.
enum JournalValue {
    /// Encodes columns and their values as a JSON object; nil if there are no columns.
    static func encode(_ values: [(name: String, value: DatabaseValue)]) -> String? {
        guard !values.isEmpty else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(32 * values.count)
        text.append(UInt8(ascii: "{"))
        for (index, item) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(string: item.name, to: &text)
            text.append(UInt8(ascii: ":"))
            append(item.value, to: &text)
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a JSON array of strings; returns an empty array if the text is invalid.
    static func decode(strings json: String) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
    }

    /// Encodes an array of strings, as stored in the column `keywords`.
    static func encode(strings: [String]) -> String {
        guard !strings.isEmpty else { return "[]" }
        var text = [UInt8(ascii: "[")]
        for (index, string) in strings.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(string: string, to: &text)
        }
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the columns of an object.
    static func decode(_ text: String) throws -> [String: Scalar] {
        if let values = JournalObjectParser.parse(text) { return values }
        return try JSONDecoder().decode([String: Scalar].self, from: Data(text.utf8))
    }

    /// Decodes the columns of an object, without duplicates.
    static func columns(of bytes: [UInt8]) throws -> [(name: String, value: Scalar)] {
        if let columns = JournalObjectParser.columns(of: bytes),
            !columns.indices.contains(where: { index in
                columns[..<index].contains { $0.name == columns[index].name }
            })
        {
            return columns
        }
        return try decode(String(decoding: bytes, as: UTF8.self)).map { ($0.key, $0.value) }
    }

    /// A value as stored in the journal.
    enum Scalar: Hashable, Decodable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)

        init(_ value: DatabaseValue) {
            switch value.storage {
            case .null: self = .null
            case .int64(let number): self = .integer(number)
            case .double(let number): self = .real(number)
            case .string(let string): self = .text(JournalValue.escaped(string))
            case .blob(let data): self = .text("x:" + Hexadecimal.text(data))
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let string = try? container.decode(String.self) {
                self = .text(string)
            } else if let number = try? container.decode(Int64.self) {
                self = .integer(number)
            } else {
                self = .real(try container.decode(Double.self))
            }
        }

        /// The stored value, with blobs decoded.
        var databaseValue: DatabaseValue {
            switch self {
            case .null: .null
            case .integer(let number): number.databaseValue
            case .real(let number): number.databaseValue
            case .text(let text) where !JournalValue.mayHaveMark(text): text.databaseValue
            case .text(let text) where text.hasPrefix("x:"):
                Hexadecimal.bytes(String(text.dropFirst(2)))?.databaseValue ?? .null
            case .text(let text):
                (text.hasPrefix("s:") ? String(text.dropFirst(2)) : text).databaseValue
            }
        }

        /// Returns whether two values represent the same stored value; JSON does not distinguish 3
        /// from 3.0.
        func matches(_ other: Scalar) -> Bool {
            switch (self, other) {
            case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)):
                Double(left) == right
            default: self == other
            }
        }
    }

    /// Appends a value as a JSON literal.
    static func append(_ value: DatabaseValue, to text: inout [UInt8]) {
        switch value.storage {
        case .null: text += "null".utf8
        case .int64(let number): text += String(number).utf8
        case .double(let number): text += String(describing: number).utf8
        case .string(let string): append(string: escaped(string), to: &text)
        case .blob(let data): append(string: "x:" + Hexadecimal.text(data), to: &text)
        }
    }

    private static func escaped(_ string: String) -> String {
        guard mayHaveMark(string) else { return string }
        return string.hasPrefix("x:") || string.hasPrefix("s:") ? "s:" + string : string
    }

    /// Returns false for most strings that begin with neither `x:` nor `s:`, without the cost of
    /// comparing characters.
    private static func mayHaveMark(_ string: String) -> Bool {
        let first = string.utf8.first
        return first == UInt8(ascii: "x") || first == UInt8(ascii: "s")
    }

    /// Returns a string as a JSON literal.
    static func quoted(_ string: String) -> String {
        var text: [UInt8] = []
        append(string: string, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { append($0, to: &text) }
        text.append(UInt8(ascii: "\""))
    }

    /// Appends the bytes of a string in which quotes, backslashes, control characters, U+2028 and
    /// U+2029 are escaped.
    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        var start = 0
        var place = 0
        func flush(_ text: inout [UInt8]) {
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<place]))
        }
        while place < bytes.count {
            let byte = bytes[place]
            var length = 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                flush(&text)
                text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                flush(&text)
                let digits = String(byte, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            case 0xE2 where isSeparator(bytes, at: place):
                flush(&text)
                text += (bytes[place + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8
                length = 3
            default:
                place += 1
                continue
            }
            place += length
            start = place
        }
        flush(&text)
    }

    /// Returns whether the UTF-8 bytes at an index begin U+2028 or U+2029.
    private static func isSeparator(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        place + 2 < bytes.count && bytes[place + 1] == 0x80 && bytes[place + 2] & 0xFE == 0xA8
    }
}
