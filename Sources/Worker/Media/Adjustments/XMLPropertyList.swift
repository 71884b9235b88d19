/// The strings, data, integers and Booleans in the top-level dictionary of an XML property list.
///
/// Parsing stops at the first malformed part; the members before it are kept.
struct XMLPropertyList {
    private(set) var members: [String: PropertyListValue] = [:]
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ view: ByteView) {
        bytes = view.bytes
        guard let dictionary = tag(), dictionary.name == "plist", tag()?.name == "dict" else {
            return
        }
        while let key = tag(), key.name == "key", let name = content(of: "key").flatMap(Self.text),
            let value = tag(), let read = self.value(value)
        {
            if members[name] == nil { members[name] = read }
        }
    }

    private struct Tag {
        var name: String
        var isEmpty: Bool
    }

    /// Returns the next opening or closing tag, skipping declarations and comments.
    private mutating func tag() -> Tag? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let isComment = bytes[start...].starts(with: Array("<!--".utf8))
            let terminator = Array((isComment ? "-->" : ">").utf8)
            guard let end = index(of: terminator, from: start) else { return nil }
            position = end + terminator.count
            let body = bytes[(start + 1)..<end]
            if isComment || body.first == UInt8(ascii: "?") || body.first == UInt8(ascii: "!") {
                continue
            }
            let isEmpty = body.last == UInt8(ascii: "/")
            let name = body.prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
            let text = String(decoding: name, as: UTF8.self)
            return Tag(
                name: isEmpty && text.hasSuffix("/") ? String(text.dropLast()) : text,
                isEmpty: isEmpty
            )
        }
        return nil
    }

    /// Reads the value that begins with a tag; returns nil if the value is malformed.
    private mutating func value(_ tag: Tag) -> PropertyListValue? {
        switch tag.name {
        case "string":
            if tag.isEmpty { return .text("") }
            return content(of: "string").flatMap(Self.text).map(PropertyListValue.text)
        case "data":
            if tag.isEmpty { return .data([]) }
            return content(of: "data").flatMap(Base64.decode).map(PropertyListValue.data)
        case "true", "false":
            guard tag.isEmpty || content(of: tag.name) != nil else { return nil }
            return .flag(tag.name == "true")
        case "integer":
            if tag.isEmpty { return .other }
            guard let digits = content(of: "integer") else { return nil }
            return Self.text(digits).flatMap { Int($0) }.map(PropertyListValue.number) ?? .other
        case "dict", "array":
            guard !tag.isEmpty else { return .other }
            var depth = 1
            while depth > 0 {
                guard let inner = self.tag() else { return nil }
                if inner.isEmpty { continue }
                if ["dict", "array"].contains(inner.name) { depth += 1 }
                if ["/dict", "/array"].contains(inner.name) { depth -= 1 }
            }
            return .other
        case _ where tag.name.hasPrefix("/"): return nil
        default: return tag.isEmpty || content(of: tag.name) != nil ? .other : nil
        }
    }

    /// Returns the content of the current element up to its closing tag.
    private mutating func content(of name: String) -> Slice<UnsafeRawBufferPointer>? {
        let terminator = Array("</\(name)>".utf8)
        guard let end = index(of: terminator, from: position) else { return nil }
        defer { position = end + terminator.count }
        return bytes[position..<end]
    }

    private func index(of needle: [UInt8], from start: Int) -> Int? {
        var from = start
        while let found = bytes[from...].firstIndex(of: needle[0]) {
            if bytes[found...].starts(with: needle) { return found }
            from = found + 1
        }
        return nil
    }

    /// Resolves the five named entities and numeric references in a text; returns nil if it is
    /// malformed.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        guard let raw = String(validating: bytes, as: UTF8.self), !raw.contains("<") else {
            return nil
        }
        guard raw.contains("&") else { return raw }
        var result = ""
        var rest = Substring(raw)
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            guard let end = rest[mark...].firstIndex(of: ";"),
                let scalar = scalar(rest[rest.index(after: mark)..<end])
            else { return nil }
            result.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func scalar(_ entity: Substring) -> Unicode.Scalar? {
        switch entity {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let isHexadecimal = entity.hasPrefix("#x")
            let digits = entity.dropFirst(isHexadecimal ? 2 : 1)
            return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }
}

/// The Base64 encoding.
enum Base64 {
    /// Decodes Base64, ignoring whitespace; returns nil for invalid text.
    static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for character in text {
            let value: UInt8
            switch character {
            case 0x09, 0x0a, 0x0d, 0x20: continue
            case UInt8(ascii: "="):
                padding += 1
                continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 97 + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - 48 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count == 4 {
                result += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
                (bits, count) = (0, 0)
            }
        }
        switch (count, padding) {
        case (0, 0): break
        case (2, 0...2): result.append(UInt8(bits >> 4 & 255))
        case (3, 0...1): result += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default: return nil
        }
        return result
    }
}
