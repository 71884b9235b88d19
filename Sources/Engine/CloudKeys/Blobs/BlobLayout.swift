/// The layout of a blob's frames.
///
///     "spb1" ‖ cipher ‖ frame 0 ‖ frame 1 ‖ …
///
/// Each frame has 1 MiB of the file and a tag; the last one may be shorter. An empty file has one
/// empty frame.
package struct BlobLayout: Hashable, Sendable {
    package static let frameSize = 1 << 20
    package static let headerSize = 5
    private static let sealedFrameSize = Int64(frameSize + ObjectCipher.tagSize)

    /// The maximum size of an unencrypted file: 2⁴⁸ bytes.
    package static let maximumSize = Int64(1) << 48

    /// The size of the unencrypted file in bytes.
    package let size: Int64

    /// Creates the layout for a file of a given size; returns nil if the size is negative or too
    /// large.
    package init?(size: Int64) {
        guard 0...Self.maximumSize ~= size else { return nil }
        self.size = size
    }

    package var frameCount: Int64 {
        max(1, (size + Int64(Self.frameSize) - 1) / Int64(Self.frameSize))
    }

    /// The size of the encrypted object in bytes.
    package var sealedSize: Int64 {
        Int64(Self.headerSize) + size + frameCount * Int64(ObjectCipher.tagSize)
    }

    /// Returns the range of the unencrypted file that a frame contains.
    package func plainRange(of frame: Int64) -> Range<Int64> {
        let start = frame * Int64(Self.frameSize)
        return start..<min(start + Int64(Self.frameSize), size)
    }

    /// Returns the range of the encrypted object that a frame occupies, for a partial download.
    package func sealedRange(of frame: Int64) -> Range<Int64> {
        let start = Int64(Self.headerSize) + frame * Self.sealedFrameSize
        return start..<min(start + Self.sealedFrameSize, sealedSize)
    }

    /// Returns the number of whole frames at the beginning of a file that may be incomplete.
    ///
    /// - Parameter count: The number of bytes in the file.
    /// - Returns: 0 for a file that has more bytes than the unencrypted file.
    package func wholeFrames(in count: Int64) -> Int64 {
        if count == size, size > 0 { return frameCount }
        return 0..<size ~= count ? count / Int64(Self.frameSize) : 0
    }

    func isLast(_ frame: Int64) -> Bool { frame == frameCount - 1 }
}
