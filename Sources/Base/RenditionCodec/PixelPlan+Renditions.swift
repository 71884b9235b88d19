package import PhotoModel

extension PixelShape {
    /// Indicates whether a larger image is an acceptable result if it shows the whole picture.
    package var takesWholes: Bool { crop == nil && (fitting == .fit || fitting == .fill) }
}

extension PixelPlan {
    /// Returns whether an image of a given size is so near to the result that scaling it is not
    /// worthwhile.
    ///
    /// It has at most twice the pixels of the result, so sending it costs less than scaling.
    package func isNear(_ size: PixelSize) -> Bool {
        size.width * size.height <= scaled.width * scaled.height * 2
    }

    /// Returns the plan with its result size limited to the resolution of a smaller copy of the
    /// image.
    package func reduced(to copy: PixelSize, of whole: PixelSize) -> PixelPlan {
        let part = moved(from: whole, to: copy).crop.size
        var plan = self
        let shape = PixelShape(size: scaled, fitting: .fit)
        plan.scaled = PixelPlan(shape, of: part).canvas
        plan.canvas = plan.scaled
        return plan
    }
}
