import CTurboJPEG
import FoundationEssentials
package import PhotoModel

/// A JPEG whose header has been read, with the codec that decodes it.
package struct OpenedJPEG: ~Copyable {
    package let header: JPEGHeader
    private let jpeg: Data
    private let handle: TurboHandle

    init(header: JPEGHeader, jpeg: Data, handle: consuming TurboHandle) {
        self.header = header
        self.jpeg = jpeg
        self.handle = handle
    }

    /// Returns the codec to the cache, for use with another file.
    ///
    /// The codec remains usable after a failed decode call.
    consuming func close() { handle.keep() }

    /// Decodes into the caller's memory, in rows without padding.
    ///
    /// The fourth byte of each pixel, if the layout has one, is set to 255.
    ///
    /// - Parameters:
    ///   - size: A scaled size of the header.
    ///   - layout: The layout of the pixels.
    ///   - memory: Memory with the length of the pixels.
    /// - Throws: `damaged` for truncated or invalid data, `invalidPixels` for too little memory.
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
                "\(memory.count) bytes are too few for \(size.width) × \(size.height) pixels.",
                recovery: "Pass memory for complete rows."
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
                // Of the four-byte formats, only RGBA documents the value of the last byte.
                layout == .rgbx ? Int32(TJPF_RGBA.rawValue) : layout.turboFormat,
                TJFLAG_STOPONWARNING
            )
        }
        guard result == 0 else {
            throw RenditionCodecError(
                .damaged,
                "A JPEG of \(header.size.width) × \(header.size.height) is damaged.",
                reason: handle.lastError,
                recovery: "Generate the thumbnail again from its original."
            )
        }
    }
}
