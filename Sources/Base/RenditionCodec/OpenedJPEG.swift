import CTurboJPEG
import FoundationEssentials
package import PhotoModel

/// A JPEG whose header has been read, and the codec that decodes it.
package struct OpenedJPEG: ~Copyable {
    package let header: JPEGHeader
    private let jpeg: Data
    private let handle: TurboHandle

    init(header: JPEGHeader, jpeg: Data, handle: consuming TurboHandle) {
        self.header = header
        self.jpeg = jpeg
        self.handle = handle
    }

    /// Keeps the codec for another file.
    ///
    /// A decoding that failed has ended for the codec, too.
    consuming func close() { handle.keep() }

    /// Decodes into memory of the caller's: rows without padding; a fourth byte becomes 255.
    ///
    /// - Parameters:
    ///   - size: One that the header gives as scaled.
    ///   - layout: Of the pixels.
    ///   - memory: As many bytes as the pixels have.
    /// - Throws: `damaged` for data that end early or do not decode, `invalidPixels` for too little
    ///   memory.
    package borrowing func decode(
        to size: PixelSize,
        layout: PixelLayout,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(RenditionCodecError) {
        guard let start = memory.baseAddress,
            memory.count >= size.width * size.height * layout.bytesPerPixel
        else {
            throw RenditionCodecError(
                .invalidPixels,
                "\(memory.count) bytes do not hold \(size.width) × \(size.height) pixels.",
                recovery: "Hand over memory for whole rows."
            )
        }
        let pointer = handle.pointer
        let result = jpeg.withUnsafeBytes { buffer in
            tjDecompress2(
                pointer,
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt(buffer.count),
                start.assumingMemoryBound(to: UInt8.self),
                Int32(size.width),
                Int32(size.width * layout.bytesPerPixel),
                Int32(size.height),
                // Of four bytes the one whose last is documented.
                layout == .rgbx ? Int32(TJPF_RGBA.rawValue) : layout.turboFormat,
                TJFLAG_STOPONWARNING
            )
        }
        guard result == 0 else {
            throw RenditionCodecError(
                .damaged,
                "A JPEG of \(header.size.width) × \(header.size.height) is damaged.",
                reason: handle.lastError,
                recovery: "Make the rendition again from its original."
            )
        }
    }
}
