package import PhotoModel

/// The header of a JPEG, with the sizes to which the file can be decoded.
package struct JPEGHeader: Hashable, Sendable {
    package let size: PixelSize
    /// Indicates whether the image is grayscale.
    package let isGray: Bool

    package init(size: PixelSize, isGray: Bool) {
        self.size = size
        self.isGray = isGray
    }

    /// Returns the smallest size that the codec can decode to and that covers `wanted`.
    ///
    /// The sizes are eighths of the full size. The result is the full size if `wanted` is larger.
    package func scaledSize(covering wanted: PixelSize) -> PixelSize {
        for eighths in 1..<8 {
            let scaled = scaledSize(eighths: eighths)
            if scaled.width >= wanted.width && scaled.height >= wanted.height { return scaled }
        }
        return size
    }

    // The codec rounds up (TJSCALED in turbojpeg.h). A size that is one pixel smaller would select
    // the next smaller factor.
    private func scaledSize(eighths: Int) -> PixelSize {
        PixelSize(
            width: (size.width * eighths + 7) / 8,
            height: (size.height * eighths + 7) / 8
        )
    }
}
