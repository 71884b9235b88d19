package import FoundationEssentials
package import PhotoModel

/// How the bytes of one pixel lie in memory, eight bits a channel, sRGB.
package enum PixelLayout: Hashable, Sendable, CaseIterable {
    /// Red, green, blue.
    case rgb
    /// Red, green, blue and a byte that means nothing.
    case rgbx
    /// Brightness alone.
    case gray

    package var bytesPerPixel: Int {
        switch self {
        case .rgb: 3
        case .rgbx: 4
        case .gray: 1
        }
    }
}

/// A picture's rows in memory that someone else owns, top row first.
///
/// It is good for as long as the buffer is: hand it to a call, never keep it.
package struct PixelRows {
    package let bytes: UnsafeRawBufferPointer
    package let size: PixelSize
    /// From the start of one row to the start of the next; at least a row's own bytes.
    package let bytesPerRow: Int
    package let layout: PixelLayout

    /// Describes rows; `bytesPerRow` is that of rows without padding when it is left out.
    package init(
        bytes: UnsafeRawBufferPointer,
        size: PixelSize,
        bytesPerRow: Int? = nil,
        layout: PixelLayout = .rgb
    ) {
        self.bytes = bytes
        self.size = size
        self.bytesPerRow = bytesPerRow ?? size.width &* layout.bytesPerPixel
        self.layout = layout
    }
}

/// A decoded picture: rows without padding, top row first.
package struct DecodedPixels: Hashable, Sendable {
    package let bytes: Data
    package let size: PixelSize
    package let layout: PixelLayout

    package init(bytes: Data, size: PixelSize, layout: PixelLayout) {
        self.bytes = bytes
        self.size = size
        self.layout = layout
    }

    package var bytesPerRow: Int { size.width * layout.bytesPerPixel }

    /// Lends the rows to `body`, which must not keep them.
    package func withRows<Result>(_ body: (PixelRows) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { buffer in
            try body(PixelRows(bytes: buffer, size: size, layout: layout))
        }
    }
}
