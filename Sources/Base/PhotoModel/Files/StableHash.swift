/// A hash that is the same in every process and on every machine: 64-bit FNV-1a.
///
/// It is not cryptographic: collisions are easy to construct.
package struct StableHash: Sendable {
    /// The hash of the bytes added so far.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Appends bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// Appends an integer, its lowest byte first.
    package mutating func add(_ integer: some FixedWidthInteger) {
        withUnsafeBytes(of: integer.littleEndian) { add($0) }
    }

    /// Returns the hash of bytes.
    package static func value(of bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        hash.add(bytes)
        return hash.value
    }
}

extension String {
    /// The hash of the text in hexadecimal, for file names.
    package var stableHash: String { String(StableHash.value(of: utf8), radix: 16) }
}
