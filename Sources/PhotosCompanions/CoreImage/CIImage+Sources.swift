public import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

extension CIImage {
    /// The picture in a file, its pixels as they are stored; nil when there is none that can be read.
    ///
    /// Every still format that a library holds is read. The file is opened and its header read by a
    /// worker before the call returns; why that failed is logged. Pixels are not turned as the file's
    /// orientation says, which ``properties`` tells; HEIC, HEIF, AVIF, JPEG XL and RAW pictures are
    /// always upright here, and their orientation is 1.
    public convenience init?(contentsOf url: URL) {
        self.init(contentsOf: url, options: nil)
    }

    /// The picture in a file; nil when there is none that can be read.
    ///
    /// - Parameters:
    ///   - url: A file of this machine.
    ///   - options: ``CIImageOption/applyOrientationProperty`` turns it upright; others change nothing.
    public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]?) {
        do throws(CIRenderingError) {
            self.init(try PictureFile(url), options, url: url)
        } catch {
            RenderingLog.note(error)
            return nil
        }
    }

    /// The picture in the bytes of a file; nil when they are none.
    public convenience init?(data: Data) {
        self.init(data: data, options: nil)
    }

    /// The picture in the bytes of a file; nil when they are none.
    ///
    /// As ``init(contentsOf:options:)``; the bytes are copied once.
    public convenience init?(data: Data, options: [CIImageOption: Any]?) {
        do throws(CIRenderingError) {
            self.init(try PictureFile(data), options, url: nil)
        } catch {
            RenderingLog.note(error)
            return nil
        }
    }

    private convenience init(_ file: PictureFile, _ options: [CIImageOption: Any]?, url: URL?) {
        let isUpright = options?[.applyOrientationProperty] as? Bool ?? false
        self.init(
            file.source,
            turned: isUpright ? file.orientation : .up,
            properties: ImageProperties(file.facts).dictionary,
            url: url
        )
    }

    /// The pixels of an image, which are not copied before they are drawn.
    public convenience init(cgImage: CGImage) {
        self.init(RecipeSource(cgImage), colorSpace: cgImage.colorSpace)
    }

    /// The pixels of an image; no option changes how they are taken.
    public convenience init(cgImage: CGImage, options: [CIImageOption: Any]?) {
        self.init(cgImage: cgImage)
    }

    /// The pixels of an image, as they are stored: its orientation is not applied.
    ///
    /// - Returns: Nil for an image that has no pixels.
    public convenience init?(image: UIImage) {
        self.init(image: image, options: nil)
    }

    /// The pixels of an image, as they are stored; no option changes how they are taken.
    public convenience init?(image: UIImage, options: [CIImageOption: Any]?) {
        if let picture = image.ciImage {
            self.init(
                picture.recipe,
                of: picture.sources,
                in: picture.box,
                properties: picture.properties,
                url: picture.url,
                colorSpace: picture.colorSpace,
                failure: picture.failure
            )
        } else if let cgImage = image.cgImage {
            self.init(cgImage: cgImage)
        } else {
            return nil
        }
    }

    /// One colour everywhere: crop it to the size that is wanted.
    public convenience init(color: CIColor) {
        func bounded(_ component: CGFloat) -> Double {
            component.isNaN ? 0 : min(max(Double(component), -1000), 1000)
        }
        let operation = PictureRecipe.Operation.color(
            red: bounded(color.red),
            green: bounded(color.green),
            blue: bounded(color.blue),
            alpha: min(max(bounded(color.alpha), 0), 1)
        )
        self.init(
            PictureRecipe(steps: [PictureRecipe.Step(operation)]),
            of: [],
            in: .infinite
        )
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
    public convenience init(
        bitmapData data: Data,
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
            RenderingLog.note(error)
            self.init(PictureRecipe(), of: [], in: .empty, failure: error)
        }
    }

    /// Black everywhere.
    public class var black: CIImage { CIImage(color: .black) }
    /// White everywhere.
    public class var white: CIImage { CIImage(color: .white) }
    /// Grey everywhere.
    public class var gray: CIImage { CIImage(color: .gray) }
    /// Red everywhere.
    public class var red: CIImage { CIImage(color: .red) }
    /// Green everywhere.
    public class var green: CIImage { CIImage(color: .green) }
    /// Blue everywhere.
    public class var blue: CIImage { CIImage(color: .blue) }
    /// Nothing everywhere.
    public class var clear: CIImage { CIImage(color: .clear) }
}
