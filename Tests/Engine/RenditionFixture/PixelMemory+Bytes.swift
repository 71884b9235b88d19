package import PhotoModel
import Testing
package import WorkerClient

extension PixelMemory {
    /// Copies bytes into memory of this process.
    package static func holding(
        _ bytes: [UInt8],
        _ description: PixelBufferDescription
    ) throws -> PixelMemory {
        let block = PixelBlock(count: bytes.count) {
            $0.copyBytes(from: bytes)
            return true
        }
        let made = try #require(block)
        return try #require(PixelMemory(description: description, block: made))
    }
}
