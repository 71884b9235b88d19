/// Parses the objects that `JournalValue.encode` writes, which are flat, without white space, and
/// mostly without escapes.
///
/// Takes a tenth of the time of a general decoder, which matters because an undo may read tens of
/// thousands of entries. Unsupported input, such as an escape, is left to a general decoder.
struct JournalObjectParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    typealias Columns = [(name: String, value: JournalValue.Scalar)]

    /// Parses the columns of an object; nil if the text requires a general JSON decoder.
    static func parse(_ text: String) -> [String: JournalValue.Scalar]? {
        guard let columns = columns(of: text.utf8) else { return nil }
        var values: [String: JournalValue.Scalar] = Dictionary(minimumCapacity: columns.count)
        for column in columns { values[column.name] = column.value }
        return values.count == columns.count ? values : nil
    }

    /// Parses the columns of an object, including repeated columns; nil if the text requires a
    /// general JSON decoder.
    static func columns(of text: some Collection<UInt8>) -> Columns? {
        let parsed = text.withContiguousStorageIfAvailable { bytes in
            var parser = JournalObjectParser(bytes: bytes)
            return parser.object()
        }
        return parsed ?? nil
    }

    /// Calls a closure with each column of an object: the bytes of its name, and its value.
    ///
    /// - Parameters:
    ///   - text: The object.
    ///   - body: Returns false to stop.
    /// - Returns: Whether all columns were parsed; false if the text requires a general JSON
    ///   decoder. The closure may have been called for some of its columns nevertheless.
    static func forEachColumn(
        of text: [UInt8],
        _ body: (UnsafeBufferPointer<UInt8>, JournalValue.Scalar) -> Bool
    ) -> Bool {
        text.withUnsafeBufferPointer { bytes in
            var parser = JournalObjectParser(bytes: bytes)
            return parser.visitColumns(body)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func visitColumns(
        _ body: (UnsafeBufferPointer<UInt8>, JournalValue.Scalar) -> Bool
    ) -> Bool {
        guard take("{") else { return false }
        repeat {
            guard let name = quoted(), take(":"), let value = scalar(), body(name, value) else {
                return false
            }
        } while take(",")
        return take("}") && position == bytes.count
    }

    private mutating func object() -> Columns? {
        guard take("{") else { return nil }
        var values: Columns = []
        values.reserveCapacity(16)
        repeat {
            guard let name = string(), take(":"), let value = scalar() else { return nil }
            values.append((name, value))
        } while take(",")
        return take("}") && position == bytes.count ? values : nil
    }

    private mutating func scalar() -> JournalValue.Scalar? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string().map(JournalValue.Scalar.text)
        case UInt8(ascii: "n"):
            for letter in "null".utf8 {
                guard position < bytes.count, bytes[position] == letter else { return nil }
                position += 1
            }
            return .null
        default: return number()
        }
    }

    /// Parses a number; nil for one with an exponent or in a form that the library does not write.
    private mutating func number() -> JournalValue.Scalar? {
        let start = position
        var hasFraction = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "-") where position == start: break
            case UInt8(ascii: ".") where !hasFraction && position > start: hasFraction = true
            case UInt8(ascii: ","), UInt8(ascii: "}"):
                return number(in: start..<position, hasFraction: hasFraction)
            default: return nil
            }
            position += 1
        }
        return nil
    }

    private func number(in range: Range<Int>, hasFraction: Bool) -> JournalValue.Scalar? {
        let digits = range.dropFirst(bytes[range.lowerBound] == UInt8(ascii: "-") ? 1 : 0)
        let zero = UInt8(ascii: "0")
        guard let first = digits.first, let last = digits.last, bytes[first] >= zero,
            bytes[last] >= zero,
            bytes[first] > zero || digits.count == 1 || bytes[first + 1] < zero
        else { return nil }
        if !hasFraction, digits.count <= 18 {
            let value = bytes[digits].reduce(0 as Int64) { $0 * 10 + Int64($1 - zero) }
            return .integer(digits.count < range.count ? -value : value)
        }
        let text = String(decoding: bytes[range], as: UTF8.self)
        if !hasFraction { return Int64(text).map(JournalValue.Scalar.integer) }
        guard let number = Double(text) else { return nil }
        // JSON does not distinguish 3 from 3.0, and a general decoder returns the integer.
        return Int64(exactly: number).map(JournalValue.Scalar.integer) ?? .real(number)
    }

    /// Parses a string without escapes.
    private mutating func string() -> String? {
        quoted().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Parses a string without escapes, and returns its bytes.
    private mutating func quoted() -> UnsafeBufferPointer<UInt8>? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
            case UInt8(ascii: "\\"), 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }
}
