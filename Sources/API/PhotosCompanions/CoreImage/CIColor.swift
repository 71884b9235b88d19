public import Foundation

/// A color for a filter: red, green, blue and alpha as nonlinear sRGB values, each 0...1.
///
/// Values outside that range are colors outside the sRGB gamut.
public final class CIColor: NSObject, @unchecked Sendable {
    // Unchecked because NSObject is not Sendable; the components are immutable.

    /// The red component.
    public let red: CGFloat
    /// The green component.
    public let green: CGFloat
    /// The blue component.
    public let blue: CGFloat
    /// The opacity; the other components are not premultiplied by it.
    public let alpha: CGFloat

    /// Creates a color with alpha.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates an opaque color.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: 1)
    }

    /// Creates a color from the numbers in a string, such as `0.5 0.7 0.3 1.0`.
    ///
    /// Missing color components are 0; a missing alpha is 1.
    public convenience init(string representation: String) {
        let numbers = representation.split(whereSeparator: { " ,[]()".contains($0) })
            .map { CGFloat(Double($0) ?? 0) }
        func number(_ index: Int, _ otherwise: CGFloat) -> CGFloat {
            numbers.indices.contains(index) ? numbers[index] : otherwise
        }
        self.init(
            red: number(0, 0),
            green: number(1, 0),
            blue: number(2, 0),
            alpha: number(3, 1)
        )
    }

    /// The number of components, always 4: red, green, blue and alpha.
    public var numberOfComponents: Int { 4 }

    /// The components as a string.
    public var stringRepresentation: String { "\(red) \(green) \(blue) \(alpha)" }

    /// The color space, always sRGB.
    public var colorSpace: CGColorSpace {
        .standard
    }

    /// Opaque black.
    public static let black = CIColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = CIColor(red: 1, green: 1, blue: 1)
    /// Opaque medium gray.
    public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
    /// Opaque red.
    public static let red = CIColor(red: 1, green: 0, blue: 0)
    /// Opaque green.
    public static let green = CIColor(red: 0, green: 1, blue: 0)
    /// Opaque blue.
    public static let blue = CIColor(red: 0, green: 0, blue: 1)
    /// Opaque cyan.
    public static let cyan = CIColor(red: 0, green: 1, blue: 1)
    /// Opaque magenta.
    public static let magenta = CIColor(red: 1, green: 0, blue: 1)
    /// Opaque yellow.
    public static let yellow = CIColor(red: 1, green: 1, blue: 0)
    /// Fully transparent.
    public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// Returns whether all components are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CIColor else { return false }
        return red == other.red && green == other.green && blue == other.blue
            && alpha == other.alpha
    }

    /// A hash value consistent with equality.
    public override var hash: Int { [red, green, blue, alpha].hashValue }

    /// The components in parentheses.
    public override var description: String { "(\(stringRepresentation))" }
}
