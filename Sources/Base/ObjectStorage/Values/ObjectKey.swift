/// The name of an object, relative to the root of its store.
///
/// A key has one to eight parts with a slash between them. A part consists of lower-case letters,
/// digits and hyphens, so that keys are file names on every file system and need no escaping in a
/// URL.
package struct ObjectKey: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of bytes of a key.
    package static let maximumLength = 512

    package let text: String

    /// Creates a key from text that a store sent; returns nil for invalid keys, such as those of
    /// other programs.
    package init?(validating text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumLength, parts.count <= 8,
            parts.allSatisfy({ 1...255 ~= $0.count && $0.allSatisfy(Self.isAllowed) })
        else { return nil }
        self.text = text
    }

    /// Creates a key; throws `invalidName` for text that is not a valid key.
    package init(_ text: String) throws(ObjectStoreError) {
        guard let key = ObjectKey(validating: text) else { throw .invalidName(text) }
        self = key
    }

    /// The parts between the slashes.
    package var parts: [String] { text.split(separator: "/").map(String.init) }

    package var description: String { text }

    package static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ObjectKey: Comparable {
    /// Compares keys by their bytes, the order in which all stores sort.
    package static func < (left: ObjectKey, right: ObjectKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// A prefix of keys: empty text for all keys, or parts that each end with a slash.
package struct ObjectPrefix: Hashable, Sendable, CustomStringConvertible {
    package static let all = ObjectPrefix()

    package let text: String

    private init() { text = "" }

    /// Creates a prefix such as `log/`; throws `invalidName` for text that is not a valid prefix.
    package init(_ text: String) throws(ObjectStoreError) {
        guard text.utf8.last == UInt8(ascii: "/"),
            ObjectKey(validating: String(text.dropLast())) != nil
        else { throw .invalidName(text) }
        self.text = text
    }

    package func contains(_ key: ObjectKey) -> Bool { key.text.utf8.starts(with: text.utf8) }

    /// The parts between the slashes.
    package var parts: [String] { text.split(separator: "/").map(String.init) }

    package var description: String { text.isEmpty ? "all objects" : text }
}

extension ObjectKey: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let key = ObjectKey(validating: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "No key.")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension ObjectPrefix: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = text.isEmpty ? .all : try ObjectPrefix(text)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension ObjectStoreError {
    package static func invalidName(_ text: String) -> ObjectStoreError {
        ObjectStoreError(
            .invalidName,
            "“\(printable(text))” is not the name of an object.",
            recovery: "Use lower-case letters, digits and hyphens, with slashes between the parts."
        )
    }
}
