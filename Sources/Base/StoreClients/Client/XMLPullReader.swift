/// A pull parser, which returns one event at a time, for the small subset of XML that S3 uses.
///
/// It accepts an XML declaration, elements, attributes (which are skipped), text, the five
/// predefined entities and character references. Anything else is an error, in particular document
/// types, comments, other entities and processing instructions. The caller limits the size.
package struct XMLPullReader {
    /// A parsing event: the start of an element, text, or the end of an element.
    package enum Event: Hashable, Sendable {
        case start(String)
        case text(String)
        case end(String)
    }

    /// A violation of the grammar or of a limit, with its position in bytes.
    package struct Failure: Error, Hashable {
        package var position: Int
    }

    private static let maximumDepth = 16
    private static let maximumNameLength = 100

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var hasRoot = false
    /// Indicates whether the next event is the end of an empty element, whose start was just
    /// returned.
    private var pendingEnd = false

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // The byte order mark of UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Returns the next event, or nil after the root element.
    package mutating func next() throws(Failure) -> Event? {
        if pendingEnd {
            pendingEnd = false
            return .end(open.removeLast())
        }
        if !hasRoot { try skipDeclaration() }
        if open.isEmpty { skipSpaces() }
        guard position < bytes.count else {
            if hasRoot, open.isEmpty { return nil }
            throw failure
        }
        if bytes[position] != UInt8(ascii: "<") {
            guard !open.isEmpty else { throw failure }
            return .text(try text(until: UInt8(ascii: "<")))
        }
        position += 1
        if take(UInt8(ascii: "/")) { return try endTag() }
        return try startTag()
    }

    // MARK: - Tags

    private mutating func startTag() throws(Failure) -> Event {
        guard !(hasRoot && open.isEmpty), open.count < Self.maximumDepth else { throw failure }
        let name = try name()
        hasRoot = true
        open.append(name)
        while true {
            let hasSpace = skipSpaces()
            if take(UInt8(ascii: ">")) { return .start(name) }
            if take(UInt8(ascii: "/")) {
                try require(UInt8(ascii: ">"))
                pendingEnd = true
                return .start(name)
            }
            guard hasSpace else { throw failure }
            try skipAttribute()
        }
    }

    private mutating func endTag() throws(Failure) -> Event {
        let name = try name()
        skipSpaces()
        try require(UInt8(ascii: ">"))
        guard open.popLast() == name else { throw failure }
        return .end(name)
    }

    private mutating func skipAttribute() throws(Failure) {
        _ = try name()
        skipSpaces()
        try require(UInt8(ascii: "="))
        skipSpaces()
        guard position < bytes.count, [0x22, 0x27].contains(bytes[position]) else { throw failure }
        let quote = bytes[position]
        position += 1
        _ = try text(until: quote)
        try require(quote)
    }

    private mutating func skipDeclaration() throws(Failure) {
        guard bytes[position...].starts(with: Array("<?xml ".utf8)) else { return }
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
        guard position < bytes.count, bytes[position - 1] == UInt8(ascii: "?") else {
            throw failure
        }
        position += 1
        skipSpaces()
    }

    // MARK: - Characters

    private mutating func name() throws(Failure) -> String {
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        guard 1...Self.maximumNameLength ~= position - start else { throw failure }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Reads text up to a given byte, which is not consumed, and resolves entity and character
    /// references in the text.
    private mutating func text(until end: UInt8) throws(Failure) -> String {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != end {
            switch bytes[position] {
            case UInt8(ascii: "&"): text += Array(String(try reference()).utf8)
            // An attribute's value contains no tags.
            case UInt8(ascii: "<"): throw failure
            case let byte:
                text.append(byte)
                position += 1
            }
        }
        guard position < bytes.count, let valid = String(validating: text, as: UTF8.self) else {
            throw failure
        }
        return valid
    }

    private mutating func reference() throws(Failure) -> Character {
        let start = position + 1
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw failure
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        switch name {
        case "lt": position = end + 1; return "<"
        case "gt": position = end + 1; return ">"
        case "amp": position = end + 1; return "&"
        case "quot": position = end + 1; return "\""
        case "apos": position = end + 1; return "'"
        default: break
        }
        let isHexadecimal = name.hasPrefix("#x")
        guard name.hasPrefix("#"), name.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let number = UInt32(
                name.dropFirst(isHexadecimal ? 2 : 1),
                radix: isHexadecimal ? 16 : 10
            ),
            let scalar = Unicode.Scalar(number), number > 0
        else { throw failure }
        position = end + 1
        return Character(scalar)
    }

    @discardableResult private mutating func skipSpaces() -> Bool {
        let start = position
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
        return position > start
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(Failure) {
        guard take(byte) else { throw failure }
    }

    private var failure: Failure { Failure(position: position) }
}
