/// An option of a rendering context.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
    /// The name of the context option, as in Core Image.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The output color space when a call does not specify one: a ``CGColorSpace``, sRGB by
    /// default.
    public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
    /// The color space in which filters work.
    ///
    /// `NSNull()` or sRGB selects nonlinear sRGB values. Every other value, and the default,
    /// selects unbounded linear light with sRGB's primaries.
    public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
    /// An option for whether rendering has a low priority: a `Bool`.
    public static let priorityRequestLow = CIContextOption(rawValue: "low_priority")
    /// An option for a human-readable name of the context.
    public static let name = CIContextOption(rawValue: "kCIContextName")
    /// An option to render on the CPU; ignored, because rendering always uses the CPU.
    public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
    /// An option to cache intermediate results; ignored, because they are never cached.
    public static let cacheIntermediates = CIContextOption(
        rawValue: "kCIContextCacheIntermediates"
    )
    /// An option for high-quality downsampling; ignored, because downsampling is always of high
    /// quality.
    public static let highQualityDownsample = CIContextOption(
        rawValue: "kCIContextHighQualityDownsample"
    )
}

/// An option for writing an image file.
public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
    /// The name of the option, as in ImageIO: `kCGImageDestinationLossyCompressionQuality`, for
    /// example.
    ///
    /// The quality is a number from 0 (smallest file) to 1 (best image), by default 0.9.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
