public import Foundation

/// A picture in memory, with how it is meant to be shown.
///
/// It never changes, can be used from any thread, and shares its pixels with whatever it was made of.
/// Nothing here draws.
open class UIImage: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is immutable and Sendable.

    /// How the pixels are turned for display.
    public enum Orientation: Int, Sendable, CaseIterable {
        /// As they are.
        case up = 0
        /// Half a turn.
        case down = 1
        /// A quarter anticlockwise.
        case left = 2
        /// A quarter clockwise.
        case right = 3
        /// Mirrored left to right.
        case upMirrored = 4
        /// Mirrored top to bottom.
        case downMirrored = 5
        /// Mirrored along the diagonal from the upper left.
        case leftMirrored = 6
        /// Mirrored along the diagonal from the upper right.
        case rightMirrored = 7
    }

    /// The pixels; nil for an image without any, and for one of a recipe.
    public let cgImage: CGImage?
    /// The recipe that the image was made of; nil for one of pixels.
    public let ciImage: CIImage?
    /// Pixels for each point of ``size``.
    public let scale: CGFloat
    /// How the pixels are turned for display.
    ///
    /// Whatever this library decodes is upright already.
    public let imageOrientation: Orientation

    /// An image without pixels.
    public override init() {
        cgImage = nil
        ciImage = nil
        scale = 1
        imageOrientation = .up
        super.init()
    }

    /// An image of pixels that are upright.
    public convenience init(cgImage: CGImage) {
        self.init(cgImage: cgImage, scale: 1, orientation: .up)
    }

    /// An image of pixels.
    ///
    /// - Parameters:
    ///   - cgImage: The pixels, which are not copied.
    ///   - scale: Pixels for each point; what is not positive counts as 1.
    ///   - orientation: How the pixels are turned for display.
    public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.cgImage = cgImage
        ciImage = nil
        self.scale = scale > 0 ? scale : 1
        imageOrientation = orientation
        super.init()
    }

    /// An image of a recipe, which is drawn when its bytes are asked for.
    ///
    /// Its ``cgImage`` is nil: a ``CIContext`` makes one.
    ///
    /// - Parameters:
    ///   - ciImage: The recipe.
    ///   - scale: Pixels for each point; what is not positive counts as 1.
    ///   - orientation: How the pixels are turned for display.
    public init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
        cgImage = nil
        self.ciImage = ciImage
        self.scale = scale > 0 ? scale : 1
        imageOrientation = orientation
        super.init()
    }

    /// An image of a recipe that is upright.
    public convenience init(ciImage: CIImage) {
        self.init(ciImage: ciImage, scale: 1, orientation: .up)
    }

    /// Points across and down, as displayed: pixels, where ``scale`` is 1.
    public var size: CGSize {
        let pixels: CGSize
        if let cgImage {
            pixels = CGSize(width: cgImage.width, height: cgImage.height)
        } else if let extent = ciImage?.extent, !extent.isNull, !extent.isInfinite {
            pixels = extent.size
        } else {
            return .zero
        }
        let width = pixels.width / scale
        let height = pixels.height / scale
        return imageOrientation.swapsSides
            ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
    }

    /// The size and the scale, for a person.
    open override var description: String {
        "<\(type(of: self)) \(size.width) × \(size.height), scale \(scale)>"
    }
}

/// The same class under the name that it has on a Mac.
public typealias NSImage = UIImage

extension UIImage.Orientation {
    /// Whether width and height change places on display.
    var swapsSides: Bool {
        switch self {
        case .up, .down, .upMirrored, .downMirrored: false
        case .left, .right, .leftMirrored, .rightMirrored: true
        }
    }
}
