public import Foundation
package import PhotoModel
internal import WorkerClient

/// A recipe for a picture: what it is made of, and what is done with it.
///
/// Making one and adding to it costs next to nothing: pixels are first looked at when a ``CIContext``
/// draws it, then in one pass for the whole chain, by the confined process `photos-worker`. A recipe
/// never changes and can be used from any thread. Of what it was made of, files stay open: a file that
/// is replaced or deleted meanwhile is drawn as it was.
///
/// Coordinates have their origin at the lower left corner, as Core Image's have.
open class CIImage: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open and properties are of any type; nothing stored changes.

    /// How the picture is made.
    package let recipe: PictureRecipe
    /// What the recipe starts from.
    let sources: [RecipeSource]
    /// Where the picture lies.
    let box: RecipeRectangle
    /// Why there is no picture.
    let failure: CIRenderingError?

    /// What the file says of its picture, under ImageIO's names, as `CGImageSource` gives it.
    ///
    /// Files that a ``CIContext`` writes get the first picture's EXIF data from its file. Empty for what was
    /// not made of a file.
    public let properties: [String: Any]

    /// The file that the picture was made of, unless it was changed since.
    public let url: URL?

    /// The colours of the pixels that the picture was made of, where they are known.
    public let colorSpace: CGColorSpace?

    /// An empty picture.
    public override convenience init() {
        self.init(PictureRecipe(), of: [], in: .empty)
    }

    init(
        _ recipe: PictureRecipe,
        of sources: [RecipeSource],
        in box: RecipeRectangle,
        properties: [String: Any] = [:],
        url: URL? = nil,
        colorSpace: CGColorSpace? = nil,
        failure: CIRenderingError? = nil
    ) {
        self.recipe = recipe
        self.sources = sources
        self.box = box
        self.properties = properties
        self.url = url
        self.colorSpace = colorSpace
        self.failure = failure
        super.init()
    }

    /// A picture of one source, upright on demand.
    convenience init(
        _ source: RecipeSource,
        turned orientation: PhotoModel.Orientation = .up,
        properties: [String: Any] = [:],
        url: URL? = nil,
        colorSpace: CGColorSpace? = nil
    ) {
        var recipe = PictureRecipe(steps: [PictureRecipe.Step(.source(0))])
        var box = RecipeRectangle(source.description.size)
        if orientation != .up {
            let transform = OrientationTransform.make(orientation, in: box)
            recipe.steps.append(PictureRecipe.Step(.transform(transform), of: [0]))
            box = transform.applied(to: box).integral
        }
        self.init(
            recipe,
            of: [source],
            in: box,
            properties: orientation == .up ? properties : PictureProperties.upright(properties),
            url: url,
            colorSpace: colorSpace
        )
    }

    /// A picture with nothing in it.
    open class func empty() -> CIImage { CIImage() }

    /// Where the picture is not transparent, in pixels: its size, and how far it lies from the origin.
    ///
    /// `.null` for an empty picture, `.infinite` for one without an end.
    open var extent: CGRect { CGRect(box) }

    /// The same picture: it can't change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the same is done with the same sources.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CIImage else { return false }
        return recipe == other.recipe && failure == other.failure
            && sources.map(ObjectIdentifier.init) == other.sources.map(ObjectIdentifier.init)
    }

    /// Agrees with equality.
    open override var hash: Int { recipe.hashValue }

    /// The extent and how many steps lead to it.
    open override var description: String {
        if let failure { return "<\(type(of: self)) none: \(failure.line)>" }
        return "<\(type(of: self)) extent \(extent), \(recipe.steps.count) steps>"
    }
}

// MARK: - Adding to a recipe

extension CIImage {
    /// The picture after one more step.
    func adding(_ operation: PictureRecipe.Operation, isTurning: Bool = false) -> CIImage {
        guard failure == nil, !recipe.steps.isEmpty else { return self }
        var longer = recipe
        longer.steps.append(PictureRecipe.Step(operation, of: [recipe.steps.count - 1]))
        return CIImage(
            longer,
            of: sources,
            in: operation.extent(of: [box], sizes: []),
            properties: isTurning ? PictureProperties.upright(properties) : properties
        )
    }

    /// This picture on another one.
    func adding(over background: CIImage) -> CIImage {
        if failure != nil || background.recipe.steps.isEmpty { return self }
        if background.failure != nil || recipe.steps.isEmpty { return background }
        var all = sources
        let places = background.sources.map { source in
            if let index = all.firstIndex(where: { $0 === source }) { return index }
            all.append(source)
            return all.count - 1
        }
        var longer = recipe
        var known = Dictionary(
            longer.steps.enumerated().map { ($0.element, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
        // What both have in common is there once.
        var moved: [Int] = []
        for var step in background.recipe.steps {
            step.inputs = step.inputs.map { moved[$0] }
            if case .source(let index) = step.operation {
                step.operation = .source(places[index])
            }
            if let index = known[step] {
                moved.append(index)
            } else {
                known[step] = longer.steps.count
                moved.append(longer.steps.count)
                longer.steps.append(step)
            }
        }
        let inputs = [recipe.steps.count - 1, moved[moved.count - 1]]
        longer.steps.append(PictureRecipe.Step(.over, of: inputs))
        return CIImage(
            longer,
            of: all,
            in: box.union(background.box),
            properties: sources.isEmpty ? background.properties : properties
        )
    }

    /// No picture, and why; what is done with it makes no picture either.
    static func none(_ failure: CIRenderingError) -> CIImage {
        CIImage(PictureRecipe(), of: [], in: .empty, failure: failure)
    }
}

extension CGRect {
    init(_ box: RecipeRectangle) {
        if box.isEmpty {
            self = .null
        } else if box.minX < -1e14, box.minY < -1e14, box.maxX > 1e14, box.maxY > 1e14 {
            self = .infinite
        } else {
            self.init(x: box.minX, y: box.minY, width: box.width, height: box.height)
        }
    }
}

extension RecipeRectangle {
    init(_ rect: CGRect) {
        if rect.isNull || rect.isEmpty {
            self = .empty
        } else if rect.isInfinite {
            self = .infinite
        } else {
            self.init(
                minX: rect.minX,
                minY: rect.minY,
                maxX: rect.maxX,
                maxY: rect.maxY
            )
        }
    }
}
