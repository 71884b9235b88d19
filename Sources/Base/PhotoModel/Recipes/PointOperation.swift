/// A change of colours that looks at one pixel at a time.
///
/// Numbers are light itself by sRGB's primaries, 1 being white; they may lie beyond 0...1, alpha is not
/// multiplied in. A renderer whose numbers are encoded already leaves `encode` and `decode` out.
package enum PointOperation: Codable, Hashable, Sendable {
    /// Rows of four: what of red, green and blue makes a component, and what is added.
    case matrix([Double])
    /// Rows of five: what of red, green, blue and alpha makes a component or alpha, and what is added.
    case alphaMatrix([Double])
    /// From light to sRGB's signal.
    case encode
    /// From sRGB's signal to light.
    case decode
    /// A curve for each component: values at even distances over 0...1, beyond which they go on flat.
    case curves(red: [Double], green: [Double], blue: [Double])
    /// Each component to a power; what is below 0 becomes 0.
    case power(Double)
    /// Raises low saturation more than high: -1...1.
    case vibrance(Double)
    /// Light and dark parts apart, by the signal of their luminance: how far lights are drawn down,
    /// 0...1, and darks up, -1...1.
    case tones(highlights: Double, shadows: Double)
    /// Darkens away from a centre: how much, and the distance in pixels at which it is full.
    case vignette(x: Double, y: Double, radius: Double, intensity: Double)
    /// Makes all opaque.
    case opaque
}
