public import Foundation

/// What `NSImage` has beside what it shares with `UIImage`.
extension UIImage {
    /// An image of pixels, so large in points; of a size of zero, as many as there are pixels.
    public convenience init(cgImage: CGImage, size: NSSize) {
        let scale = size.width > 0 ? CGFloat(cgImage.width) / size.width : 1
        self.init(cgImage: cgImage, scale: scale, orientation: .up)
    }

    /// Decodes a picture from a file; nil when there is none.
    public convenience init?(contentsOf url: URL) {
        guard url.isFileURL else { return nil }
        self.init(contentsOfFile: url.path)
    }

    /// The pixels, upright.
    ///
    /// - Parameters:
    ///   - proposedDestRect: Where it is to be drawn; gets the image's size.
    ///   - referenceContext: Not used.
    ///   - hints: Not used.
    /// - Returns: Nil for an image without pixels.
    public func cgImage(
        forProposedRect proposedDestRect: UnsafeMutablePointer<NSRect>?,
        context referenceContext: NSGraphicsContext?,
        hints: [NSImageRep.HintKey: Any]?
    ) -> CGImage? {
        guard let image = uprightImage else { return nil }
        proposedDestRect?.pointee.size = size
        return image
    }

    /// The picture as a TIFF file, upright; nil for an image without pixels.
    public var tiffRepresentation: Data? {
        uprightImage.flatMap { NSBitmapImageRep(cgImage: $0).tiffRepresentation }
    }

    /// The picture as pixels; none for an image without any.
    public var representations: [NSImageRep] {
        uprightImage.map { [NSBitmapImageRep(cgImage: $0)] } ?? []
    }

    /// Whether there are pixels, or a recipe for some.
    public var isValid: Bool { cgImage != nil || ciImage != nil }

    private var uprightImage: CGImage? {
        let turn = CGImagePropertyOrientation(imageOrientation)
        if let cgImage, turn == .up { return cgImage }
        guard let image = ciImage ?? cgImage.map({ CIImage(cgImage: $0) }) else { return nil }
        let turned = image.oriented(turn)
        return CIContext(options: [.workingColorSpace: NSNull()])
            .createCGImage(
                turned,
                from: turned.extent,
                format: .RGBA8,
                colorSpace: image.colorSpace
            )
    }
}

extension CGImagePropertyOrientation {
    /// The same turn.
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
