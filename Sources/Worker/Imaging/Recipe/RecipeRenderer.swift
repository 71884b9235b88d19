internal import CVipsShim
package import PhotoModel

/// A renderer for recipes: libvips computes all steps together in strips.
///
/// Color operations between two other operations are combined into one pass over the pixels. Stored
/// values are kept until an operation requires floats. Used by one thread.
package final class RecipeRenderer {
    struct Place: Hashable {
        var step: Int
        var box: PixelBox
    }

    let rendering: PictureRendering
    let pictures: [RecipePicture]
    let extents: [RecipeRectangle]
    /// The layers built so far, so that parts that several steps use are built only once.
    private var known: [Place: RecipeLayer?] = [:]

    /// Creates a renderer for a recipe.
    ///
    /// - Parameters:
    ///   - rendering: The recipe and its output.
    ///   - pictures: The sources.
    /// - Throws: `DecodeFailure.damaged` for an invalid recipe.
    package init(
        _ rendering: PictureRendering,
        _ pictures: [RecipePicture]
    ) throws(DecodeFailure) {
        guard let extents = rendering.recipe.extents(sizes: rendering.sources.map(\.size)),
            !extents.isEmpty, pictures.count == rendering.sources.count
        else { throw .damaged("the recipe is invalid") }
        self.rendering = rendering
        self.pictures = pictures
        self.extents = extents
    }

    /// Returns whether rendering accesses the pixels of the sources in an order other than top to
    /// bottom.
    package static func isRandom(_ recipe: PictureRecipe) -> Bool {
        var uses = [Int](repeating: 0, count: recipe.steps.count)
        for step in recipe.steps {
            for input in step.inputs where uses.indices.contains(input) { uses[input] += 1 }
            switch step.operation {
            case .source, .color, .point, .crop, .scale: break
            case .over: break
            case .transform(let transform): if !transform.isShift { return true }
            case .blur, .sharpen, .tones, .clamp: return true
            }
        }
        return uses.contains { $0 > 1 }
    }

    /// Returns the requested region of the image.
    func whole() throws(DecodeFailure) -> RecipeLayer {
        let wanted = PixelBox(rendering.region)
        guard !wanted.isEmpty else { throw .damaged("there is nothing to draw") }
        let last = extents.count - 1
        guard var layer = try layer(last, wanted.intersection(extents[last])) else {
            let nothing = try LazyImage.constant(wanted.size, [0, 0, 0, 0])
            return RecipeLayer(nothing, at: wanted, hasAlpha: true, isLinear: rendering.isLinear)
        }
        try layer.embed(in: wanted, extendsEdge: false)
        return layer
    }

    /// Returns a part of a step's image; nil if the part is empty.
    ///
    /// - Parameters:
    ///   - step: The index of the step.
    ///   - box: A part of the step's extent.
    /// - Returns: Exactly that part.
    /// - Throws: The reason for a failed decode, or for a size over the limit.
    func layer(_ step: Int, _ box: PixelBox) throws(DecodeFailure) -> RecipeLayer? {
        guard !box.isEmpty else { return nil }
        let place = Place(step: step, box: box)
        if let layer = known[place] { return layer }
        let layer = try make(rendering.recipe.steps[step], box)
        known[place] = layer
        return layer
    }

    private func make(
        _ step: PictureRecipe.Step,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer? {
        switch step.operation {
        case .source(let index):
            let size = rendering.sources[index].size
            var layer = RecipeLayer(pictures[index], size: size, isLinear: rendering.isLinear)
            try layer.crop(to: box)
            return layer
        case .color(let red, let green, let blue, let alpha):
            return try constant([red, green, blue], alpha, box)
        case .point(let operations):
            var layer = try layer(step.inputs[0], box)
            layer?.add(operations)
            return layer
        case .crop: return try layer(step.inputs[0], box)
        case .transform(let transform): return try transformed(step.inputs[0], transform, box)
        case .scale(let horizontal, let vertical):
            return try scaled(step.inputs[0], horizontal, vertical, box)
        case .blur(let sigma): return try blurred(step.inputs[0], sigma, box)
        case .sharpen(let sigma, let amount, let isLuminance):
            let point = PointChain.point(CPHOTOS_SHARPEN, [amount, isLuminance ? 1 : 0])
            return try compared(step.inputs[0], sigma, point, box)
        case .tones(let highlights, let shadows, let sigma):
            let numbers = [highlights, shadows, rendering.isLinear ? 1 : 0]
            let point = PointChain.point(CPHOTOS_MASKED_TONES, numbers)
            return try compared(step.inputs[0], sigma, point, box)
        case .clamp: return try clamped(step.inputs[0], box)
        case .over: return try over(step.inputs[0], step.inputs[1], box)
        }
    }

    private func constant(
        _ color: [Double],
        _ alpha: Double,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer {
        let numbers = color.map { rendering.isLinear ? SignalCurve.decoded($0) : $0 }
        let isOpaque = alpha >= 1
        let image = try LazyImage.constant(
            box.size,
            isOpaque ? numbers : numbers.map { $0 * max(0, alpha) } + [max(0, alpha)]
        )
        return RecipeLayer(image, at: box, hasAlpha: !isOpaque, isLinear: rendering.isLinear)
    }

    private func over(
        _ top: Int,
        _ bottom: Int,
        _ box: PixelBox
    ) throws(DecodeFailure) -> RecipeLayer? {
        let above = try layer(top, box.intersection(extents[top]))
        // A fully covered image is not rendered.
        if let above, above.box == box, !above.hasAlpha { return above }
        guard var below = try layer(bottom, box.intersection(extents[bottom])) else {
            var alone = above
            try alone?.embed(in: box, extendsEdge: false)
            return alone
        }
        let isOpaque = below.box == box && !below.hasAlpha
        try below.resolve(withAlpha: true)
        try below.embed(in: box, extendsEdge: false)
        guard var above else { return below }
        try above.resolve(withAlpha: true)
        try above.embed(in: box, extendsEdge: false)
        return try joined(
            above,
            below,
            PointChain.point(CPHOTOS_OVER, []),
            hasAlpha: true,
            outputAlpha: !isOpaque
        )
    }

    /// Runs an operation on two layers of floats with the same box and bands.
    func joined(
        _ layer: RecipeLayer,
        _ other: RecipeLayer,
        _ point: cphotos_point,
        hasAlpha: Bool,
        outputAlpha: Bool
    ) throws(DecodeFailure) -> RecipeLayer {
        let image = try layer.image.joined(other.image)
        var chain = PointChain()
        chain.append(.other(point))
        let input = PointProgram.Input(
            colors: nil,
            bands: hasAlpha ? 8 : 6,
            sampleSize: 4,
            colorBands: 3,
            hasAlpha: hasAlpha
        )
        var program = PointProgram(
            input,
            chain,
            PointProgram.Output(bands: outputAlpha ? 4 : 3)
        )
        program.worksPremultiplied = true
        return RecipeLayer(
            try program.run(image),
            at: layer.box,
            hasAlpha: outputAlpha,
            isLinear: rendering.isLinear
        )
    }
}
