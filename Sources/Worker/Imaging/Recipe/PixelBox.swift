internal import PhotoModel

/// A rectangle with integer coordinates in a recipe's coordinate system, where y points upward.
struct PixelBox: Hashable {
    var left: Int
    var bottom: Int
    var right: Int
    var top: Int

    init(left: Int, bottom: Int, right: Int, top: Int) {
        self.left = left
        self.bottom = bottom
        self.right = right
        self.top = top
    }

    /// Creates the smallest box that contains a rectangle, with coordinates clamped to ±10¹².
    init(_ rectangle: RecipeRectangle) {
        let whole = rectangle.integral
        func bounded(_ value: Double) -> Int { Int(min(max(value, -1e12), 1e12)) }
        self.init(
            left: bounded(whole.minX),
            bottom: bounded(whole.minY),
            right: bounded(whole.maxX),
            top: bounded(whole.maxY)
        )
    }

    var size: PixelSize { PixelSize(width: right - left, height: top - bottom) }

    var isEmpty: Bool { right <= left || top <= bottom }

    var rectangle: RecipeRectangle {
        RecipeRectangle(
            minX: Double(left),
            minY: Double(bottom),
            maxX: Double(right),
            maxY: Double(top)
        )
    }

    func intersection(_ other: PixelBox) -> PixelBox {
        PixelBox(
            left: max(left, other.left),
            bottom: max(bottom, other.bottom),
            right: min(right, other.right),
            top: min(top, other.top)
        )
    }

    func intersection(_ other: RecipeRectangle) -> PixelBox { intersection(PixelBox(other)) }

    func grown(by margin: Int) -> PixelBox {
        PixelBox(
            left: left - margin,
            bottom: bottom - margin,
            right: right + margin,
            top: top + margin
        )
    }

    func contains(_ other: PixelBox) -> Bool {
        left <= other.left && bottom <= other.bottom && right >= other.right && top >= other.top
    }
}
