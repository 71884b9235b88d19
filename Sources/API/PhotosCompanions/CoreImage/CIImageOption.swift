/// How a picture is opened.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    /// Core Image's name.
    public let rawValue: String

    /// An option by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether a file's picture is turned as its orientation says: a `Bool`, false where it is not there.
    public static let applyOrientationProperty = CIImageOption(
        rawValue: "kCIImageApplyOrientationProperty"
    )
}

/// What automatic adjustment may do.
public struct CIImageAutoAdjustmentOption: RawRepresentable, Hashable, Sendable {
    /// Core Image's name.
    public let rawValue: String

    /// An option by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether light and colour are adjusted: a `Bool`, true where it is not there.
    public static let enhance = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustEnhance")
    /// Whether red eyes are mended: a `Bool`.
    ///
    /// Faces are not looked for here, so nothing is mended whatever it says.
    public static let redEye = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustRedEye")
    /// Whether the picture is cropped: a `Bool`.
    ///
    /// Nothing is cropped here whatever it says.
    public static let crop = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustCrop")
    /// Whether the horizon is levelled: a `Bool`.
    ///
    /// Nothing is levelled here whatever it says.
    public static let level = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustLevel")
}
