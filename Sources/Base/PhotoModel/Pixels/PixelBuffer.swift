/// How the bytes of one pixel lie in memory: 8 bits each, or 16.
package enum PixelBufferLayout: String, Codable, Hashable, Sendable, CaseIterable {
    /// Red, green, blue; what was transparent lies on white.
    case rgb
    /// Red, green, blue, and 255.
    case rgbx
    /// Red, green, blue, and alpha, with which they are not multiplied.
    case rgba
    /// As `rgba`, as floating-point numbers of 16 bits, least significant byte first; 1 is white.
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

/// In which colours pixels are.
package enum PixelColors: String, Codable, Hashable, Sendable, CaseIterable {
    case sRGB
    case displayP3
    /// Light itself by Display P3's primaries: 1 is a plain screen's white, more is brighter, and less
    /// than 0 are colours that those primaries can't mix.
    case extendedLinearDisplayP3
}

/// Pixels in sealed memory: rows from the top, red first, no padding.
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

    /// Bytes of all rows; nil when the numbers make no sense.
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
