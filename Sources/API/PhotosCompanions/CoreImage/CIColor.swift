public import Foundation

/// A colour for a filter: red, green, blue and alpha as sRGB's signal, each 0...1.
///
/// Numbers beyond that range are colours that sRGB does not have.
public final class CIColor: NSObject, @unchecked Sendable {
    // Unchecked because NSObject is not Sendable; the numbers never change.

    /// Red.
    public let red: CGFloat
    /// Green.
    public let green: CGFloat
    /// Blue.
    public let blue: CGFloat
    /// How opaque it is; the colours are not multiplied with it.
    public let alpha: CGFloat

    /// A colour with alpha.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// An opaque colour.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: 1)
    }

    /// A colour of the numbers in a text, such as `0.5 0.7 0.3 1.0`; black for numbers that are not
    /// there, opaque without a fourth.
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

    /// Four: red, green, blue and alpha.
    public var numberOfComponents: Int { 4 }

    /// The numbers as a text.
    public var stringRepresentation: String { "\(red) \(green) \(blue) \(alpha)" }

    /// sRGB.
    public var colorSpace: CGColorSpace {
        .standard
    }

    /// Opaque black.
    public static let black = CIColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = CIColor(red: 1, green: 1, blue: 1)
    /// The middle between black and white.
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
    /// Nothing.
    public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// Equal when all numbers are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CIColor else { return false }
        return red == other.red && green == other.green && blue == other.blue
            && alpha == other.alpha
    }

    /// Agrees with equality.
    public override var hash: Int { [red, green, blue, alpha].hashValue }

    /// The numbers.
    public override var description: String { "(\(stringRepresentation))" }
}
