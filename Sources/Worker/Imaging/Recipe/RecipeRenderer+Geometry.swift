internal import CVipsShim
internal import PhotoModel

extension RecipeRenderer {
    /// The radius, in pixels, of the neighborhood that the interpolation uses.
    private static let interpolationReach = 3

    // MARK: - Transforms

    func transformed(
        _ input: Int,
        _ transform: RecipeTransform,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer? {
        guard transform.isInvertible else { return nil }
        let back = transform.inverted
        if let orientation = transform.orientation {
            let part = PixelBox(back.applied(to: box.rectangle)).intersection(extents[input])
            guard var layer = try layer(input, part) else { return nil }
            try layer.turn(orientation, to: PixelBox(transform.applied(to: part.rectangle)))
            try layer.embed(in: box, extendsEdge: false)
            return layer
        }
        let source = back.applied(to: box.rectangle)
        let isInside = extents[input].grown(by: 0.01).contains(source)
        let reach = Double(Self.interpolationReach) * max(1, back.stretch)
        let wanted = PixelBox(source.grown(by: reach))
        guard var layer = try layer(input, wanted.intersection(extents[input])) else { return nil }
        // Pixels beyond the edges are transparent, unless they are not visible.
        let keepsAlpha = layer.hasAlpha || !isInside
        try layer.resolve(withAlpha: keepsAlpha)
        if isInside { try layer.embed(in: wanted, extendsEdge: true) }
        return try interpolated(layer, transform, box)
    }

    /// Transforms a layer of floats to produce a part of the result.
    private func interpolated(
        _ layer: RecipeLayer,
        _ transform: RecipeTransform,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer {
        var image = layer.image
        // The interpolation uses few pixels, so strong downscaling is first done with a filter.
        let (across, down) = transform.scales
        let size = layer.box.size
        var shrunk = size
        if across < 0.7 { shrunk.width = max(1, Int((Double(size.width) * across).rounded(.up))) }
        if down < 0.7 { shrunk.height = max(1, Int((Double(size.height) * down).rounded(.up))) }
        image = try image.resized(to: shrunk)
        let x = Double(size.width) / Double(shrunk.width)
        let y = Double(size.height) / Double(shrunk.height)
        // From the layer's pixels, whose y points downward from the upper left corner, to the
        // result's pixels.
        let (left, top) = (Double(layer.box.left), Double(layer.box.top))
        let matrix = [
            transform.a * x, -transform.c * y, -transform.b * x, transform.d * y,
            transform.a * left + transform.c * top + transform.tx - Double(box.left),
            Double(box.top) - transform.b * left - transform.d * top - transform.ty,
        ]
        return RecipeLayer(
            try image.transformed(matrix, to: box.size),
            at: box,
            hasAlpha: layer.hasAlpha,
            isLinear: rendering.isLinear
        )
    }

    func scaled(
        _ input: Int,
        _ horizontal: Double,
        _ vertical: Double,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer? {
        let extent = extents[input]
        guard !extent.isInfinite else {
            let transform = RecipeTransform(a: horizontal, b: 0, c: 0, d: vertical, tx: 0, ty: 0)
            return try transformed(input, transform, box)
        }
        let operation = PictureRecipe.Operation.scale(horizontal: horizontal, vertical: vertical)
        let target = PixelBox(operation.extent(of: [extent], sizes: []))
        guard var layer = try layer(input, PixelBox(extent)) else { return nil }
        try layer.resolve(withAlpha: layer.hasAlpha)
        var result = RecipeLayer(
            try layer.image.resized(to: target.size),
            at: target,
            hasAlpha: layer.hasAlpha,
            isLinear: rendering.isLinear
        )
        try result.crop(to: box)
        return result
    }

    func clamped(_ input: Int, _ box: PixelBox) throws(DecodeFailure) -> RecipeLayer? {
        let extent = PixelBox(extents[input])
        guard !extent.isEmpty else { return nil }
        // The nearest pixels of the image, at least one in each direction.
        let left = min(max(box.left, extent.left), extent.right - 1)
        let bottom = min(max(box.bottom, extent.bottom), extent.top - 1)
        let part = PixelBox(
            left: left,
            bottom: bottom,
            right: max(left + 1, min(box.right, extent.right)),
            top: max(bottom + 1, min(box.top, extent.top))
        )
        guard var layer = try layer(input, part) else { return nil }
        guard part != box else { return layer }
        if box.contains(part) {
            try layer.embed(in: box, extendsEdge: true)
            return layer
        }
        // The box is entirely outside the image, so the edge is extended in a larger box.
        let around = PixelBox(
            left: min(box.left, part.left),
            bottom: min(box.bottom, part.bottom),
            right: max(box.right, part.right),
            top: max(box.top, part.top)
        )
        try layer.embed(in: around, extendsEdge: true)
        try layer.crop(to: box)
        return layer
    }

    // MARK: - Blurs

    func blurred(
        _ input: Int,
        _ sigma: Double,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer? {
        let reach = Int(PictureRecipe.Operation.reach(ofSigma: sigma))
        let wanted = box.grown(by: reach)
        guard var layer = try layer(input, wanted.intersection(extents[input])) else { return nil }
        try layer.embed(in: wanted, extendsEdge: false)
        return try blur(&layer, sigma, box)
    }

    /// Runs an operation that combines an image with a blurred copy of it.
    func compared(
        _ input: Int,
        _ sigma: Double,
        _ point: cphotos_point,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer? {
        let reach = Int(PictureRecipe.Operation.reach(ofSigma: sigma))
        let wanted = box.grown(by: reach).intersection(extents[input])
        guard var layer = try layer(input, wanted) else { return nil }
        let hasAlpha = layer.hasAlpha
        let blurred = try blur(&layer, sigma, box)
        try layer.crop(to: box)
        return try joined(layer, blurred, point, hasAlpha: hasAlpha, outputAlpha: hasAlpha)
    }

    /// Returns a part of the blurred layer; also converts the layer itself to floats.
    private func blur(
        _ layer: inout RecipeLayer,
        _ sigma: Double,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer {
        try layer.resolve(withAlpha: layer.hasAlpha)
        var blurred = RecipeLayer(
            try layer.image.blurred(sigma: sigma),
            at: layer.box,
            hasAlpha: layer.hasAlpha,
            isLinear: rendering.isLinear
        )
        try blurred.crop(to: box)
        return blurred
    }
}

extension RecipeTransform {
    /// The larger of the two scale factors.
    fileprivate var stretch: Double { max(scales.across, scales.down) }

    /// The horizontal and the vertical scale factor.
    fileprivate var scales: (across: Double, down: Double) {
        ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
    }

    /// Indicates whether the transform only translates by whole pixels.
    var isShift: Bool { orientation == .up }

    /// The orientation that the transform applies, in addition to a translation by whole pixels.
    ///
    /// nil if the transform does anything else.
    var orientation: Orientation? {
        let (across, down) = (tx.rounded(), ty.rounded())
        guard abs(tx - across) < 1e-6, abs(ty - down) < 1e-6 else { return nil }
        func isNear(_ value: Double) -> Int? {
            let whole = value.rounded()
            return abs(value - whole) < 1e-9 && abs(whole) <= 1 ? Int(whole) : nil
        }
        guard let a = isNear(a), let b = isNear(b), let c = isNear(c), let d = isNear(d) else {
            return nil
        }
        return switch (a, b, c, d) {
        case (1, 0, 0, 1): .up
        case (-1, 0, 0, 1): .upMirrored
        case (-1, 0, 0, -1): .down
        case (1, 0, 0, -1): .downMirrored
        case (0, -1, -1, 0): .leftMirrored
        case (0, -1, 1, 0): .right
        case (0, 1, 1, 0): .rightMirrored
        case (0, 1, -1, 0): .left
        default: nil
        }
    }
}
