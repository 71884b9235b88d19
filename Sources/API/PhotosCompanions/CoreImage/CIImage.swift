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

    /// What a picture is made of.
    struct Content {
        var recipe = PictureRecipe()
        var sources: [RecipeSource] = []
        var box = RecipeRectangle.empty
        var properties: [String: Any] = [:]
        var url: URL?
        var colorSpace: CGColorSpace?
        var failure: CIRenderingError?
    }

    let content: Content

    /// How the picture is made.
    package var recipe: PictureRecipe { content.recipe }
    /// What the recipe starts from.
    var sources: [RecipeSource] { content.sources }
    /// Where the picture lies.
    var box: RecipeRectangle { content.box }
    /// Why there is no picture.
    var failure: CIRenderingError? { content.failure }

    /// What the file says of its picture, under ImageIO's names, as `CGImageSource` gives it.
    ///
    /// Files that a ``CIContext`` writes get the first picture's EXIF data from its file. Empty for what was
    /// not made of a file.
    open var properties: [String: Any] { content.properties }

    /// The file that the picture was made of, unless it was changed since.
    open var url: URL? { content.url }

    /// The colours of the pixels that the picture was made of, where they are known.
    open var colorSpace: CGColorSpace? { content.colorSpace }

    /// An empty picture.
    public override init() {
        content = Content()
        super.init()
    }

    init(_ content: Content) {
        self.content = content
        super.init()
    }

    convenience init(
        _ recipe: PictureRecipe,
        of sources: [RecipeSource],
        in box: RecipeRectangle,
        properties: [String: Any] = [:],
        url: URL? = nil,
        colorSpace: CGColorSpace? = nil,
        failure: CIRenderingError? = nil
    ) {
        self.init(
            Content(
                recipe: recipe,
                sources: sources,
                box: box,
                properties: properties,
                url: url,
                colorSpace: colorSpace,
                failure: failure
            )
        )
    }

    /// A picture of one source, upright on demand.
    convenience init(
        _ source: RecipeSource,
        turned orientation: PhotoModel.Orientation = .up,
        properties: [String: Any] = [:],
        url: URL? = nil,
        colorSpace: CGColorSpace? = nil
    ) {
        self.init(
            Content(
                source,
                turned: orientation,
                properties: properties,
                url: url,
                colorSpace: colorSpace
            )
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

    // MARK: - What it is made of

    /// The picture in a file, its pixels as they are stored; nil when there is none that can be read.
    ///
    /// Every still format that a library holds is read. The file is opened and its header read by a
    /// worker before the call returns; why that failed is logged. Pixels are not turned as the file's
    /// orientation says, which ``properties`` tells; HEIC, HEIF, AVIF, JPEG XL and RAW pictures are
    /// always upright here, and their orientation is 1.
    public init?(contentsOf url: URL) {
        guard let content = Content(contentsOf: url, options: nil) else { return nil }
        self.content = content
        super.init()
    }

    /// The picture in a file; nil when there is none that can be read.
    ///
    /// - Parameters:
    ///   - url: A file of this machine.
    ///   - options: ``CIImageOption/applyOrientationProperty`` turns it upright; others change nothing.
    public init?(contentsOf url: URL, options: [CIImageOption: Any]?) {
        guard let content = Content(contentsOf: url, options: options) else { return nil }
        self.content = content
        super.init()
    }

    /// The picture in the bytes of a file; nil when they are none.
    public init?(data: Data) {
        guard let content = Content(data: data, options: nil) else { return nil }
        self.content = content
        super.init()
    }

    /// The picture in the bytes of a file; nil when they are none.
    ///
    /// As ``init(contentsOf:options:)``; the bytes are copied once.
    public init?(data: Data, options: [CIImageOption: Any]?) {
        guard let content = Content(data: data, options: options) else { return nil }
        self.content = content
        super.init()
    }

    /// The pixels of an image, which are not copied before they are drawn.
    public init(cgImage: CGImage) {
        content = Content(cgImage)
        super.init()
    }

    /// The pixels of an image; no option changes how they are taken.
    public init(cgImage: CGImage, options: [CIImageOption: Any]?) {
        content = Content(cgImage)
        super.init()
    }

    /// The pixels of an image, as they are stored: its orientation is not applied.
    ///
    /// - Returns: Nil for an image that has no pixels.
    public init?(image: UIImage) {
        guard let content = Content(image) else { return nil }
        self.content = content
        super.init()
    }

    /// The pixels of an image, as they are stored; no option changes how they are taken.
    public init?(image: UIImage, options: [CIImageOption: Any]?) {
        guard let content = Content(image) else { return nil }
        self.content = content
        super.init()
    }

    /// One colour everywhere: crop it to the size that is wanted.
    public init(color: CIColor) {
        content = Content(color)
        super.init()
    }

    /// Pixels in memory, such as a movie's frame.
    ///
    /// The first row is the picture's top. Where the numbers do not fit together the image is empty, and
    /// drawing it says why.
    ///
    /// - Parameters:
    ///   - data: The rows, which are copied.
    ///   - bytesPerRow: From the start of one row to the start of the next.
    ///   - size: In pixels.
    ///   - format: `RGBA8`, `BGRA8` or `RGBAh`.
    ///   - colorSpace: sRGB or Display P3; for `RGBAh` extended linear Display P3. Nil stands for sRGB,
    ///     and for the latter.
    public init(
        bitmapData data: Data,
        bytesPerRow: Int,
        size: CGSize,
        format: CIFormat,
        colorSpace: CGColorSpace?
    ) {
        content = Content(
            data,
            bytesPerRow: bytesPerRow,
            size: size,
            format: format,
            colorSpace: colorSpace
        )
        super.init()
    }

    /// Black everywhere.
    open class var black: CIImage { CIImage(color: .black) }
    /// White everywhere.
    open class var white: CIImage { CIImage(color: .white) }
    /// Grey everywhere.
    open class var gray: CIImage { CIImage(color: .gray) }
    /// Red everywhere.
    open class var red: CIImage { CIImage(color: .red) }
    /// Green everywhere.
    open class var green: CIImage { CIImage(color: .green) }
    /// Blue everywhere.
    open class var blue: CIImage { CIImage(color: .blue) }
    /// Nothing everywhere.
    open class var clear: CIImage { CIImage(color: .clear) }

    // MARK: - Geometry

    /// The picture turned upright, as an orientation says that stored pixels are turned.
    ///
    /// What comes of it lies with its lower left corner where this one's lies, and ``properties`` say
    /// that it is upright.
    open func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        oriented(orientation.stored)
    }

    /// The picture turned upright by EXIF's number; as it is for what is none.
    open func oriented(forExifOrientation orientation: Int32) -> CIImage {
        PhotoModel.Orientation(rawValue: Int(orientation)).map(oriented) ?? self
    }

    /// What ``oriented(_:)`` does with coordinates.
    open func orientationTransform(
        for orientation: CGImagePropertyOrientation
    ) -> CGAffineTransform {
        CGAffineTransform(OrientationTransform.make(orientation.stored, in: box))
    }

    /// What ``oriented(forExifOrientation:)`` does with coordinates.
    open func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
        let stored = PhotoModel.Orientation(rawValue: Int(orientation)) ?? .up
        return CGAffineTransform(OrientationTransform.make(stored, in: box))
    }

    private func oriented(_ orientation: PhotoModel.Orientation) -> CIImage {
        guard orientation != .up else { return self }
        let transform = OrientationTransform.make(orientation, in: box)
        return adding(.transform(transform), isTurning: true)
    }

    /// What lies in a rectangle; it stays where it is.
    ///
    /// The rectangle is in the picture's coordinates, and is made larger to whole pixels.
    open func cropped(to rect: CGRect) -> CIImage {
        adding(.crop(RecipeRectangle(rect).integral))
    }

    /// The picture moved, turned, scaled or sheared.
    ///
    /// Turns by quarters and shifts by whole pixels keep every pixel as it is; all else is interpolated.
    /// What can't be taken back, such as a scale of 0, leaves nothing.
    open func transformed(by matrix: CGAffineTransform) -> CIImage {
        guard !matrix.isIdentity else { return self }
        let transform = RecipeTransform(matrix)
        guard transform.isInvertible else { return CIImage() }
        return adding(.transform(transform))
    }

    /// The picture moved, turned, scaled or sheared, always interpolated well.
    open func transformed(
        by matrix: CGAffineTransform,
        highQualityDownsample: Bool
    ) -> CIImage {
        transformed(by: matrix)
    }

    /// The picture with the colours of its edge going on without an end.
    open func clampedToExtent() -> CIImage { adding(.clamp) }

    /// The picture cropped, with the colours of the crop's edge going on without an end.
    open func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

    /// The picture with its alpha made 1 inside a rectangle, and nothing beside it.
    open func settingAlphaOne(in extent: CGRect) -> CIImage {
        cropped(to: extent).adding(.point([.opaque]))
    }

    /// This picture on another one.
    open func composited(over dest: CIImage) -> CIImage { adding(over: dest) }

    // MARK: - Filters

    /// The picture that a filter makes of this one.
    ///
    /// Where there is no such filter or input, no picture comes of it: drawing it fails and says why.
    ///
    /// - Parameters:
    ///   - filterName: The filter's name, such as `CISepiaTone`.
    ///   - params: Values for its inputs but `inputImage`; defaults for what is not there.
    /// - Returns: A longer recipe.
    open func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
        guard failure == nil else { return self }
        guard let filter = CIFilter(name: filterName, parameters: params) else {
            let error = CIRenderingError(
                .invalidRequest,
                "There is no filter \(filterName).",
                recovery: "CIFilter.filterNames(inCategory: nil) lists those that there are."
            )
            RenderingLog.record(error)
            return .none(error)
        }
        if filter.inputKeys.contains(kCIInputImageKey) {
            filter.setValue(self, forKey: kCIInputImageKey)
        }
        do throws(CIRenderingError) {
            return try filter.output()
        } catch {
            return .none(error)
        }
    }

    /// The picture that a filter makes of this one, with the filter's defaults.
    open func applyingFilter(_ filterName: String) -> CIImage {
        applyingFilter(filterName, parameters: [:])
    }

    /// The picture blurred.
    ///
    /// The standard deviation `sigma` is in pixels, at most 1000; nothing happens for 0 and less. The
    /// picture becomes larger by three of them on every side, with edges that fade:
    /// ``clampedToExtent()`` before, and a crop after it, keep edges as they are.
    open func applyingGaussianBlur(sigma: Double) -> CIImage {
        applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: sigma])
    }

    /// Filters that make the picture look better: saturation of dull colours, lights and shadows, and a
    /// tone curve, each only where it is of use.
    ///
    /// The picture is drawn small once, which takes as long as reading it does. Apply the filters in
    /// their order.
    open func autoAdjustmentFilters() -> [CIFilter] { autoAdjustmentFilters(options: nil) }

    /// Filters that make the picture look better.
    ///
    /// - Parameter options: See ``CIImageAutoAdjustmentOption``.
    /// - Returns: Filters whose `inputImage` is not set, to be applied in their order; none for a picture
    ///   that can't be drawn, which is logged.
    open func autoAdjustmentFilters(
        options: [CIImageAutoAdjustmentOption: Any]?
    ) -> [CIFilter] {
        guard options?[.enhance] as? Bool ?? true else { return [] }
        do throws(CIRenderingError) {
            return try Enhancement(of: self).filters
        } catch {
            RenderingLog.record(error)
            return []
        }
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
