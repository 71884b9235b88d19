/// A color operation that processes each pixel independently.
///
/// Components are linear light with sRGB's primaries, where 1 is white. They may lie outside 0...1,
/// and alpha is not premultiplied. A renderer whose values are already encoded omits `encode` and
/// `decode`.
package enum PointOperation: Codable, Hashable, Sendable {
    /// Rows of four numbers: the factors of red, green and blue for a component, and an offset.
    case matrix([Double])
    /// Rows of five numbers: the factors of red, green, blue and alpha for a component or alpha,
    /// and an offset.
    case alphaMatrix([Double])
    /// Converts linear light to sRGB-encoded values.
    case encode
    /// Converts sRGB-encoded values to linear light.
    case decode
    /// A curve for each component: values at equal distances over 0...1, constant outside that
    /// range.
    case curves(red: [Double], green: [Double], blue: [Double])
    /// Raises each component to a power; negative values become 0.
    case power(Double)
    /// Raises low saturation more than high saturation: -1...1.
    case vibrance(Double)
    /// Adjusts highlights and shadows separately by encoded luminance: highlights are lowered by
    /// 0...1, shadows raised by -1...1.
    case tones(highlights: Double, shadows: Double)
    /// Darkens away from a center; `radius` is the distance in pixels at which `intensity` is
    /// reached.
    case vignette(x: Double, y: Double, radius: Double, intensity: Double)
    /// Makes all pixels opaque.
    case opaque
}
