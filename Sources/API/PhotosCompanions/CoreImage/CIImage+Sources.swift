internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

extension CIImage.Content {
    /// Creates content from one source, optionally oriented upright.
    init(
        _ source: RecipeSource,
        turned orientation: PhotoModel.Orientation = .up,
        properties: [String: Any] = [:],
        url: URL? = nil,
        colorSpace: CGColorSpace? = nil
    ) {
        recipe = PictureRecipe(steps: [PictureRecipe.Step(.source(0))])
        sources = [source]
        box = RecipeRectangle(source.description.size)
        if orientation != .up {
            let transform = OrientationTransform.make(orientation, in: box)
            recipe.steps.append(PictureRecipe.Step(.transform(transform), of: [0]))
            box = transform.applied(to: box).integral
        }
        self.properties =
            orientation == .up ? properties : PictureProperties.upright(properties)
        self.url = url
        self.colorSpace = colorSpace
    }

    /// Creates content from a file; logs the error and returns nil if it can't be read as an image.
    init?(contentsOf url: URL, options: [CIImageOption: Any]?) {
        do throws(CIRenderingError) {
            self.init(try PictureFile(url), options, url: url)
        } catch {
            RenderingLog.record(error)
            return nil
        }
    }

    /// Creates content from file data; logs the error and returns nil if it can't be read as an
    /// image.
    init?(data: Data, options: [CIImageOption: Any]?) {
        do throws(CIRenderingError) {
            self.init(try PictureFile(data), options, url: nil)
        } catch {
            RenderingLog.record(error)
            return nil
        }
    }

    private init(_ file: PictureFile, _ options: [CIImageOption: Any]?, url: URL?) {
        let isUpright = PropertyValue.truth(options?[.applyOrientationProperty])
        self.init(
            file.source,
            turned: isUpright ? file.orientation : .up,
            properties: ImageProperties(file.facts).dictionary,
            url: url,
            colorSpace: file.facts.colorSpace
        )
    }

    /// Creates content from a bitmap image.
    init(_ image: CGImage) {
        self.init(RecipeSource(image), colorSpace: image.colorSpace)
    }

    /// Creates content from the stored pixels of a `UIImage`, or returns nil if the image has none.
    init?(_ image: UIImage) {
        if let picture = image.ciImage {
            self = picture.content
        } else if let cgImage = image.cgImage {
            self.init(cgImage)
        } else {
            return nil
        }
    }

    /// Creates content of infinite extent in one color.
    init(_ color: CIColor) {
        func bounded(_ component: CGFloat) -> Double {
            component.isNaN ? 0 : min(max(Double(component), -1000), 1000)
        }
        let operation = PictureRecipe.Operation.color(
            red: bounded(color.red),
            green: bounded(color.green),
            blue: bounded(color.blue),
            alpha: min(max(bounded(color.alpha), 0), 1)
        )
        recipe = PictureRecipe(steps: [PictureRecipe.Step(operation)])
        box = .infinite
    }

    /// Creates content from pixels in memory; if the arguments are inconsistent, logs the error and
    /// creates empty content.
    init(
        _ data: Data,
        bytesPerRow: Int,
        size: CGSize,
        format: CIFormat,
        colorSpace: CGColorSpace?
    ) {
        do throws(CIRenderingError) {
            let source = try BitmapSource.make(
                data,
                bytesPerRow: bytesPerRow,
                size: size,
                format: format,
                colorSpace: colorSpace
            )
            self.init(source, colorSpace: colorSpace)
        } catch {
            RenderingLog.record(error)
            self.init()
            failure = error
        }
    }
}
