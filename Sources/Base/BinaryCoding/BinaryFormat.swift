/// The layout of messages in binary form, with its tags and limits.
///
///     message = length u32 · value · keys
///     value   = 00…7F                           the number itself
///             | nil | false | true
///             | int8 · 1 … int64 · 8 | uint64 · 8
///             | float · 4 | double · 8 | date · 8   seconds since 2001-01-01 as a double
///             | 80+n · n bytes of UTF-8         a text of n bytes, below 64
///             | text · length u32 · bytes | data · length u32 · bytes
///             | rowIDs · length u32 · 8 bytes each
///             | map · length u32 · (key · value)…
///             | list · length u32 · count u32 · value…
///             | records · length u32 · the layout of `AssetRecordLayout`
///     key     = 00…EF | wideKey · index u16 | inlineKey · value (a text)
///     keys    = (length u16 · bytes of UTF-8)…  the names of keys, by index
///
/// `length` at the start of a message is that of its value. All numbers are little-endian. A length
/// counts the bytes after itself, so that unknown values are skipped in one step.
enum BinaryFormat {
    /// The tags of values, and the bounds of the tag ranges for small numbers and short texts.
    enum Tag {
        static let lastSmallNumber: UInt8 = 0x7F
        static let firstShortText: UInt8 = 0x80
        static let lastShortText: UInt8 = 0xBF
        static let null: UInt8 = 0xC0
        static let no: UInt8 = 0xC1
        static let yes: UInt8 = 0xC2
        static let int8: UInt8 = 0xC3
        static let int16: UInt8 = 0xC4
        static let int32: UInt8 = 0xC5
        static let int64: UInt8 = 0xC6
        static let uint64: UInt8 = 0xC7
        static let float: UInt8 = 0xC8
        static let double: UInt8 = 0xC9
        static let date: UInt8 = 0xCA
        static let text: UInt8 = 0xCB
        static let data: UInt8 = 0xCC
        static let rowIDs: UInt8 = 0xCD
        static let map: UInt8 = 0xCE
        static let list: UInt8 = 0xCF
        static let records: UInt8 = 0xD0
    }

    /// The first bytes of map keys whose encoding is longer than one byte.
    enum KeyTag {
        static let firstReserved: UInt8 = 0xF0
        static let wide: UInt8 = 0xF0
        static let inline: UInt8 = 0xF1
    }

    /// The largest number of names in a message.
    static let maximumKeyCount = 4_096

    /// The length in bytes of the header, which precedes the value of a message.
    static let headerLength = 4

    /// Returns the number of bytes that follow the tag of a value; nil for unknown tags.
    ///
    /// For values with a length field, the result counts only that field.
    @inline(__always)
    static func fixedLength(after tag: UInt8) -> Int? {
        if tag <= Tag.lastSmallNumber { return 0 }
        if tag <= Tag.lastShortText { return Int(tag - Tag.firstShortText) }
        switch tag {
        case Tag.null, Tag.no, Tag.yes: return 0
        case Tag.int8: return 1
        case Tag.int16: return 2
        case Tag.int32, Tag.float: return 4
        case Tag.int64, Tag.uint64, Tag.double, Tag.date: return 8
        case Tag.text...Tag.records: return 4
        default: return nil
        }
    }

    /// Returns whether values with the given tag have a length field.
    @inline(__always)
    static func hasLength(_ tag: UInt8) -> Bool { tag >= Tag.text }
}

/// The limits of a coder.
package struct CodingLimits: Hashable, Sendable {
    /// The maximum nesting depth of maps and lists.
    ///
    /// Each level of a predicate takes three levels of nesting, and the engine accepts 90 levels of
    /// predicates.
    package var depth = 320
    /// The maximum number of bytes of memory that a decoded value may take, per byte of its
    /// message.
    package var memoryPerByte = 4
    /// The memory in bytes that a decoded value may take beyond the limit set by `memoryPerByte`.
    ///
    /// Short messages may contain many nils, which need more memory than message bytes.
    package var additionalMemory = 1 << 20
    /// Indicates whether decoding rejects infinite numbers and NaN.
    package var requiresFiniteNumbers = false

    package init() {}
}
