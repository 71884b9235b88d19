package import PhotoModel

/// Pixels that a worker answered with, mapped read-only from sealed memory.
package final class PixelMemory: Sendable {
    package let description: PixelBufferDescription
    private let memory: SealedMemory

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
        self.memory = memory
    }

    /// Where the bytes begin, for whoever keeps this object as long as it reads them.
    package var start: UnsafeRawPointer { memory.start }

    /// Runs `body` with the bytes: `bytesPerRow` × height.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        try memory.withBytes(body)
    }
}
