/// A rectangle in a recipe's coordinates: x to the right and y upward, in pixels.
///
/// It may extend to infinity on any side. A rectangle whose sides are not both positive is empty.
package struct RecipeRectangle: Codable, Hashable, Sendable {
    package var minX: Double
    package var minY: Double
    package var maxX: Double
    package var maxY: Double

    /// The empty rectangle.
    package static let empty = RecipeRectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)

    /// A finite substitute for infinity, which JSON cannot represent.
    private static let far = 1e15

    /// The whole plane.
    package static let infinite = RecipeRectangle(minX: -far, minY: -far, maxX: far, maxY: far)

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = Self.bounded(minX)
        self.minY = Self.bounded(minY)
        self.maxX = Self.bounded(maxX)
        self.maxY = Self.bounded(maxY)
    }

    /// Creates the extent of an image with a given size, with its lower left corner at 0, 0.
    package init(_ size: PixelSize) {
        self.init(minX: 0, minY: 0, maxX: Double(size.width), maxY: Double(size.height))
    }

    package var width: Double { maxX - minX }
    package var height: Double { maxY - minY }

    package var isEmpty: Bool { !(maxX > minX && maxY > minY) }

    /// Indicates whether any side extends to infinity.
    package var isInfinite: Bool {
        !isEmpty
            && (minX <= -Self.far / 2 || minY <= -Self.far / 2 || maxX >= Self.far / 2
                || maxY >= Self.far / 2)
    }

    /// Returns the intersection with another rectangle.
    package func intersection(_ other: RecipeRectangle) -> RecipeRectangle {
        let common = RecipeRectangle(
            minX: max(minX, other.minX),
            minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY)
        )
        return common.isEmpty ? .empty : common
    }

    /// Returns the smallest rectangle that contains this one and another one.
    package func union(_ other: RecipeRectangle) -> RecipeRectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return RecipeRectangle(
            minX: min(minX, other.minX),
            minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY)
        )
    }

    /// Returns the rectangle with a margin added on every side.
    package func grown(by margin: Double) -> RecipeRectangle {
        guard !isEmpty else { return self }
        let larger = RecipeRectangle(
            minX: minX - margin,
            minY: minY - margin,
            maxX: maxX + margin,
            maxY: maxY + margin
        )
        return larger.isEmpty ? .empty : larger
    }

    /// The smallest rectangle with integer coordinates that contains this one.
    ///
    /// Overhangs of less than a thousandth of a pixel, which rounding errors cause, are ignored.
    package var integral: RecipeRectangle {
        guard !isEmpty else { return .empty }
        let slack = 0.001
        let whole = RecipeRectangle(
            minX: (minX + slack).rounded(.down),
            minY: (minY + slack).rounded(.down),
            maxX: (maxX - slack).rounded(.up),
            maxY: (maxY - slack).rounded(.up)
        )
        return whole.isEmpty ? .empty : whole
    }

    /// Returns whether the rectangle contains another one.
    package func contains(_ other: RecipeRectangle) -> Bool {
        other.isEmpty
            || (minX <= other.minX && minY <= other.minY && maxX >= other.maxX
                && maxY >= other.maxY)
    }

    private static func bounded(_ value: Double) -> Double {
        value.isNaN ? 0 : min(max(value, -far), far)
    }
}

/// An affine transform: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty.
package struct RecipeTransform: Codable, Hashable, Sendable {
    package var a: Double
    package var b: Double
    package var c: Double
    package var d: Double
    package var tx: Double
    package var ty: Double

    package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    package var determinant: Double { a * d - b * c }

    /// Indicates whether the transform has an inverse.
    package var isInvertible: Bool {
        determinant.isFinite && tx.isFinite && ty.isFinite && abs(determinant) > 1e-12
    }

    /// The inverse transform; valid only if `isInvertible`.
    package var inverted: RecipeTransform {
        RecipeTransform(
            a: d / determinant,
            b: -b / determinant,
            c: -c / determinant,
            d: a / determinant,
            tx: (c * ty - d * tx) / determinant,
            ty: (b * tx - a * ty) / determinant
        )
    }

    /// Returns the bounding box of a rectangle after the transform is applied to it.
    package func applied(to box: RecipeRectangle) -> RecipeRectangle {
        if box.isEmpty { return .empty }
        if box.isInfinite { return .infinite }
        let xs = [box.minX, box.maxX].flatMap { x in
            [box.minY, box.maxY].map { a * x + c * $0 + tx }
        }
        let ys = [box.minX, box.maxX].flatMap { x in
            [box.minY, box.maxY].map { b * x + d * $0 + ty }
        }
        return RecipeRectangle(
            minX: xs.min() ?? 0,
            minY: ys.min() ?? 0,
            maxX: xs.max() ?? 0,
            maxY: ys.max() ?? 0
        )
    }
}
