package import PhotoModel

/// Pixels in memory that nobody changes any more: a worker's, mapped read-only from sealed memory, or
/// this process's own.
package final class PixelMemory: Sendable {
    package let description: PixelBufferDescription
    /// Keeps the bytes.
    private let owner: any Sendable & AnyObject
    /// The owner's; never written to.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
    /// Where the bytes begin, for whoever keeps this object as long as it reads them.
    nonisolated(unsafe) package let start: UnsafeRawPointer

    /// Maps the pixels in `descriptor`, which stays the caller's.
    ///
    /// - Returns: nil when the memory is not sealed, has another size, or the description makes no
    ///   sense.
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

    /// Pixels in a block, which is not copied.
    ///
    /// - Returns: nil when the description is not that of as many bytes.
    package init?(description: PixelBufferDescription, block: PixelBlock) {
        guard description.length == block.count else { return nil }
        self.description = description
        owner = block
        start = block.start
        bytes = UnsafeRawBufferPointer(start: block.start, count: block.count)
    }

    /// Runs `body` with the bytes: `bytesPerRow` × height.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        defer { withExtendedLifetime(owner) {} }
        return try body(bytes)
    }
}
