/// A color operation that processes each pixel independently.
///
/// Components are linear light with sRGB's primaries, where 1 is white. They may lie outside 0...1,
/// and alpha is not premultiplied. A renderer whose values are already encoded omits `encode` and
/// `decode`.
package enum PointOperation: Codable, Hashable, Sendable {
    /// A matrix with a row of four numbers per color component: factors of red, green and blue, and
    /// an offset.
    case matrix([Double])
    /// A matrix with a row of five numbers for each color component and alpha: factors of red,
    /// green, blue and alpha, and an offset.
    case alphaMatrix([Double])
    /// Converts linear light to sRGB-encoded values.
    case encode
    /// Converts sRGB-encoded values to linear light.
    case decode
    /// A curve for each component, as values at equal distances over 0...1; constant outside that
    /// range.
    case curves(red: [Double], green: [Double], blue: [Double])
    /// Raises each component to a power; negative values become 0.
    case power(Double)
    /// Raises low saturation more than high saturation, by an amount of -1...1.
    case vibrance(Double)
    /// Adjusts highlights and shadows separately, depending on sRGB-encoded luminance.
    ///
    /// Highlights are lowered by 0...1, and shadows are raised by -1...1.
    case tones(highlights: Double, shadows: Double)
    /// Darkens pixels progressively with their distance from a center.
    ///
    /// `radius` is the distance in pixels at which three quarters of `intensity` apply.
    case vignette(x: Double, y: Double, radius: Double, intensity: Double)
    /// Makes all pixels opaque.
    case opaque
}
