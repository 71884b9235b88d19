package import PhotoModel

extension PixelShape {
    /// Indicates whether an uncropped image that is larger than requested can answer a request for
    /// this shape.
    package var takesWholes: Bool { crop == nil && (fitting == .fit || fitting == .fill) }
}

extension PixelPlan {
    /// Returns whether an image of a given size is so close to the result size that scaling the
    /// image is not worthwhile.
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
