/// An edit of a picture in an open format: what `photos edit` and the gallery save, so that either of
/// them, and every other program, can go on with what another began.
///
/// Every value has a neutral setting at which it does nothing; a new value does nothing at all. They
/// take effect in this order, whatever order they were set in: automatic enhancement, exposure,
/// temperature and tint, brightness, contrast and saturation, vibrance, highlights and shadows, the
/// effect, sharpness; then mirroring, quarter turns, straightening and the crop; last the vignette, so
/// that it follows the edges of what is left. <doc:AdjustmentFormat> describes the stored form.
public struct PhotoAdjustments: Codable, Sendable, Equatable {
    /// The `formatIdentifier` of its `PHAdjustmentData`.
    public static let formatIdentifier = "org.swift-photos.adjustments"

    /// The `formatVersion` of its `PHAdjustmentData`.
    public static let formatVersion = "1.0"

    /// A look: one of the eight photo effects.
    public enum Effect: String, Codable, Sendable, CaseIterable {
        /// Strong colours.
        case chrome
        /// Pale, faded colours.
        case fade
        /// The colours of old instant film.
        case instant
        /// Black and white with little contrast.
        case mono
        /// Black and white with much contrast.
        case noir
        /// Cool colours, as of film that was developed wrongly.
        case process
        /// Black and white that keeps the tones.
        case tonal
        /// Warm colours, as of an old print.
        case transfer

        /// The name of the Core Image filter, such as `CIPhotoEffectNoir`.
        public var filterName: String {
            "CIPhotoEffect" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    /// A part of a picture, in units of its sides, counted from the upper left corner.
    public struct UnitRect: Codable, Sendable, Equatable {
        /// All of a picture.
        public static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)

        /// From the left, 0...1.
        public var x: Double
        /// From the top, 0...1.
        public var y: Double
        /// More than 0, and `x + width` is 1 at most.
        public var width: Double
        /// More than 0, and `y + height` is 1 at most.
        public var height: Double

        /// A rectangle; whether it lies in the unit square is asked when it is used.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Whether light and colours are balanced by what is in the picture.
    public var isAutoEnhanced = false
    /// Stops, -5...5.
    public var exposure = 0.0
    /// -1...1: darker, brighter.
    public var brightness = 0.0
    /// -1...1: flatter, harder.
    public var contrast = 0.0
    /// -1...1: -1 is without colour.
    public var saturation = 0.0
    /// -1...1: saturation that spares what is colourful, and skin.
    public var vibrance = 0.0
    /// -1...1: cooler, warmer.
    public var temperature = 0.0
    /// -1...1: greener, more magenta.
    public var tint = 0.0
    /// -1...1: bright parts darker, brighter.
    public var highlights = 0.0
    /// -1...1: dark parts darker, brighter.
    public var shadows = 0.0
    /// The look; nil for none.
    public var effect: Effect?
    /// 0...1.
    public var sharpness = 0.0
    /// -1...1: corners brighter, darker.
    public var vignette = 0.0
    /// Whether left and right change places, before any turning.
    public var isFlipped = false
    /// Quarters clockwise, 0...3.
    public var quarterTurns = 0
    /// Degrees clockwise, -45...45, after the quarter turns; the picture is enlarged so that no empty
    /// corner shows.
    public var straighten = 0.0
    /// What is left of the turned and straightened picture; nil for all of it.
    public var crop: UnitRect?

    /// Adjustments that do nothing.
    public init() {}

    /// Whether nothing is done.
    public var isIdentity: Bool { self == PhotoAdjustments() }
}
