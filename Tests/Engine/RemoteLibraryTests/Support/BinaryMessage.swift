/// Builds messages in the binary form byte by byte, as a hostile peer can.
struct BinaryMessage {
    static let null: UInt8 = 0xC0
    static let yes: UInt8 = 0xC2
    static let int64: UInt8 = 0xC6
    static let uint64: UInt8 = 0xC7
    static let rowIDs: UInt8 = 0xCD
    static let map: UInt8 = 0xCE
    static let list: UInt8 = 0xCF
    static let records: UInt8 = 0xD0
    static let wideKey: UInt8 = 0xF0
    static let inlineKey: UInt8 = 0xF1

    /// Returns a message with a value and names of keys.
    static func message(_ value: [UInt8], names: [String] = []) -> [UInt8] {
        little(UInt32(value.count)) + value
            + names.flatMap { little(UInt16($0.utf8.count)) + Array($0.utf8) }
    }

    /// Returns a short text.
    static func text(_ text: String) -> [UInt8] {
        [0x80 + UInt8(text.utf8.count)] + Array(text.utf8)
    }

    static func map(_ entries: [UInt8]...) -> [UInt8] {
        let entries = entries.flatMap { $0 }
        return [map] + little(UInt32(entries.count)) + entries
    }

    static func list(_ values: [UInt8]..., count: UInt32? = nil) -> [UInt8] {
        let bytes = values.flatMap { $0 }
        return [list] + little(UInt32(bytes.count + 4)) + little(count ?? UInt32(values.count))
            + bytes
    }

    static func little(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// The end of a message's value, after which its names follow.
    static func valueEnd(_ message: [UInt8]) -> Int {
        4 + message.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
