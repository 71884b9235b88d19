internal import PhotoModel

/// The transforms that orient stored pixels upright, with the y axis pointing up.
enum OrientationTransform {
    /// Returns the transform that orients pixels in a rectangle upright.
    ///
    /// The lower left corner of the result is that of the rectangle.
    static func make(
        _ orientation: PhotoModel.Orientation,
        in box: RecipeRectangle
    ) -> RecipeTransform {
        let (width, height) = (box.width, box.height)
        func transform(
            _ a: Double,
            _ b: Double,
            _ c: Double,
            _ d: Double,
            _ tx: Double,
            _ ty: Double
        ) -> RecipeTransform {
            // Translates the box's corner to the origin and back.
            RecipeTransform(
                a: a,
                b: b,
                c: c,
                d: d,
                tx: tx + box.minX - a * box.minX - c * box.minY,
                ty: ty + box.minY - b * box.minX - d * box.minY
            )
        }
        return switch orientation {
        case .up: transform(1, 0, 0, 1, 0, 0)
        case .upMirrored: transform(-1, 0, 0, 1, width, 0)
        case .down: transform(-1, 0, 0, -1, width, height)
        case .downMirrored: transform(1, 0, 0, -1, 0, height)
        case .leftMirrored: transform(0, -1, -1, 0, height, width)
        case .right: transform(0, -1, 1, 0, 0, width)
        case .rightMirrored: transform(0, 1, 1, 0, 0, 0)
        case .left: transform(0, 1, -1, 0, height, 0)
        }
    }
}
