public import Foundation

/// The members of `NSImage` that `UIImage` lacks.
extension UIImage {
    /// Creates an image of a given size, in points, from a bitmap image; a zero size means one
    /// point per pixel.
    public convenience init(cgImage: CGImage, size: NSSize) {
        let scale = size.width > 0 ? CGFloat(cgImage.width) / size.width : 1
        self.init(cgImage: cgImage, scale: scale, orientation: .up)
    }

    /// Decodes an image from a file; nil if it can't be decoded.
    public convenience init?(contentsOf url: URL) {
        guard url.isFileURL else { return nil }
        self.init(contentsOfFile: url.path)
    }

    /// Returns the pixels, oriented upright.
    ///
    /// - Parameters:
    ///   - proposedDestRect: The destination rectangle, whose size is set to the image's.
    ///   - referenceContext: Ignored.
    ///   - hints: Ignored.
    /// - Returns: Nil if the image has no pixels.
    public func cgImage(
        forProposedRect proposedDestRect: UnsafeMutablePointer<NSRect>?,
        context referenceContext: NSGraphicsContext?,
        hints: [NSImageRep.HintKey: Any]?
    ) -> CGImage? {
        guard let image = uprightImage else { return nil }
        proposedDestRect?.pointee.size = size
        return image
    }

    /// The image as TIFF data, oriented upright; nil if the image has no pixels.
    public var tiffRepresentation: Data? {
        uprightImage.flatMap { NSBitmapImageRep(cgImage: $0).tiffRepresentation }
    }

    /// An array with the bitmap representation of the image; empty if the image has no pixels.
    public var representations: [NSImageRep] {
        uprightImage.map { [NSBitmapImageRep(cgImage: $0)] } ?? []
    }

    /// A Boolean value that indicates whether the image has pixels or a recipe for them.
    public var isValid: Bool { cgImage != nil || ciImage != nil }

    private var uprightImage: CGImage? {
        let turn = CGImagePropertyOrientation(imageOrientation)
        if let cgImage, turn == .up { return cgImage }
        let plain = cgImage.flatMap(\.plain).map { CIImage(cgImage: $0) }
        guard let image = ciImage ?? plain else { return nil }
        let turned = image.oriented(turn)
        let isExtended = image.colorSpace?.name == CGColorSpace.extendedLinearDisplayP3
        return CIContext(options: [.workingColorSpace: NSNull()])
            .createCGImage(
                turned,
                from: turned.extent,
                format: .RGBA8,
                colorSpace: isExtended ? CGColorSpace.wide : image.colorSpace
            )
    }
}

extension CGImagePropertyOrientation {
    /// Creates the EXIF orientation that corresponds to an image's orientation.
    fileprivate init(_ orientation: UIImage.Orientation) {
        self =
            switch orientation {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .upMirrored: .upMirrored
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .rightMirrored: .rightMirrored
            }
    }
}
