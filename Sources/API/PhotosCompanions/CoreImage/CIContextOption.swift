/// How a context draws.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
    /// Core Image's name.
    public let rawValue: String

    /// An option by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The colours of what is drawn where a call does not say: a ``CGColorSpace``, sRGB by default.
    public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
    /// The colours in which filters work: `NSNull()` or sRGB for sRGB's signal; light by sRGB's primaries,
    /// without an end on either side, by default and for all others.
    public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
    /// Whether others' work comes first: a `Bool`.
    public static let priorityRequestLow = CIContextOption(rawValue: "low_priority")
    /// A name for people.
    public static let name = CIContextOption(rawValue: "kCIContextName")
    /// Whether the processor draws: it always does, whatever this says.
    public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
    /// Whether steps between are kept: they never are, whatever this says.
    public static let cacheIntermediates = CIContextOption(
        rawValue: "kCIContextCacheIntermediates"
    )
    /// Whether pictures are made smaller well: they always are, whatever this says.
    public static let highQualityDownsample = CIContextOption(
        rawValue: "kCIContextHighQualityDownsample"
    )
}

/// How a file is written.
public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
    /// ImageIO's name, such as `kCGImageDestinationLossyCompressionQuality`.
    ///
    /// That one is a number from 0, the smallest file, to 1, the best picture; 0.9 where it is not there.
    public let rawValue: String

    /// An option by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
