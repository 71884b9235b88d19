package import PhotoModel

/// What a JPEG's header says, and the sizes to which it can be decoded.
package struct JPEGHeader: Hashable, Sendable {
    package let size: PixelSize
    /// Whether the picture has brightness only.
    package let isGray: Bool

    package init(size: PixelSize, isGray: Bool) {
        self.size = size
        self.isGray = isGray
    }

    /// The smallest size, by eighths of the full one, that covers `wanted`; else the full size.
    package func scaledSize(covering wanted: PixelSize) -> PixelSize {
        for eighths in 1..<8 {
            let scaled = scaledSize(eighths: eighths)
            if scaled.width >= wanted.width && scaled.height >= wanted.height { return scaled }
        }
        return size
    }

    // The codec rounds up (TJSCALED in turbojpeg.h); asking for one pixel less would make it take
    // the next smaller factor.
    private func scaledSize(eighths: Int) -> PixelSize {
        PixelSize(
            width: (size.width * eighths + 7) / 8,
            height: (size.height * eighths + 7) / 8
        )
    }
}
