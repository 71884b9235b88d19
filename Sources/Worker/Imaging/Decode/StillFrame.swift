package import PhotoModel

/// A still that FFmpeg decodes, and what its file says of the pixels besides.
package struct StillFrame {
    /// The file.
    package var descriptor: Int32
    /// FFmpeg's name of the container.
    package var container: String
    package var orientation: Orientation
    /// Of colors in the numbers that FFmpeg gives; nil for sRGB.
    package var profile: [UInt8]?
    /// Whether a last channel says how opaque pixels are.
    package var hasAlpha: Bool
    /// Whether colors are mixed with white by their opacity.
    package var isMatted: Bool
    /// Whether luma uses all numbers.
    package var isFullRange: Bool

    package init(
        descriptor: Int32,
        container: String,
        orientation: Orientation = .up,
        profile: [UInt8]? = nil,
        hasAlpha: Bool = true,
        isMatted: Bool = false,
        isFullRange: Bool = true
    ) {
        self.descriptor = descriptor
        self.container = container
        self.orientation = orientation
        self.profile = profile
        self.hasAlpha = hasAlpha
        self.isMatted = isMatted
        self.isFullRange = isFullRange
    }
}
