internal import CZlib

/// Decompression of zlib streams, up to a limit.
enum Inflate {
    /// The maximum decompressed size; larger data indicate a decompression bomb, not metadata.
    static let limitInBytes = 4 << 20

    static func unpack(_ packed: ByteView) -> [UInt8]? {
        guard let source = packed.bytes.baseAddress, packed.count > 0 else { return nil }
        // Text rarely compresses to less than a tenth of its size; the buffer grows if needed.
        var room = min(max(packed.count * 8, 4096), limitInBytes)
        while true {
            var length = uLongf(room)
            var code = Z_OK
            let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                code = uncompress(
                    buffer.baseAddress,
                    &length,
                    source.assumingMemoryBound(to: UInt8.self),
                    uLong(packed.count)
                )
                count = code == Z_OK ? Int(length) : 0
            }
            if code == Z_OK { return bytes }
            guard code == Z_BUF_ERROR, room < limitInBytes else { return nil }
            room = min(room * 8, limitInBytes)
        }
    }
}
