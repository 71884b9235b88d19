package import PhotoModel

extension PixelShape {
    /// `true` if a larger image of the whole picture is acceptable.
    package var takesWholes: Bool { crop == nil && (fitting == .fit || fitting == .fill) }
}

extension PixelPlan {
    /// Returns whether a size has at most twice the pixels of the result, so that sending them
    /// costs less than scaling.
    package func isNear(_ size: PixelSize) -> Bool {
        size.width * size.height <= scaled.width * scaled.height * 2
    }

    /// Returns a plan for the same part of the image with the resolution of a smaller copy.
    package func reduced(to copy: PixelSize, of whole: PixelSize) -> PixelPlan {
        let part = moved(from: whole, to: copy).crop.size
        var plan = self
        let shape = PixelShape(size: scaled, fitting: .fit)
        plan.scaled = PixelPlan(shape, of: part).canvas
        plan.canvas = plan.scaled
        return plan
    }
}
