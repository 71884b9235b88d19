import CTurboJPEG
package import FoundationEssentials
import Glibc
package import PhotoModel

/// A decoder for the JPEG files that ``JPEGEncoder`` wrote.
///
/// The worker decodes files from other sources. This decoder is not meant for untrusted input,
/// although damaged data cause an error and never a trap. It is stateless and can be used on any
/// thread.
package enum JPEGDecoder {
    /// Reads the size from the header without decoding.
    ///
    /// - Throws: `notJPEG`, or `unsupportedColors` for CMYK.
    package static func header(of jpeg: Data) throws(RenditionCodecError) -> JPEGHeader {
        let handle = try TurboHandle.decompressor()
        let header = try readHeader(of: jpeg, handle: handle)
        handle.keep()
        return header
    }

    /// Decodes an image at the smallest size that the codec offers and that covers `wanted`.
    ///
    /// The codec downscales in eighths while decoding and keeps the aspect ratio. The result has
    /// the full size if `wanted` is nil or larger than the image; the image is never enlarged.
    ///
    /// - Throws: `notJPEG`, `unsupportedColors`, `damaged` for truncated or invalid data,
    ///   `outOfMemory`.
    package static func decode(
        _ jpeg: Data,
        covering wanted: PixelSize? = nil,
        layout: PixelLayout = .rgb
    ) throws(RenditionCodecError) -> DecodedPixels {
        let header = try header(of: jpeg)
        let size = wanted.map(header.scaledSize(covering:)) ?? header.size
        let count = size.width * size.height * layout.bytesPerPixel
        guard let memory = malloc(count) else {
            throw RenditionCodecError(
                .outOfMemory,
                "An image of \(size.width) × \(size.height) pixels does not fit into memory.",
                recovery: "Request a smaller size."
            )
        }
        do {
            try decode(
                jpeg,
                size: size,
                layout: layout,
                into: UnsafeMutableRawBufferPointer(start: memory, count: count)
            )
        } catch {
            free(memory)
            throw error
        }
        let bytes = Data(bytesNoCopy: memory, count: count, deallocator: .free)
        return DecodedPixels(bytes: bytes, size: size, layout: layout)
    }

    /// Decodes into the caller's memory, in rows without padding.
    ///
    /// The fourth byte of each pixel, if the layout has one, is set to 255.
    ///
    /// - Parameters:
    ///   - jpeg: The file.
    ///   - size: A scaled size of its header.
    ///   - layout: The layout of the pixels.
    ///   - memory: Memory with the length of the pixels.
    /// - Throws: The errors of `decode(_:covering:layout:)`.
    package static func decode(
        _ jpeg: Data,
        size: PixelSize,
        layout: PixelLayout,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(RenditionCodecError) {
        try withOpened(jpeg) { opened throws(RenditionCodecError) in
            try opened.decode(to: size, layout: layout, into: memory)
        }
    }

    /// Runs `body` with a JPEG whose header has been read.
    ///
    /// - Throws: `notJPEG`, `unsupportedColors` for CMYK, and the errors of `body`.
    package static func withOpened<Result>(
        _ jpeg: Data,
        _ body: (borrowing OpenedJPEG) throws(RenditionCodecError) -> Result
    ) throws(RenditionCodecError) -> Result {
        let handle = try TurboHandle.decompressor()
        let header = try readHeader(of: jpeg, handle: handle)
        let opened = OpenedJPEG(header: header, jpeg: jpeg, handle: handle)
        let result = try body(opened)
        opened.close()
        return result
    }

    private static func readHeader(
        of jpeg: Data,
        handle: borrowing TurboHandle
    ) throws(RenditionCodecError) -> JPEGHeader {
        var width: Int32 = 0
        var height: Int32 = 0
        var subsampling: Int32 = 0
        var colors: Int32 = 0
        let pointer = handle.pointer
        let result = jpeg.withUnsafeBytes { buffer in
            tjDecompressHeader3(
                pointer,
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt(buffer.count),
                &width,
                &height,
                &subsampling,
                &colors
            )
        }
        guard result == 0, width > 0, height > 0 else {
            throw RenditionCodecError(
                .notJPEG,
                "\(jpeg.count) bytes are not a JPEG.",
                reason: jpeg.isEmpty ? "The data is empty." : handle.lastError,
                recovery: "Generate the thumbnail again from its original."
            )
        }
        let isCMYK = colors == TJCS_CMYK.rawValue || colors == TJCS_YCCK.rawValue
        guard !isCMYK else {
            throw RenditionCodecError(
                .unsupportedColors,
                "A JPEG of \(width) × \(height) is in CMYK.",
                recovery: "Thumbnails are in sRGB: generate it again from its original."
            )
        }
        return JPEGHeader(
            size: PixelSize(width: Int(width), height: Int(height)),
            isGray: colors == TJCS_GRAY.rawValue
        )
    }
}
