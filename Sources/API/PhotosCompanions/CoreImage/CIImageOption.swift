/// An option for opening an image.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    /// The name of the option, as in Core Image.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An option for whether the file's orientation is applied: a `Bool`, false by default.
    public static let applyOrientationProperty = CIImageOption(
        rawValue: "kCIImageApplyOrientationProperty"
    )
}

/// An option for automatic enhancement.
public struct CIImageAutoAdjustmentOption: RawRepresentable, Hashable, Sendable {
    /// The name of the option, as in Core Image.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An option for whether light and color are adjusted: a `Bool`, true by default.
    public static let enhance = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustEnhance")
    /// An option for whether red eyes are corrected: a `Bool`.
    ///
    /// Ignored: faces are not detected, so nothing is corrected.
    public static let redEye = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustRedEye")
    /// An option for whether the image is cropped: a `Bool`.
    ///
    /// Ignored: nothing is cropped.
    public static let crop = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustCrop")
    /// An option for whether the horizon is leveled: a `Bool`.
    ///
    /// Ignored: nothing is leveled.
    public static let level = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustLevel")
}
