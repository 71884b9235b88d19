/// An edit of a photo in an open format.
///
/// `photos edit` and the gallery save this format, so that each of them, and every other program,
/// can resume an edit that another one began.
///
/// Every value has a neutral setting without effect, and a new instance is neutral. The adjustments
/// are applied in this order, whatever order they were set in: automatic enhancement, exposure,
/// temperature and tint, brightness, contrast and saturation, vibrance, highlights and shadows, the
/// effect, sharpness; then mirroring, quarter turns, straightening and the crop; last the vignette,
/// so that it follows the edges of the cropped image. <doc:AdjustmentFormat> describes the stored
/// form.
public struct PhotoAdjustments: Codable, Sendable, Equatable {
    /// The `formatIdentifier` of the `PHAdjustmentData`.
    public static let formatIdentifier = "org.swift-photos.adjustments"

    /// The `formatVersion` of the `PHAdjustmentData`.
    public static let formatVersion = "1.0"

    /// The photo effects of Core Image.
    public enum Effect: String, Codable, Sendable, CaseIterable {
        /// Strong colors.
        case chrome
        /// Pale, faded colors.
        case fade
        /// The colors of old instant film.
        case instant
        /// Black and white with low contrast.
        case mono
        /// Black and white with high contrast.
        case noir
        /// Cool colors, as of cross-processed film.
        case process
        /// Black and white that keeps the tones.
        case tonal
        /// Warm colors, as of an old print.
        case transfer

        /// The name of the Core Image filter, such as `CIPhotoEffectNoir`.
        public var filterName: String {
            "CIPhotoEffect" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    /// A part of an image, as fractions of its width and height, with the origin at the upper left
    /// corner.
    public struct UnitRect: Codable, Sendable, Equatable {
        /// The whole image.
        public static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)

        /// The left edge, 0...1.
        public var x: Double
        /// The top edge, 0...1.
        public var y: Double
        /// The width, more than 0; `x + width` is at most 1.
        public var width: Double
        /// The height, more than 0; `y + height` is at most 1.
        public var height: Double

        /// Creates a rectangle; its position in the unit square is validated on use.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Indicates whether light and color are enhanced automatically, based on the content of the
    /// image.
    public var isAutoEnhanced = false
    /// The exposure in stops, -5...5.
    public var exposure = 0.0
    /// The brightness, -1...1: darker to brighter.
    public var brightness = 0.0
    /// The contrast, -1...1: lower to higher.
    public var contrast = 0.0
    /// The saturation, -1...1; -1 removes all color.
    public var saturation = 0.0
    /// The vibrance, -1...1: saturation that protects already saturated colors and skin tones.
    public var vibrance = 0.0
    /// The color temperature, -1...1: cooler to warmer.
    public var temperature = 0.0
    /// The tint, -1...1: greener to more magenta.
    public var tint = 0.0
    /// The brightness of the highlights, -1...1: darker to brighter.
    public var highlights = 0.0
    /// The brightness of the shadows, -1...1: darker to brighter.
    public var shadows = 0.0
    /// The photo effect; nil for none.
    public var effect: Effect?
    /// The strength of sharpening, 0...1.
    public var sharpness = 0.0
    /// The vignette, -1...1: brighter to darker corners.
    public var vignette = 0.0
    /// Indicates whether the image is mirrored horizontally, before any rotation.
    public var isFlipped = false
    /// The number of clockwise quarter turns, 0...3.
    public var quarterTurns = 0
    /// The straightening angle in degrees clockwise, -45...45, applied after the quarter turns.
    ///
    /// The image is enlarged so that no empty corner shows.
    public var straighten = 0.0
    /// The part of the rotated and straightened image that remains; nil for all of it.
    public var crop: UnitRect?

    /// Creates neutral adjustments.
    public init() {}

    /// Indicates whether the adjustments have no effect.
    public var isIdentity: Bool { self == PhotoAdjustments() }
}
