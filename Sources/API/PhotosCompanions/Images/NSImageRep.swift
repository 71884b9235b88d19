public import Foundation

/// Where AppKit draws; nothing here does.
public final class NSGraphicsContext {}

/// One of the forms that an image has.
open class NSImageRep: NSObject {
    /// What may be said of how an image is to be drawn; nothing here depends on it.
    public struct HintKey: RawRepresentable, Hashable, Sendable {
        /// AppKit's name.
        public let rawValue: String

        /// A hint by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// How well pixels are interpolated.
        public static let interpolation = HintKey(rawValue: "NSImageHintInterpolation")
        /// The transform from the image to the device.
        public static let ctm = HintKey(rawValue: "NSImageHintCTM")
    }

    /// Points across and down.
    open var size = NSSize.zero
    /// Pixels across.
    open var pixelsWide = 0
    /// Pixels down.
    open var pixelsHigh = 0
    /// Bits of one component.
    open var bitsPerSample = 8
    /// Whether there is alpha.
    open var hasAlpha = false
    /// Whether no pixel is transparent.
    open var isOpaque = true

    /// A form without anything.
    public override init() { super.init() }
}
