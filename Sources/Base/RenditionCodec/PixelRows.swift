package import FoundationEssentials
package import PhotoModel

/// The memory layout of one sRGB pixel with eight bits per channel.
package enum PixelLayout: Hashable, Sendable, CaseIterable {
    /// Red, green, blue.
    case rgb
    /// Red, green, blue and an unused byte.
    case rgbx
    /// A single luminance channel.
    case gray

    package var bytesPerPixel: Int {
        switch self {
        case .rgb: 3
        case .rgbx: 4
        case .gray: 1
        }
    }
}

/// An image's rows in borrowed memory, top row first.
///
/// Valid only as long as the buffer: pass it to a call and do not store it.
package struct PixelRows {
    package let bytes: UnsafeRawBufferPointer
    package let size: PixelSize
    /// The distance in bytes between the starts of two rows; at least the length of a row.
    package let bytesPerRow: Int
    package let layout: PixelLayout

    /// Creates a description of rows; without `bytesPerRow`, rows have no padding.
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

/// A decoded image: rows without padding, top row first.
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

    /// Calls `body` with the rows, which it must not retain.
    package func withRows<Result>(_ body: (PixelRows) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { buffer in
            try body(PixelRows(bytes: buffer, size: size, layout: layout))
        }
    }
}
