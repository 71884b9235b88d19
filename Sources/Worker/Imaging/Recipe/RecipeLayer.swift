internal import CVipsShim
internal import PhotoModel

/// A part of a step's picture, with operations on colours that are still to be carried out.
struct RecipeLayer {
    private(set) var image: LazyImage
    /// Where it lies.
    private(set) var box: PixelBox
    /// Whether the last band is alpha, after all operations.
    private(set) var hasAlpha: Bool
    /// What its stored numbers mean; nil for floats, multiplied with alpha.
    private var colors: InputColors?
    private var storedHasAlpha: Bool
    private var pending: [PointOperation] = []
    private let isLinear: Bool

    /// What is stored.
    init(_ picture: RecipePicture, size: PixelSize, isLinear: Bool) {
        image = picture.image
        box = PixelBox(RecipeRectangle(size))
        colors = picture.colors
        hasAlpha = picture.hasAlpha
        storedHasAlpha = picture.hasAlpha
        self.isLinear = isLinear
    }

    /// Floats, multiplied with alpha.
    init(_ image: LazyImage, at box: PixelBox, hasAlpha: Bool, isLinear: Bool) {
        self.image = image
        self.box = box
        self.hasAlpha = hasAlpha
        storedHasAlpha = hasAlpha
        self.isLinear = isLinear
    }

    // MARK: - What keeps numbers as they are stored

    /// Adds operations on colours.
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

    /// Cuts it down to a part of it.
    mutating func crop(to part: PixelBox) throws(DecodeFailure) {
        guard part != box else { return }
        image = try image.cropped(
            left: part.left - box.left,
            top: box.top - part.top,
            to: part.size
        )
        box = part
    }

    /// Turns it as an orientation says, and moves it to where it lies then.
    mutating func turn(_ orientation: Orientation, to place: PixelBox) throws(DecodeFailure) {
        if pending.contains(where: \.dependsOnPlace) { try resolve(withAlpha: hasAlpha) }
        if orientation != .up { image = try image.turned(orientation) }
        box = place
    }

    // MARK: - What needs floats

    /// Carries out what is pending, and gives it alpha or not.
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

    /// Lays it in a larger box, with nothing beside it or the colours of its edge.
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

    /// The picture for a sink: bytes or halves.
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
    /// Whether it matters where a pixel lies.
    fileprivate var dependsOnPlace: Bool {
        if case .vignette = self { true } else { false }
    }
}
