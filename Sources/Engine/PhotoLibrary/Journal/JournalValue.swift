internal import Foundation
internal import GRDB

/// The journal's encoding of column values: one flat JSON object per entry.
///
/// Doubles are lossless (the shortest text that parses to the same value). Blobs are strings with
/// the prefix `x:`, and a string that begins with `x:` or `s:` gets the prefix `s:`.
enum JournalValue {
    /// Encodes some columns as an object; nil if there are none.
    static func encode(_ values: [(name: String, value: DatabaseValue)]) -> String? {
        guard !values.isEmpty else { return nil }
        var text = "{"
        for (index, item) in values.enumerated() {
            if index > 0 { text += "," }
            append(string: item.name, to: &text)
            text += ":"
            append(item.value, to: &text)
        }
        return text + "}"
    }

    /// Decodes an array of strings; empty if the text is not one.
    static func decode(strings json: String) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
    }

    /// Encodes an array of strings, as stored in the column `keywords`.
    static func encode(strings: [String]) -> String {
        var text = "["
        for (index, string) in strings.enumerated() {
            if index > 0 { text += "," }
            append(string: string, to: &text)
        }
        return text + "]"
    }

    /// Decodes the columns of an object.
    static func decode(_ text: String) throws -> [String: Scalar] {
        if let values = JournalObjectParser.parse(text) { return values }
        return try JSONDecoder().decode([String: Scalar].self, from: Data(text.utf8))
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
            case .text(let text) where text.hasPrefix("x:"):
                Hexadecimal.bytes(String(text.dropFirst(2)))?.databaseValue ?? .null
            case .text(let text):
                (text.hasPrefix("s:") ? String(text.dropFirst(2)) : text).databaseValue
            }
        }

        /// Returns whether both represent the same stored value, since JSON does not distinguish 3
        /// from 3.0.
        func matches(_ other: Scalar) -> Bool {
            switch (self, other) {
            case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)):
                Double(left) == right
            default: self == other
            }
        }
    }

    private static func append(_ value: DatabaseValue, to text: inout String) {
        switch value.storage {
        case .null: text += "null"
        case .int64(let number): text += String(number)
        case .double(let number): text += String(describing: number)
        case .string(let string): append(string: escaped(string), to: &text)
        case .blob(let data): append(string: "x:" + Hexadecimal.text(data), to: &text)
        }
    }

    private static func escaped(_ string: String) -> String {
        string.hasPrefix("x:") || string.hasPrefix("s:") ? "s:" + string : string
    }

    /// Returns a string as a JSON literal.
    static func quoted(_ string: String) -> String {
        var text = ""
        append(string: string, to: &text)
        return text
    }

    private static func append(string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<"\u{20}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
