/// A random 128-bit name: of an object, a device, a blob, a snapshot or a segment's contents.
package struct CloudID: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(_ high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (left: CloudID, right: CloudID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The name in 32 lower-case hexadecimal digits, as object names contain it.
    package var hexadecimal: String {
        Self.digits(high) + Self.digits(low)
    }

    /// Reads 32 lower-case hexadecimal digits and returns nil for any other text.
    package init?(hexadecimal text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 32 else { return nil }
        var halves: [UInt64] = [0, 0]
        for (index, byte) in bytes.enumerated() {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            halves[index / 16] = halves[index / 16] << 4 | UInt64(digit)
        }
        self.init(halves[0], halves[1])
    }

    /// The name as an upper-case UUID, as libraries contain it.
    package var uuid: String {
        var text = Array(hexadecimal.uppercased())
        for index in [20, 16, 12, 8] { text.insert("-", at: index) }
        return String(text)
    }

    /// Reads an upper-case UUID and returns nil for any other text.
    package init?(uuid text: String) {
        self.init(hexadecimal: text.filter { $0 != "-" }.lowercased())
        guard uuid == text else { return nil }
    }

    private static func digits(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

/// The SHA-256 of a file, by which assets refer to their originals.
package struct ContentID: Hashable, Comparable, Sendable {
    package var first: CloudID
    package var second: CloudID

    package init(_ first: CloudID, _ second: CloudID) {
        self.first = first
        self.second = second
    }

    package static func < (left: ContentID, right: ContentID) -> Bool {
        left.first == right.first ? left.second < right.second : left.first < right.first
    }
}
