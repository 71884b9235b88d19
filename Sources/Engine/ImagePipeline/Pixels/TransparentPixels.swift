internal import Foundation
internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient

/// Stores pixels with alpha as JPEGs in renditions.
///
/// JPEG has no alpha channel, so alpha is stored as a separate grayscale JPEG. The colors are
/// premultiplied. They fade to black where the image is transparent, which avoids edges that the
/// codec would blur, and coding errors are as faint as the pixels.
enum TransparentPixels {
    /// The JPEG quality of alpha, in which errors are more visible than in colors.
    private static let alphaQuality = 95
    /// The tolerance for fully transparent and fully opaque pixels, which the codec reproduces
    /// inexactly.
    private static let tolerance: UInt8 = 4

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

    /// Decodes alpha into the fourth byte of pixels and returns whether that succeeded.
    static func join(
        _ alpha: Data,
        to pixels: UnsafeMutableRawBufferPointer,
        size: PixelSize
    ) -> Bool {
        let plane = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.width * size.height,
            alignment: 16
        )
        defer { plane.deallocate() }
        guard (try? JPEGDecoder.decode(alpha, size: size, layout: .gray, into: plane)) != nil
        else { return false }
        for index in 0..<plane.count {
            let value = plane[index]
            pixels[index * 4 + 3] =
                value <= tolerance ? 0 : value >= 255 - tolerance ? 255 : value
        }
        return true
    }

    /// Multiplies colors by their alpha.
    static func multiply(_ pixels: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            guard alpha < 255 else { continue }
            for index in start..<start + 3 {
                pixels[index] = UInt8((Int(pixels[index]) * alpha + 127) / 255)
            }
        }
    }

    /// Divides colors by their alpha; fully transparent pixels become black.
    static func divide(_ pixels: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            guard alpha < 255 else { continue }
            for index in start..<start + 3 {
                let color = Int(pixels[index])
                pixels[index] =
                    alpha == 0 ? 0 : UInt8(min(255, (color * 255 + alpha / 2) / alpha))
            }
        }
    }
}
