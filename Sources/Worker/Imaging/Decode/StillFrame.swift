package import PhotoModel

/// A still image that FFmpeg decodes, with properties from its container.
package struct StillFrame {
    /// The descriptor of the file.
    package var descriptor: Int32
    /// FFmpeg's name of the container.
    package var container: String
    package var orientation: Orientation
    /// The color profile of the values that FFmpeg returns; nil for sRGB.
    package var profile: [UInt8]?
    /// Indicates whether the last channel is alpha.
    package var hasAlpha: Bool
    /// Indicates whether colors are blended with white according to their alpha.
    package var isMatted: Bool
    /// Indicates whether luma is full range.
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
