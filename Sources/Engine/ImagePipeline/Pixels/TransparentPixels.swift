internal import Foundation
internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient

/// Pixels of four bytes with alpha last, and how renditions keep them.
///
/// A JPEG has no alpha, so it goes beside the colours as a grey JPEG of its own. The colours are
/// multiplied with it first: they fade to black where the picture does, which leaves no edges for the
/// codec to blur, and what it gets wrong is as faint as the pixels are.
enum TransparentPixels {
    /// The quality of alpha, which shows more than colours do where it is off.
    private static let alphaQuality = 95
    /// What the codec makes of nothing and of everything is so near to it.
    private static let tolerance: UInt8 = 4

    /// The colours and the alpha of a picture, as a rendition keeps them.
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
        // Full colour: what is drawn and partly transparent, such as a logo, has hard edges.
        return (
            try JPEGEncoder(quality: quality, subsampling: .s444).encode(colors),
            try JPEGEncoder(quality: alphaQuality).encode(plane)
        )
    }

    /// Decodes alpha into the fourth byte of pixels, and says whether that went well.
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

    /// Multiplies colours with their alpha.
    static func multiply(_ pixels: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            guard alpha < 255 else { continue }
            for index in start..<start + 3 {
                pixels[index] = UInt8((Int(pixels[index]) * alpha + 127) / 255)
            }
        }
    }

    /// Divides colours by their alpha; nothing is black.
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
