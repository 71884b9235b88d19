/// How pixels lie in memory.
public struct CIFormat: Hashable, Sendable {
    /// Core Image's number.
    public let rawValue: Int32

    /// A format by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Blue, green, red, alpha: a byte each, colours multiplied with alpha.
    public static let BGRA8 = CIFormat(rawValue: 266)
    /// Red, green, blue, alpha: a byte each, colours multiplied with alpha.
    public static let RGBA8 = CIFormat(rawValue: 264)
    /// Red, green, blue, alpha: floating-point numbers of 16 bits, least significant byte first; 1 is
    /// white, and colours are multiplied with alpha.
    public static let RGBAh = CIFormat(rawValue: 2056)
}
