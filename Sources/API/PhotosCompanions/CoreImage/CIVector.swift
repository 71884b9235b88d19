public import Foundation

/// A vector of numbers for a filter, such as a point, a rectangle or a matrix row.
public final class CIVector: NSObject, @unchecked Sendable {
    // Unchecked because NSObject is not Sendable; the numbers are immutable.
    private let values: [CGFloat]

    /// Creates a vector from an array of numbers.
    public init(values: [CGFloat]) {
        self.values = values
    }

    /// Creates a vector from the first `count` numbers at `values`.
    public convenience init(values: UnsafePointer<CGFloat>, count: Int) {
        self.init(values: Array(UnsafeBufferPointer(start: values, count: max(0, count))))
    }

    /// Creates a vector of one number.
    public convenience init(x: CGFloat) { self.init(values: [x]) }

    /// Creates a vector of two numbers.
    public convenience init(x: CGFloat, y: CGFloat) { self.init(values: [x, y]) }

    /// Creates a vector of three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init(values: [x, y, z]) }

    /// Creates a vector of four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) {
        self.init(values: [x, y, z, w])
    }

    /// Creates a vector from a point: x and y.
    public convenience init(cgPoint point: CGPoint) { self.init(values: [point.x, point.y]) }

    /// Creates a vector from a rectangle: x, y, width and height.
    public convenience init(cgRect rect: CGRect) {
        self.init(values: [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }

    /// Creates a vector from a transform: a, b, c, d, tx and ty.
    public convenience init(cgAffineTransform transform: CGAffineTransform) {
        self.init(
            values: [
                transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty,
            ]
        )
    }

    /// The number of components.
    public var count: Int { values.count }

    /// Returns the number at an index; 0 if the index is out of range.
    public func value(at index: Int) -> CGFloat {
        values.indices.contains(index) ? values[index] : 0
    }

    /// The first number; 0 if absent.
    public var x: CGFloat { value(at: 0) }

    /// The second number; 0 if absent.
    public var y: CGFloat { value(at: 1) }

    /// The third number; 0 if absent.
    public var z: CGFloat { value(at: 2) }

    /// The fourth number; 0 if absent.
    public var w: CGFloat { value(at: 3) }

    /// The first two numbers as a point.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }

    /// The first four numbers as a rectangle.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }

    /// The first six numbers as a transform.
    public var cgAffineTransformValue: CGAffineTransform {
        CGAffineTransform(a: x, b: y, c: z, d: w, tx: value(at: 4), ty: value(at: 5))
    }

    /// Returns whether an object is a vector with the same numbers.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CIVector)?.values == values
    }

    /// A hash value consistent with equality.
    public override var hash: Int { values.hashValue }

    /// A debug description with the numbers in brackets.
    public override var description: String {
        "[" + values.map { "\($0)" }.joined(separator: " ") + "]"
    }
}
