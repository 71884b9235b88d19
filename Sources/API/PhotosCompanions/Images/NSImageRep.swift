public import Foundation

/// A placeholder for AppKit's drawing context; swift-photos doesn't draw.
public final class NSGraphicsContext {}

/// A representation of an image.
open class NSImageRep: NSObject {
    /// A hint for drawing an image; hints have no effect.
    public struct HintKey: RawRepresentable, Hashable, Sendable {
        /// The hint's name in AppKit.
        public let rawValue: String

        /// Creates a hint with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The quality of interpolation.
        public static let interpolation = HintKey(rawValue: "NSImageHintInterpolation")
        /// The transform from the image to the device.
        public static let ctm = HintKey(rawValue: "NSImageHintCTM")
    }

    /// The size in points.
    open var size = NSSize.zero
    /// The width in pixels.
    open var pixelsWide = 0
    /// The height in pixels.
    open var pixelsHigh = 0
    /// The number of bits per component.
    open var bitsPerSample = 8
    /// A Boolean value that indicates whether the image has alpha.
    open var hasAlpha = false
    /// A Boolean value that indicates whether all pixels are opaque.
    open var isOpaque = true

    /// Creates an empty representation.
    public override init() { super.init() }
}
