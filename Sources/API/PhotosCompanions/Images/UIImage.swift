public import Foundation

/// An image in memory with its scale and orientation.
///
/// It is immutable, can be used from any thread, and shares its pixels with the object that it was
/// created from. swift-photos doesn't draw images.
open class UIImage: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is immutable and Sendable.

    /// The orientation of the pixels.
    public enum Orientation: Int, Sendable, CaseIterable {
        /// Upright.
        case up = 0
        /// Displayed after a rotation by 180°.
        case down = 1
        /// Displayed after a rotation by 90° counterclockwise.
        case left = 2
        /// Displayed after a rotation by 90° clockwise.
        case right = 3
        /// Mirrored horizontally.
        case upMirrored = 4
        /// Mirrored vertically.
        case downMirrored = 5
        /// Displayed after a reflection across the diagonal from the upper left to the lower right.
        case leftMirrored = 6
        /// Displayed after a reflection across the diagonal from the upper right to the lower left.
        case rightMirrored = 7
    }

    /// The bitmap image; nil if the image is empty or has a recipe.
    public let cgImage: CGImage?
    /// The recipe of the image; nil for a bitmap image.
    public let ciImage: CIImage?
    /// The number of pixels per point of ``size``.
    public let scale: CGFloat
    /// The orientation of the pixels.
    ///
    /// Every image that this library decodes is already upright.
    public let imageOrientation: Orientation

    /// Creates an image without pixels.
    public override init() {
        cgImage = nil
        ciImage = nil
        scale = 1
        imageOrientation = .up
        super.init()
    }

    /// Creates an image from an upright bitmap image.
    public convenience init(cgImage: CGImage) {
        self.init(cgImage: cgImage, scale: 1, orientation: .up)
    }

    /// Creates an image from a bitmap image.
    ///
    /// - Parameters:
    ///   - cgImage: The bitmap image, whose pixels are not copied.
    ///   - scale: The number of pixels per point; values that are not positive count as 1.
    ///   - orientation: The orientation of the pixels.
    public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.cgImage = cgImage
        ciImage = nil
        self.scale = scale > 0 ? scale : 1
        imageOrientation = orientation
        super.init()
    }

    /// Creates an image from a recipe, which is rendered when the image's data is requested.
    ///
    /// The image's ``cgImage`` is nil; use a ``CIContext`` to create one.
    ///
    /// - Parameters:
    ///   - ciImage: The recipe.
    ///   - scale: The number of pixels per point; values that are not positive count as 1.
    ///   - orientation: The orientation of the pixels.
    public init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
        cgImage = nil
        self.ciImage = ciImage
        self.scale = scale > 0 ? scale : 1
        imageOrientation = orientation
        super.init()
    }

    /// Creates an image from a recipe for an upright image.
    public convenience init(ciImage: CIImage) {
        self.init(ciImage: ciImage, scale: 1, orientation: .up)
    }

    /// The displayed size in points; at a ``scale`` of 1, a point is one pixel.
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

    /// A debug description with size and scale.
    open override var description: String {
        "<\(type(of: self)) \(size.width) × \(size.height), scale \(scale)>"
    }
}

/// AppKit's name for ``UIImage``.
public typealias NSImage = UIImage

extension UIImage.Orientation {
    /// Indicates whether the orientation swaps width and height.
    var swapsSides: Bool {
        switch self {
        case .up, .down, .upMirrored, .downMirrored: false
        case .left, .right, .leftMirrored, .rightMirrored: true
        }
    }
}
