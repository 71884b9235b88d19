package import PhotoModel

/// Immutable pixels in memory, either mapped read-only from a worker's sealed memory or owned by
/// this process.
package final class PixelMemory: Sendable {
    package let description: PixelBufferDescription
    /// The object that keeps the memory valid.
    private let owner: any Sendable & AnyObject
    /// The bytes of the memory, which `owner` keeps valid and which are never written to.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
    /// The address of the first byte, valid while this object is retained.
    nonisolated(unsafe) package let start: UnsafeRawPointer

    /// Maps the pixels in the memory behind `descriptor`, which the caller keeps and must close.
    ///
    /// - Returns: nil when the memory is not sealed, has another size, or the description is
    ///   invalid.
    package init?(description: PixelBufferDescription, descriptor: Int32, maximumSide: Int) {
        let size = description.size
        guard (1...maximumSide).contains(size.width), (1...maximumSide).contains(size.height),
            let length = description.length,
            let memory = SealedMemory(descriptor: descriptor, length: length)
        else { return nil }
        self.description = description
        owner = memory
        start = memory.start
        bytes = UnsafeRawBufferPointer(start: memory.start, count: length)
    }

    /// Creates an instance for the pixels in a block, without copying them.
    ///
    /// - Returns: nil when the description's length differs from the block's.
    package init?(description: PixelBufferDescription, block: PixelBlock) {
        guard description.length == block.count else { return nil }
        self.description = description
        owner = block
        start = block.start
        bytes = UnsafeRawBufferPointer(start: block.start, count: block.count)
    }

    /// Runs `body` with the bytes of all rows, `bytesPerRow` × height in total.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        defer { withExtendedLifetime(owner) {} }
        return try body(bytes)
    }
}

extension PixelMemory {
    /// Indicates whether all pixels are opaque.
    package var isOpaque: Bool {
        guard description.layout != .rgbaHalf else { return isHalfOpaque }
        guard description.layout == .rgba else { return true }
        return withBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            // In little-endian order, alpha is the most significant byte.
            return pixels.allSatisfy { $0 >= 0xff00_0000 }
        }
    }

    /// Indicates whether all half-precision alpha values are at least one.
    private var isHalfOpaque: Bool {
        withBytes { bytes in
            // From one to infinity; negative numbers and NaN have larger bit patterns.
            bytes.bindMemory(to: UInt64.self).allSatisfy { 0x3c00...0x7c00 ~= $0 >> 48 }
        }
    }
}
