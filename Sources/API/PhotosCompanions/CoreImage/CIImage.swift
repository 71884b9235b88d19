public import Foundation
package import PhotoModel
internal import WorkerClient

/// A recipe for an image: its sources and the operations on them.
///
/// Creating or extending a recipe costs next to nothing. Pixels are only read when a ``CIContext``
/// renders it, in one pass for the whole chain, by the confined process `photos-worker`. A recipe
/// is immutable and can be used from any thread. Source files stay open: a file that is replaced or
/// deleted in the meantime is rendered with its original content.
///
/// The origin of the coordinate system is at the lower left, as in Core Image.
open class CIImage: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open and properties are of any type; its stored state is
    // immutable.

    /// The sources, steps and properties of an image.
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

    /// The steps that produce the image.
    package var recipe: PictureRecipe { content.recipe }
    /// The sources that the recipe refers to.
    var sources: [RecipeSource] { content.sources }
    /// The extent of the image.
    var box: RecipeRectangle { content.box }
    /// The error if the image could not be created.
    var failure: CIRenderingError? { content.failure }

    /// The image properties of the file that the image was made from, under ImageIO's keys.
    ///
    /// They have the form in which `CGImageSource` returns them. Files that a ``CIContext`` writes
    /// get their EXIF data from the first file among the image's sources. An image that is
    /// composited over another has the properties of this file: its own, or those of the other one
    /// if it was not made from a file. Empty if neither was.
    open var properties: [String: Any] { content.properties }

    /// The file that the image was made from; nil once the image has been modified.
    open var url: URL? { content.url }

    /// The color space of the source's pixels, if known; nil once the image has been modified.
    ///
    /// For a file it is sRGB, or Display P3 if the file has a color profile other than sRGB.
    open var colorSpace: CGColorSpace? { content.colorSpace }

    /// Creates an empty image.
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

    /// Creates an image from one source, optionally oriented upright.
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

    /// Returns an empty image.
    open class func empty() -> CIImage { CIImage() }

    /// The rectangle outside which the image is transparent, in pixels relative to the origin.
    ///
    /// `.null` for an empty image, `.infinite` for one without bounds.
    open var extent: CGRect { CGRect(box) }

    /// Returns the image itself, because images are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether two images apply the same operations to the same sources.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CIImage else { return false }
        return recipe == other.recipe && failure == other.failure
            && sources.map(ObjectIdentifier.init) == other.sources.map(ObjectIdentifier.init)
    }

    /// A hash value consistent with equality.
    open override var hash: Int { recipe.hashValue }

    /// A debug description with the extent and the number of recipe steps.
    open override var description: String {
        if let failure { return "<\(type(of: self)) none: \(failure.line)>" }
        return "<\(type(of: self)) extent \(extent), \(recipe.steps.count) steps>"
    }

    // MARK: - Creating images

    /// Creates an image from a file, with its pixels as stored; nil if the file can't be read as an
    /// image.
    ///
    /// Supports every still format that a library holds. The call opens the file and a worker reads
    /// its header before the call returns; a failure is logged. The orientation in ``properties``
    /// is not applied to the pixels. HEIC, HEIF, AVIF, JPEG XL and RAW images are always decoded
    /// upright, and their orientation is 1.
    public init?(contentsOf url: URL) {
        guard let content = Content(contentsOf: url, options: nil) else { return nil }
        self.content = content
        super.init()
    }

    /// Creates an image from a file; nil if the file can't be read as an image.
    ///
    /// - Parameters:
    ///   - url: A local file.
    ///   - options: ``CIImageOption/applyOrientationProperty`` orients the image upright; others
    ///     are ignored.
    public init?(contentsOf url: URL, options: [CIImageOption: Any]?) {
        guard let content = Content(contentsOf: url, options: options) else { return nil }
        self.content = content
        super.init()
    }

    /// Creates an image from a file's data; nil if the data can't be read as an image.
    public init?(data: Data) {
        guard let content = Content(data: data, options: nil) else { return nil }
        self.content = content
        super.init()
    }

    /// Creates an image from a file's data; nil if the data can't be read as an image.
    ///
    /// Works like ``init(contentsOf:options:)``; the data is copied once.
    public init?(data: Data, options: [CIImageOption: Any]?) {
        guard let content = Content(data: data, options: options) else { return nil }
        self.content = content
        super.init()
    }

    /// Creates an image from a bitmap image, whose pixels are not copied until rendering.
    public init(cgImage: CGImage) {
        content = Content(cgImage)
        super.init()
    }

    /// Creates an image from a bitmap image; the options are ignored.
    public init(cgImage: CGImage, options: [CIImageOption: Any]?) {
        content = Content(cgImage)
        super.init()
    }

    /// Creates an image from the stored pixels of a `UIImage`, without applying the orientation.
    ///
    /// - Returns: Nil if the image has no pixels.
    public init?(image: UIImage) {
        guard let content = Content(image) else { return nil }
        self.content = content
        super.init()
    }

    /// Creates an image from the stored pixels of a `UIImage`; the options are ignored.
    public init?(image: UIImage, options: [CIImageOption: Any]?) {
        guard let content = Content(image) else { return nil }
        self.content = content
        super.init()
    }

    /// Creates an image of infinite extent in one color, to be cropped to the desired size.
    public init(color: CIColor) {
        content = Content(color)
        super.init()
    }

    /// Creates an image from pixels in memory, such as a movie's frame.
    ///
    /// The first row is the top of the image. If the arguments are inconsistent, the image is empty
    /// and rendering it fails with the reason.
    ///
    /// - Parameters:
    ///   - data: The rows, which are copied.
    ///   - bytesPerRow: The number of bytes from the start of one row to the start of the next.
    ///   - size: The size in pixels.
    ///   - format: `RGBA8`, `BGRA8` or `RGBAh`.
    ///   - colorSpace: sRGB or Display P3; for `RGBAh` extended linear Display P3. Nil selects
    ///     sRGB, or extended linear Display P3 for `RGBAh`.
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

    /// An infinite black image.
    open class var black: CIImage { CIImage(color: .black) }
    /// An infinite white image.
    open class var white: CIImage { CIImage(color: .white) }
    /// An infinite gray image.
    open class var gray: CIImage { CIImage(color: .gray) }
    /// An infinite red image.
    open class var red: CIImage { CIImage(color: .red) }
    /// An infinite green image.
    open class var green: CIImage { CIImage(color: .green) }
    /// An infinite blue image.
    open class var blue: CIImage { CIImage(color: .blue) }
    /// An infinite transparent image.
    open class var clear: CIImage { CIImage(color: .clear) }

    // MARK: - Geometry

    /// Returns the image oriented upright, given the orientation of its stored pixels.
    ///
    /// The result keeps the lower left corner, and its ``properties`` state that it is upright.
    open func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        oriented(orientation.stored)
    }

    /// Returns the image oriented upright, given an EXIF orientation; unchanged for an invalid
    /// number.
    open func oriented(forExifOrientation orientation: Int32) -> CIImage {
        PhotoModel.Orientation(rawValue: Int(orientation)).map(oriented) ?? self
    }

    /// Returns the transform that ``oriented(_:)`` applies.
    open func orientationTransform(
        for orientation: CGImagePropertyOrientation
    ) -> CGAffineTransform {
        CGAffineTransform(OrientationTransform.make(orientation.stored, in: box))
    }

    /// Returns the transform that ``oriented(forExifOrientation:)`` applies.
    open func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
        let stored = PhotoModel.Orientation(rawValue: Int(orientation)) ?? .up
        return CGAffineTransform(OrientationTransform.make(stored, in: box))
    }

    private func oriented(_ orientation: PhotoModel.Orientation) -> CIImage {
        guard orientation != .up else { return self }
        let transform = OrientationTransform.make(orientation, in: box)
        return adding(.transform(transform), isTurning: true)
    }

    /// Returns the image cropped to a rectangle, without moving it.
    ///
    /// The rectangle is in the image's coordinates and is expanded outward to whole pixels.
    open func cropped(to rect: CGRect) -> CIImage {
        adding(.crop(RecipeRectangle(rect).integral))
    }

    /// Returns the image transformed by a matrix.
    ///
    /// Rotations by quarter turns and translations by whole pixels preserve every pixel; all other
    /// transforms interpolate. A transform that is not invertible, such as a scale of 0, produces
    /// an empty image.
    open func transformed(by matrix: CGAffineTransform) -> CIImage {
        guard !matrix.isIdentity else { return self }
        let transform = RecipeTransform(matrix)
        guard transform.isInvertible else { return failure == nil ? CIImage() : self }
        return adding(.transform(transform))
    }

    /// Returns the image transformed by a matrix, always with high-quality interpolation.
    open func transformed(
        by matrix: CGAffineTransform,
        highQualityDownsample: Bool
    ) -> CIImage {
        transformed(by: matrix)
    }

    /// Returns an infinite image in which the colors at the image's edges continue outward.
    open func clampedToExtent() -> CIImage { adding(.clamp) }

    /// Returns the image cropped to a rectangle, with the edge colors continued outward without
    /// limit.
    open func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

    /// Returns the image with all pixels opaque inside a rectangle and transparent outside.
    open func settingAlphaOne(in extent: CGRect) -> CIImage {
        cropped(to: extent).adding(.point([.opaque]))
    }

    /// Returns the image composited over another.
    ///
    /// If either image has failed, the result has failed too; rendering it fails with the reason.
    /// An image composed of more than 32 files and bitmaps can't be rendered at once: render a part
    /// of it with ``CIContext/createCGImage(_:from:)``, and continue with the result.
    open func composited(over dest: CIImage) -> CIImage { adding(over: dest) }

    // MARK: - Filters

    /// Returns the output of a filter applied to the image.
    ///
    /// An unknown filter or input produces a failed image; rendering it fails with the reason.
    ///
    /// - Parameters:
    ///   - filterName: The filter's name, such as `CISepiaTone`.
    ///   - params: Values for its inputs except `inputImage`; missing ones get their defaults.
    /// - Returns: An image with an extended recipe.
    open func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
        guard failure == nil else { return self }
        guard let filter = CIFilter(name: filterName, parameters: params) else {
            let error = CIRenderingError(
                .invalidRequest,
                "There is no filter \(filterName).",
                recovery: "CIFilter.filterNames(inCategory: nil) lists the available filters."
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

    /// Returns the output of a filter applied to the image, with default values for the filter's
    /// other inputs.
    open func applyingFilter(_ filterName: String) -> CIImage {
        applyingFilter(filterName, parameters: [:])
    }

    /// Returns the image with a Gaussian blur applied.
    ///
    /// The standard deviation `sigma` is in pixels, at most 1000; values of 0 or less have no
    /// effect. The extent grows by three standard deviations on every side, and the edges fade. To
    /// keep edges sharp, apply ``clampedToExtent()`` before and a crop after.
    open func applyingGaussianBlur(sigma: Double) -> CIImage {
        applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: sigma])
    }

    /// Returns only those automatic enhancement filters that the image needs.
    ///
    /// They adjust the saturation of dull colors, highlights and shadows, and the tone curve. The
    /// call renders the image once at a small size, which takes as long as reading it. Apply the
    /// filters in order.
    open func autoAdjustmentFilters() -> [CIFilter] { autoAdjustmentFilters(options: nil) }

    /// Returns filters that enhance the image.
    ///
    /// - Parameter options: See ``CIImageAutoAdjustmentOption``.
    /// - Returns: Filters without an `inputImage`, to be applied in order. Empty if the image can't
    ///   be rendered; the reason is logged.
    open func autoAdjustmentFilters(
        options: [CIImageAutoAdjustmentOption: Any]?
    ) -> [CIFilter] {
        guard PropertyValue.number(options?[.enhance]) ?? 1 != 0 else { return [] }
        do throws(CIRenderingError) {
            return try Enhancement(of: self).filters
        } catch {
            RenderingLog.record(error)
            return []
        }
    }
}

// MARK: - Extending a recipe

extension CIImage {
    /// Returns the image with one more step at the end of its recipe.
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

    /// Returns the image composited over another; a failed image if either has failed.
    func adding(over background: CIImage) -> CIImage {
        // Failed images come first, because their recipes are empty.
        if failure != nil { return self }
        if background.failure != nil { return background }
        if background.recipe.steps.isEmpty { return self }
        if recipe.steps.isEmpty { return background }
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
        // Steps that both recipes share are kept once.
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
            // Those of the file whose EXIF data rendered files get, the first of all sources.
            properties: sources.contains(where: \.isFile) ? properties : background.properties
        )
    }

    /// Returns a failed image; every operation on it also produces a failed image.
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
