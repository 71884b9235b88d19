/// A 128-bit identifier: random for an object, device, blob or snapshot, or the hash of a segment.
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

    /// The identifier as 32 lowercase hexadecimal digits, its form in the names of stored objects.
    package var hexadecimal: String { text("0123456789abcdef", hyphens: 0) }

    /// Parses 32 lowercase hexadecimal digits; nil for any other text.
    package init?(hexadecimal text: some StringProtocol) {
        var reader = DigitReader(letters: UInt8(ascii: "a"))
        for byte in text.utf8 where !reader.take(byte) { return nil }
        guard let id = reader.id else { return nil }
        self = id
    }

    /// The identifier as an uppercase UUID, its form in libraries.
    package var uuid: String { text("0123456789ABCDEF", hyphens: Self.hyphens) }

    /// Parses an uppercase UUID; nil for any other text.
    package init?(uuid text: String) {
        var reader = DigitReader(letters: UInt8(ascii: "A"))
        var place = 0
        for byte in text.utf8 {
            if place < 64, Self.hyphens >> place & 1 == 1 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else if !reader.take(byte) {
                return nil
            }
            place += 1
        }
        guard place == 36, let id = reader.id else { return nil }
        self = id
    }

    /// The positions of the hyphens in a UUID, as a bit set.
    private static let hyphens: UInt64 = 1 << 8 | 1 << 13 | 1 << 18 | 1 << 23

    private func text(_ digits: StaticString, hyphens: UInt64) -> String {
        let count = 32 + hyphens.nonzeroBitCount
        return String(unsafeUninitializedCapacity: count) { buffer in
            var taken = 0
            for place in 0..<count {
                if hyphens >> place & 1 == 1 {
                    buffer[place] = UInt8(ascii: "-")
                    continue
                }
                let half = taken < 16 ? high : low
                let digit = half >> (60 - 4 * UInt64(taken & 15)) & 15
                buffer[place] = digits.utf8Start[Int(digit)]
                taken += 1
            }
            return count
        }
    }

    /// A parser that builds an identifier from hexadecimal digits.
    private struct DigitReader {
        /// The letter for the digit ten: `a` or `A`.
        let letters: UInt8
        private var halves: (high: UInt64, low: UInt64) = (0, 0)
        private var count = 0

        init(letters: UInt8) { self.letters = letters }

        /// The identifier; nil unless exactly 32 digits were taken.
        var id: CloudID? { count == 32 ? CloudID(halves.high, halves.low) : nil }

        /// Adds a digit; returns false if the byte is not a digit or if 32 digits have already been
        /// added.
        mutating func take(_ byte: UInt8) -> Bool {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case letters..<letters + 6: digit = byte - letters + 10
            default: return false
            }
            guard count < 32 else { return false }
            if count < 16 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
            count += 1
            return true
        }
    }
}

extension CloudID {
    /// The 16 bytes of the identifier.
    package var bytes: [UInt8] {
        [high, low].flatMap { half in withUnsafeBytes(of: half.bigEndian, Array.init) }
    }

    /// Creates an identifier from 16 bytes; nil for any other number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let halves = [bytes.prefix(8), bytes.dropFirst(8)].map { half in
            half.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        self.init(halves[0], halves[1])
    }

    /// Creates a random identifier.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(generator.next(), generator.next())
    }
}

/// The SHA-256 of a file's content, with which assets refer to their originals.
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

extension ContentID {
    /// Creates a content identifier from the 32 bytes of a SHA-256; returns nil for any other
    /// number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32, let first = CloudID(bytes: bytes.prefix(16)),
            let second = CloudID(bytes: bytes.dropFirst(16))
        else { return nil }
        self.init(first, second)
    }

    /// The SHA-256.
    package var bytes: [UInt8] { first.bytes + second.bytes }
}
