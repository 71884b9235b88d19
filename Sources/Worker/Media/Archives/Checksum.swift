internal import CZlib

/// A CRC-32 checksum that is updated incrementally.
struct Checksum {
    private(set) var value: UInt32

    init(_ value: UInt32 = 0) { self.value = value }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count <= 1 << 30 else { return }
        value = UInt32(
            truncatingIfNeeded: crc32(
                uLong(value),
                start.assumingMemoryBound(to: UInt8.self),
                uInt(bytes.count)
            )
        )
    }
}
