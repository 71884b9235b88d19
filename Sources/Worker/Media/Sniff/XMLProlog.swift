/// The root element of an XML document, found without parsing the document's content.
///
/// Only the prolog is read: a byte order mark, white space, the XML declaration, processing
/// instructions such as `<?xpacket …?>`, comments and a document type. Bytes with anything else
/// before the root element, or with a prolog longer than ``limitInBytes``, are not an XML document.
struct XMLProlog {
    /// The maximum length of the prolog in bytes, including the root element's tag.
    static let limitInBytes = 64 << 10

    /// The root element's qualified name, such as `x:xmpmeta`.
    let rootName: String
    /// The root element's namespace; nil if the element's tag does not declare it.
    let rootNamespace: String?
    /// Indicates whether a document type declaration precedes the root element.
    let hasDocumentType: Bool
    /// The offset of the root element in bytes.
    let rootOffset: Int
    let encoding: Encoding

    /// A kind of character encoding that can be detected without an encoding declaration.
    enum Encoding {
        /// UTF-8, or another encoding that represents ASCII in single bytes.
        case bytes
        case utf16(isBigEndian: Bool)
        case utf32(isBigEndian: Bool)

        /// The number of bytes per ASCII character.
        var width: Int {
            switch self {
            case .bytes: 1
            case .utf16: 2
            case .utf32: 4
            }
        }

        /// The index of the nonzero byte within the bytes of an ASCII character.
        var position: Int {
            switch self {
            case .bytes, .utf16(isBigEndian: false), .utf32(isBigEndian: false): 0
            case .utf16(isBigEndian: true): 1
            case .utf32(isBigEndian: true): 3
            }
        }
    }

    /// The root element's name without its prefix.
    var localName: Substring {
        rootName.firstIndex(of: ":").map { rootName[rootName.index(after: $0)...] }
            ?? rootName[...]
    }

    /// Parses the prolog; returns nil for bytes that do not begin an XML document.
    init?(_ bytes: ByteView) {
        let (encoding, start) = Self.encoding(bytes)
        var scanner = Scanner(characters: Self.characters(bytes, encoding, start))
        guard let root = scanner.root() else { return nil }
        (rootName, rootNamespace) = (root.name, root.namespace)
        hasDocumentType = scanner.hasDocumentType
        rootOffset = start + scanner.rootPosition * encoding.width
        self.encoding = encoding
    }

    // MARK: - Encodings

    /// Returns the first characters of a document, with 0xff for characters outside ASCII.
    ///
    /// For the case `bytes`, the exact encoding need not be known, because all such encodings
    /// represent ASCII identically.
    private static func characters(
        _ bytes: ByteView,
        _ encoding: Encoding,
        _ start: Int
    ) -> [UInt8] {
        let (width, position) = (encoding.width, encoding.position)
        let head = bytes.available(at: start, length: limitInBytes)
        guard width > 1 else { return head.bytes.map { $0 < 0x80 ? $0 : 0xff } }
        return stride(from: 0, to: head.count - width + 1, by: width).map { offset in
            let unit = head.bytes[offset..<offset + width]
            let character = unit[unit.startIndex + position]
            let isASCII =
                character < 0x80
                && unit.indices.allSatisfy { $0 == unit.startIndex + position || unit[$0] == 0 }
            return isASCII ? character : 0xff
        }
    }

    /// Detects the encoding and the offset of the first character.
    ///
    /// The encoding is detected from a byte order mark or else from the first `<`.
    private static func encoding(_ bytes: ByteView) -> (encoding: Encoding, start: Int) {
        let head = (0..<4).map { bytes.byte(at: $0) }
        switch (head[0], head[1], head[2], head[3]) {
        case (0x00, 0x00, 0xfe, 0xff): return (.utf32(isBigEndian: true), 4)
        case (0xff, 0xfe, 0x00, 0x00): return (.utf32(isBigEndian: false), 4)
        case (0x00, 0x00, 0x00, 0x3c): return (.utf32(isBigEndian: true), 0)
        case (0x3c, 0x00, 0x00, 0x00): return (.utf32(isBigEndian: false), 0)
        case (0xfe, 0xff, _, _): return (.utf16(isBigEndian: true), 2)
        case (0xff, 0xfe, _, _): return (.utf16(isBigEndian: false), 2)
        case (0x00, 0x3c, _, _): return (.utf16(isBigEndian: true), 0)
        case (0x3c, 0x00, _, _): return (.utf16(isBigEndian: false), 0)
        case (0xef, 0xbb, 0xbf, _): return (.bytes, 3)
        default: return (.bytes, 0)
        }
    }

    // MARK: - Scanning

    private struct Scanner {
        let characters: [UInt8]
        var position = 0
        var rootPosition = 0
        var hasDocumentType = false

        init(characters: [UInt8]) { self.characters = characters }

        mutating func root() -> (name: String, namespace: String?)? {
            while true {
                skipSpace()
                rootPosition = position
                guard skip("<") else { return nil }
                if skip("?") {
                    guard skip(past: "?>") else { return nil }
                } else if skip("!--") {
                    guard skip(past: "-->") else { return nil }
                } else if skip("!DOCTYPE") || skip("!doctype") {
                    hasDocumentType = true
                    guard skipDocumentType() else { return nil }
                } else {
                    return tag()
                }
            }
        }

        /// Parses a tag after its `<`; returns the element's name and namespace.
        private mutating func tag() -> (name: String, namespace: String?)? {
            let name = name()
            guard let first = name.utf8.first, Self.canBeginName(first) else { return nil }
            let prefix = name.firstIndex(of: ":").map { name[..<$0] }
            let declaration = prefix.map { "xmlns:\($0)" } ?? "xmlns"
            var namespace: String?
            while true {
                skipSpace()
                if skip(">") || skip("/>") { return (name, namespace) }
                let attribute = self.name()
                guard !attribute.isEmpty else { return nil }
                skipSpace()
                guard skip("=") else { return nil }
                skipSpace()
                guard let value = quoted() else { return nil }
                if attribute == declaration { namespace = value }
            }
        }

        private mutating func name() -> String {
            let start = position
            while position < characters.count, Self.canBeInName(characters[position]) {
                position += 1
            }
            return String(decoding: characters[start..<position], as: UTF8.self)
        }

        private mutating func quoted() -> String? {
            guard position < characters.count, [0x22, 0x27].contains(characters[position]),
                let end = characters[(position + 1)...].firstIndex(of: characters[position])
            else { return nil }
            defer { position = end + 1 }
            return String(decoding: characters[(position + 1)..<end], as: UTF8.self)
        }

        /// Skips to the end of a document type, including its internal subset in brackets.
        private mutating func skipDocumentType() -> Bool {
            var depth = 0
            while position < characters.count {
                switch characters[position] {
                case 0x22, 0x27:
                    guard quoted() != nil else { return false }
                    continue
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ">") where depth <= 0:
                    position += 1
                    return true
                default: break
                }
                position += 1
            }
            return false
        }

        private mutating func skipSpace() {
            while position < characters.count,
                [0x20, 0x09, 0x0a, 0x0d].contains(characters[position])
            {
                position += 1
            }
        }

        private mutating func skip(_ text: StaticString) -> Bool {
            let count = text.utf8CodeUnitCount
            guard characters.count - position >= count,
                text.withUTF8Buffer({ characters[position..<position + count].elementsEqual($0) })
            else { return false }
            position += count
            return true
        }

        private mutating func skip(past text: StaticString) -> Bool {
            while position < characters.count {
                if skip(text) { return true }
                position += 1
            }
            return false
        }

        private static func canBeginName(_ character: UInt8) -> Bool {
            canBeInName(character) && !(0x2d...0x39).contains(character)
        }

        private static func canBeInName(_ character: UInt8) -> Bool {
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "."), 0xff:
                true
            default: false
            }
        }
    }
}
