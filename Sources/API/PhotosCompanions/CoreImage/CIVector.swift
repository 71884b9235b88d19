public import Foundation

/// A few numbers for a filter: a point, a rectangle, a row of a matrix.
public final class CIVector: NSObject, @unchecked Sendable {
    // Unchecked because NSObject is not Sendable; the numbers never change.
    private let values: [CGFloat]

    /// A vector of numbers.
    public init(values: [CGFloat]) {
        self.values = values
    }

    /// A vector of the first `count` numbers at `values`.
    public convenience init(values: UnsafePointer<CGFloat>, count: Int) {
        self.init(values: Array(UnsafeBufferPointer(start: values, count: max(0, count))))
    }

    /// One number.
    public convenience init(x: CGFloat) { self.init(values: [x]) }

    /// Two numbers.
    public convenience init(x: CGFloat, y: CGFloat) { self.init(values: [x, y]) }

    /// Three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init(values: [x, y, z]) }

    /// Four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) {
        self.init(values: [x, y, z, w])
    }

    /// A point: its x and y.
    public convenience init(cgPoint point: CGPoint) { self.init(values: [point.x, point.y]) }

    /// A rectangle: x, y, width and height.
    public convenience init(cgRect rect: CGRect) {
        self.init(values: [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }

    /// A transform: a, b, c, d, tx and ty.
    public convenience init(cgAffineTransform transform: CGAffineTransform) {
        self.init(
            values: [
                transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty,
            ]
        )
    }

    /// How many numbers there are.
    public var count: Int { values.count }

    /// One of the numbers; 0 beyond the last.
    public func value(at index: Int) -> CGFloat {
        values.indices.contains(index) ? values[index] : 0
    }

    /// The first number; 0 where there is none.
    public var x: CGFloat { value(at: 0) }

    /// The second number; 0 where there is none.
    public var y: CGFloat { value(at: 1) }

    /// The third number; 0 where there is none.
    public var z: CGFloat { value(at: 2) }

    /// The fourth number; 0 where there is none.
    public var w: CGFloat { value(at: 3) }

    /// The first two numbers.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }

    /// The first four numbers.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }

    /// The first six numbers.
    public var cgAffineTransformValue: CGAffineTransform {
        CGAffineTransform(a: x, b: y, c: z, d: w, tx: value(at: 4), ty: value(at: 5))
    }

    /// Equal when the numbers are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CIVector)?.values == values
    }

    /// Agrees with equality.
    public override var hash: Int { values.hashValue }

    /// The numbers in brackets.
    public override var description: String {
        "[" + values.map { "\($0)" }.joined(separator: " ") + "]"
    }
}
