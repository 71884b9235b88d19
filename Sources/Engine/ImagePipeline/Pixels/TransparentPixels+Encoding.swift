internal import Foundation
internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient

extension TransparentPixels {
    /// The JPEG quality for the alpha channel, where errors are more visible than in colors.
    private static let alphaQuality = 95

    /// Encodes the colors and the alpha of an image.
    static func encode(
        _ memory: PixelMemory,
        quality: Int
    ) throws(RenditionCodecError) -> (jpeg: Data, alpha: Data) {
        let size = memory.description.size
        let pixels = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.width * size.height * 4,
            alignment: 16
        )
        defer { pixels.deallocate() }
        memory.withBytes { pixels.copyMemory(from: $0) }
        let alpha = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.width * size.height,
            alignment: 16
        )
        defer { alpha.deallocate() }
        for index in 0..<alpha.count { alpha[index] = pixels[index * 4 + 3] }
        multiply(pixels)
        let colors = PixelRows(bytes: UnsafeRawBufferPointer(pixels), size: size, layout: .rgbx)
        let plane = PixelRows(bytes: UnsafeRawBufferPointer(alpha), size: size, layout: .gray)
        // No chroma subsampling, because partly transparent images, such as logos, have hard edges.
        return (
            try JPEGEncoder(quality: quality, subsampling: .s444).encode(colors),
            try JPEGEncoder(quality: alphaQuality).encode(plane)
        )
    }
}
