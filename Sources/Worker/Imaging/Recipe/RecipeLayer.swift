internal import CVipsShim
internal import PhotoModel

/// A rectangular part of the image that a recipe step produces, with pending color operations.
struct RecipeLayer {
    private(set) var image: LazyImage
    /// The rectangle of the part in the recipe's coordinates.
    private(set) var box: PixelBox
    /// Indicates whether the layer has alpha once all pending operations are applied.
    private(set) var hasAlpha: Bool
    /// The conversion of the stored values to linear light; nil for floats with premultiplied
    /// alpha.
    private var colors: InputColors?
    private var storedHasAlpha: Bool
    private var pending: [PointOperation] = []
    private let isLinear: Bool

    /// Creates a layer from the stored values of a source.
    init(_ picture: RecipePicture, size: PixelSize, isLinear: Bool) {
        image = picture.image
        box = PixelBox(RecipeRectangle(size))
        colors = picture.colors
        hasAlpha = picture.hasAlpha
        storedHasAlpha = picture.hasAlpha
        self.isLinear = isLinear
    }

    /// Creates a layer of floats with premultiplied alpha.
    init(_ image: LazyImage, at box: PixelBox, hasAlpha: Bool, isLinear: Bool) {
        self.image = image
        self.box = box
        self.hasAlpha = hasAlpha
        storedHasAlpha = hasAlpha
        self.isLinear = isLinear
    }

    // MARK: - Operations on stored values

    /// Adds pending color operations.
    mutating func add(_ operations: [PointOperation]) {
        pending += operations
        for operation in operations {
            switch operation {
            case .opaque: hasAlpha = false
            case .alphaMatrix: hasAlpha = true
            default: break
            }
        }
    }

    /// Crops the layer to a part of it.
    mutating func crop(to part: PixelBox) throws(DecodeFailure) {
        guard part != box else { return }
        image = try image.cropped(
            left: part.left - box.left,
            top: box.top - part.top,
            to: part.size
        )
        box = part
    }

    /// Applies an orientation, and sets the layer's rectangle to `place`.
    mutating func turn(_ orientation: Orientation, to place: PixelBox) throws(DecodeFailure) {
        if pending.contains(where: \.dependsOnPlace) { try resolve(withAlpha: hasAlpha) }
        if orientation != .up { image = try image.turned(orientation) }
        box = place
    }

    // MARK: - Operations on floats

    /// Applies the pending operations and converts the layer to floats, with or without alpha.
    mutating func resolve(withAlpha: Bool) throws(DecodeFailure) {
        let isReady = colors == nil && pending.isEmpty && storedHasAlpha == withAlpha
        guard !isReady else {
            hasAlpha = withAlpha
            return
        }
        let output = PointProgram.Output(bands: withAlpha ? 4 : 3)
        image = try program(chain(), output).run(image)
        pending = []
        colors = nil
        hasAlpha = withAlpha
        storedHasAlpha = withAlpha
    }

    /// Embeds the layer in a larger box, surrounded by transparency or by the layer's edge colors.
    mutating func embed(in larger: PixelBox, extendsEdge: Bool) throws(DecodeFailure) {
        guard larger != box else { return }
        try resolve(withAlpha: extendsEdge ? hasAlpha : true)
        image = try image.embedded(
            left: box.left - larger.left,
            top: larger.top - box.top,
            in: larger.size,
            extendsEdge: extendsEdge
        )
        box = larger
    }

    /// Returns the image in a color space and an output format: bytes or half-precision floats.
    func finished(
        _ output: PointProgram.Output,
        colors target: PixelColors
    ) throws(DecodeFailure) -> LazyImage {
        var chain = chain()
        if target != .sRGB {
            if !isLinear { chain.append(.separate(.decode)) }
            chain.append(primaries: Primaries.sRGBToDisplayP3)
        } else if output.samples == CPHOTOS_HALVES, !isLinear {
            chain.append(.separate(.decode))
        }
        var program = program(chain, output)
        program.endsWithLight = isLinear || target != .sRGB
        return try program.run(image)
    }

    private func chain() -> PointChain {
        var chain = PointChain()
        if let colors {
            if let matrix = colors.matrix { chain.append(primaries: matrix) }
            if !isLinear { chain.append(.separate(.encode)) }
        }
        chain.append(pending, isLinear: isLinear, in: box)
        return chain
    }

    private func program(_ chain: PointChain, _ output: PointProgram.Output) -> PointProgram {
        let facts = image.facts
        let input = PointProgram.Input(
            colors: colors,
            bands: Int(facts.bands),
            sampleSize: Int(facts.sampleSize),
            colorBands: facts.bands < 3 ? 1 : 3,
            hasAlpha: storedHasAlpha
        )
        return PointProgram(input, chain, output)
    }
}

extension PointOperation {
    /// Indicates whether the operation's result depends on a pixel's position.
    fileprivate var dependsOnPlace: Bool {
        if case .vignette = self { true } else { false }
    }
}
