/// The memory layout of one pixel, with 8 or 16 bits per component.
package enum PixelBufferLayout: String, Codable, Hashable, Sendable, CaseIterable {
    /// Red, green, blue; transparent parts are composited over white.
    case rgb
    /// Red, green, blue, and 255.
    case rgbx
    /// Red, green, blue, and alpha, not premultiplied.
    case rgba
    /// The components of `rgba` as 16-bit floating-point numbers, little-endian; 1 is white.
    case rgbaHalf

    package var bytesPerPixel: Int {
        switch self {
        case .rgb: 3
        case .rgbx, .rgba: 4
        case .rgbaHalf: 8
        }
    }

    package var bitsPerComponent: Int { self == .rgbaHalf ? 16 : 8 }
}

/// The color space of pixels.
package enum PixelColors: String, Codable, Hashable, Sendable, CaseIterable {
    case sRGB
    case displayP3
    /// Linear light with Display P3's primaries: 1 is SDR white, larger values are brighter, and
    /// negative values are colors outside the gamut.
    case extendedLinearDisplayP3
}

/// The format of uncompressed pixels in memory: rows from the top, without padding, and with red as
/// the first component unless stated otherwise.
package struct PixelBufferDescription: Codable, Hashable, Sendable {
    package var size: PixelSize
    package var layout: PixelBufferLayout
    package var colors: PixelColors

    package init(size: PixelSize, layout: PixelBufferLayout = .rgb, colors: PixelColors = .sRGB) {
        self.size = size
        self.layout = layout
        self.colors = colors
    }

    package var bytesPerRow: Int { size.width * layout.bytesPerPixel }

    /// The number of bytes of all rows; nil if a side is not positive or the number overflows.
    package var length: Int? {
        guard size.width > 0, size.height > 0,
            case (let row, false) = size.width.multipliedReportingOverflow(
                by: layout.bytesPerPixel
            ),
            case (let length, false) = row.multipliedReportingOverflow(by: size.height)
        else { return nil }
        return length
    }
}
