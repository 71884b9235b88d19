package import FoundationEssentials
package import PhotoModel

/// The conversion of pixels with alpha to and from JPEG, the format in which renditions are stored.
///
/// JPEG has no alpha channel, so alpha is stored as a separate grayscale JPEG. The colors are
/// premultiplied and so fade to black where the image is transparent. This avoids edges that the
/// codec would blur, and coding errors are as faint as the pixels.
package enum TransparentPixels {
    /// The maximum difference from 0 or 255 at which alpha counts as fully transparent or fully
    /// opaque.
    ///
    /// The codec does not reproduce these values exactly.
    private static let tolerance: UInt8 = 4

    /// Decodes an alpha JPEG into the fourth byte of each pixel, and returns whether that
    /// succeeded.
    package static func join(
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
    package static func multiply(_ pixels: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            guard alpha < 255 else { continue }
            for index in start..<start + 3 {
                pixels[index] = UInt8((Int(pixels[index]) * alpha + 127) / 255)
            }
        }
    }

    /// Divides colors by their alpha; fully transparent pixels become black.
    package static func divide(_ pixels: UnsafeMutableRawBufferPointer) {
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
