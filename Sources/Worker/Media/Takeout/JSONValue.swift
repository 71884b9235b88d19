/// A value of a JSON document.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, as text.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members of an object by name; the last one is used if several have the same name.
    case object([String: JSONValue])

    /// The member `name` of an object; nil if the member is missing or the value is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The value as text; nil unless it is a string.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value as a finite number, which may be written as a string.
    package var number: Double? {
        let text: String
        switch self {
        case .number(let number): text = number
        case .string(let string) where string.utf8.count <= 64: text = string
        default: return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The value as an integer, which may be written as a string.
    package var integer: Int64? {
        switch self {
        case .number(let text): Int64(text) ?? number.flatMap { Int64(exactly: $0.rounded()) }
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// Indicates whether the value is true.
    package var isTrue: Bool { self == .bool(true) }
}

/// A parser of untrusted JSON with limits for its length, depth and number of values.
package struct JSONParser {
    package static let maximumLength = 1 << 20
    static let maximumDepth = 64
    package static let maximumValues = 100_000

    private let bytes: UnsafeRawBufferPointer
    private let valueLimit: Int
    private var position = 0
    private var values = 0

    private init(_ bytes: UnsafeRawBufferPointer, valueLimit: Int) {
        self.bytes = bytes
        self.valueLimit = valueLimit
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - view: The bytes.
    ///   - length: The maximum number of bytes.
    ///   - values: The maximum number of values.
    /// - Returns: The value; nil for bytes that are no JSON or that exceed a limit.
    package static func parse(
        _ view: ByteView,
        length: Int = maximumLength,
        values: Int = maximumValues
    ) -> JSONValue? {
        guard view.count <= length else { return nil }
        var parser = JSONParser(view.bytes, valueLimit: values)
        if view.starts(with: "\u{FEFF}") { parser.position = 3 }
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipBlanks()
        return parser.position == view.count ? value : nil
    }

    // MARK: - Values

    private mutating func value(depth: Int) -> JSONValue? {
        values += 1
        guard depth < Self.maximumDepth, values <= valueLimit else { return nil }
        skipBlanks()
        switch peek() {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "t"): return word("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [String: JSONValue] = [:]
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipBlanks()
            guard peek() == UInt8(ascii: "\""), let name = string() else { return nil }
            skipBlanks()
            guard take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members[name] = value
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func number() -> JSONValue? {
        let start = position
        while let byte = peek(), Self.isOfNumber(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard (1...64).contains(text.utf8.count), Double(text) != nil else { return nil }
        return .number(text)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    // MARK: - Strings

    private mutating func string() -> String? {
        position += 1
        var result: [UInt8] = []
        while let byte = peek() {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                result.append(contentsOf: String(scalar).utf8)
            case 0..<0x20: return nil
            default: result.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = peek() else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return unicode()
        default: return nil
        }
    }

    /// Reads the character of a `\u` escape, or of two escapes that form a surrogate pair.
    private mutating func unicode() -> Unicode.Scalar? {
        guard let first = codeUnit() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let mark = position
        guard (0xd800..<0xdc00).contains(first), take(UInt8(ascii: "\\")),
            take(UInt8(ascii: "u")), let second = codeUnit(), (0xdc00..<0xe000).contains(second)
        else {
            position = mark
            return "\u{fffd}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)) ?? "\u{fffd}"
    }

    private mutating func codeUnit() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit
    }

    // MARK: - Bytes

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func word(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length,
            text.withUTF8Buffer({ bytes[position..<position + length].elementsEqual($0) })
        else { return false }
        position += length
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek(), [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
    }
}
