/// A pixel format.
public struct CIFormat: Hashable, Sendable {
    /// The number of the pixel format, as in Core Image.
    public let rawValue: Int32

    /// Creates a pixel format from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Blue, green, red and alpha, one byte each, premultiplied.
    public static let BGRA8 = CIFormat(rawValue: 266)
    /// Red, green, blue and alpha, one byte each, premultiplied.
    public static let RGBA8 = CIFormat(rawValue: 264)
    /// Red, green, blue and alpha as little-endian 16-bit floating-point numbers, premultiplied; 1
    /// is white.
    public static let RGBAh = CIFormat(rawValue: 2056)
}
