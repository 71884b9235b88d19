/// A digest with which the two ends of a connection identify a list of row ids.
///
/// Lists with the same digest are assumed to be equal. The digest is not cryptographic: a client
/// that constructs a collision can only confuse its own lists.
package struct RowIDDigest: Codable, Hashable, Sendable {
    /// The number of row ids.
    package var count: Int
    package var high: UInt64
    package var low: UInt64

    package init(count: Int, high: UInt64, low: UInt64) {
        self.count = count
        self.high = high
        self.low = low
    }

    /// Computes the digest of a list; a million row ids take less than a millisecond.
    package init(_ list: RowIDBuffer) {
        // Four lanes, so that the multiplications do not wait for each other.
        var (first, second, third, fourth) = (Self.seed, ~Self.seed, Self.prime, ~Self.prime)
        list.ids.withUnsafeBufferPointer { ids in
            let whole = ids.count & ~3
            var index = 0
            while index < whole {
                first = Self.mixed(first, ids[index])
                second = Self.mixed(second, ids[index + 1])
                third = Self.mixed(third, ids[index + 2])
                fourth = Self.mixed(fourth, ids[index + 3])
                index += 4
            }
            while index < ids.count {
                first = Self.mixed(first, ids[index])
                index += 1
            }
        }
        self.init(
            count: list.count,
            high: Self.mixed(
                Self.mixed(first, Int64(bitPattern: second)),
                Int64(bitPattern: third)
            ),
            low: Self.mixed(Self.mixed(fourth, Int64(bitPattern: third)), Int64(bitPattern: first))
        )
    }

    private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let prime: UInt64 = 0xD6E8_FEB8_6659_FD93

    @inline(__always)
    private static func mixed(_ state: UInt64, _ id: Int64) -> UInt64 {
        let product = (state ^ UInt64(bitPattern: id)) &* prime
        return product ^ (product >> 29)
    }
}
