internal import CloudSync

/// The plaintext of an object, padded to hide the exact size of its content.
///
///     compression (0: none) ‖ size, 32 bits ‖ bytes ‖ zeros
enum PaddedBody {
    /// The number of bytes that precede the content.
    private static let headerSize = 5

    /// The maximum size of the content in bytes; the largest objects are packs of 32 MiB.
    static let maximumSize = 64 << 20

    /// Returns the padded size of a body, at least 256 bytes.
    ///
    /// Above 256 bytes, sizes are rounded up to multiples of an eighth of a power of two, so at
    /// most about an eighth of the body is padding.
    static func paddedSize(_ count: Int) -> Int {
        guard count > 256 else { return 256 }
        let exponent = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
        let step = 1 << (exponent - 3)
        return (count + step - 1) / step * step
    }

    static func encode(_ content: [UInt8]) -> [UInt8] {
        var writer = SegmentWriter()
        writer.append(UInt8(0))
        writer.append(counted: content)
        let size = paddedSize(writer.bytes.count)
        return writer.bytes + [UInt8](repeating: 0, count: size - writer.bytes.count)
    }

    static func decode(_ bytes: [UInt8], of object: String) throws(CloudKeyError) -> [UInt8] {
        guard bytes.count >= headerSize else { throw .damaged(object, "Its content is too short.") }
        guard bytes[0] == 0 else { throw .laterVersion(object) }
        let size = bytes[1..<headerSize].reduce(0) { $0 << 8 | Int($1) }
        guard size <= bytes.count - headerSize,
            bytes.count == paddedSize(size + headerSize),
            bytes[(headerSize + size)...].allSatisfy({ $0 == 0 })
        else { throw .damaged(object, "Its padding is wrong.") }
        return Array(bytes[headerSize..<headerSize + size])
    }
}
