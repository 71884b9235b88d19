public import Foundation
internal import LibraryService
internal import PhotoModel
package import WorkerClient

/// A context that renders images: it evaluates the whole recipe of a ``CIImage`` (its sources and
/// the operations on them) in one pass over the pixels.
///
/// Confined processes of `photos-worker`, shared by all contexts, do the work, so a context costs
/// nothing. A context can be used from any thread; its calls block the calling thread until they
/// finish. If the recipe contains no rotations or blurs, memory holds only stripes of the image,
/// whatever its size. Otherwise it holds one copy of the stored pixels.
///
/// Calls that don't throw log the reason when they produce nothing.
open class CIContext: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its stored state is immutable.
    let drawing: Drawing
    /// The color space of the output when a call does not specify one.
    let outputColorSpace: CGColorSpace
    /// The value of `CIContextOption.name`.
    public let name: String?

    /// Creates a context with default options.
    public override convenience init() { self.init(options: nil) }

    /// Creates a context.
    ///
    /// - Parameter options: See ``CIContextOption``. Values of the wrong type are ignored.
    public init(options: [CIContextOption: Any]? = nil) {
        outputColorSpace = options?[.outputColorSpace] as? CGColorSpace ?? .standard
        name = options?[.name] as? String
        let working = options?[.workingColorSpace]
        let isSignal = working is NSNull || (working as? CGColorSpace) == .standard
        let isLow = PropertyValue.truth(options?[.priorityRequestLow])
        drawing = Drawing(isLinear: !isSignal, priority: isLow ? .background : .visible)
        super.init()
    }

    // MARK: - Pixels

    /// Renders a region of an image with 8 bits per component in the context's output color space.
    ///
    /// - Parameters:
    ///   - image: The image to render.
    ///   - fromRect: A rectangle in the image's coordinates, expanded outward to whole pixels.
    ///     Pixels outside the image's extent are transparent.
    /// - Returns: Nil if the image is empty, its pixels can't be read, or the rectangle is infinite
    ///   or too large.
    open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        createCGImage(image, from: fromRect, format: .RGBA8, colorSpace: outputColorSpace)
    }

    /// Renders a region of an image.
    ///
    /// - Parameters:
    ///   - image: The image to render.
    ///   - fromRect: A rectangle in the image's coordinates, expanded outward to whole pixels.
    ///   - format: `RGBA8`, or `RGBAh` for linear values that may be brighter than white. The
    ///     result's `alphaInfo` states that colors are not premultiplied.
    ///   - colorSpace: sRGB or Display P3; for `RGBAh` extended linear Display P3. Nil selects the
    ///     context's color space, or extended linear Display P3 for `RGBAh`.
    /// - Returns: Nil if the image is empty, its pixels can't be read, or it can't be rendered.
    open func createCGImage(
        _ image: CIImage,
        from fromRect: CGRect,
        format: CIFormat,
        colorSpace: CGColorSpace?
    ) -> CGImage? {
        do throws(CIRenderingError) {
            return try cgImage(image, from: fromRect, format: format, colorSpace: colorSpace)
        } catch {
            RenderingLog.record(error)
            return nil
        }
    }

    /// Renders a region of an image.
    ///
    /// - Parameters:
    ///   - image: The image to render.
    ///   - fromRect: A rectangle in the image's coordinates, expanded outward to whole pixels.
    ///   - format: `RGBA8` or `RGBAh`.
    ///   - colorSpace: The color space, as in the method without `deferred`.
    ///   - deferred: Ignored; rendering is never deferred.
    /// - Returns: Nil if rendering fails.
    open func createCGImage(
        _ image: CIImage,
        from fromRect: CGRect,
        format: CIFormat,
        colorSpace: CGColorSpace?,
        deferred: Bool
    ) -> CGImage? {
        createCGImage(image, from: fromRect, format: format, colorSpace: colorSpace)
    }

    /// Renders a region of an image like `createCGImage`, but throws the error instead of logging
    /// it and returning nil.
    package func cgImage(
        _ image: CIImage,
        from rect: CGRect,
        format: CIFormat = .RGBA8,
        colorSpace: CGColorSpace? = nil,
        cancellation: WorkCancellation? = nil
    ) throws(CIRenderingError) -> CGImage {
        guard format == .RGBA8 || format == .RGBAh else {
            throw CIRenderingError(
                .invalidRequest,
                "An image cannot have the format \(format.rawValue).",
                recovery: "Use CIFormat.RGBA8 or RGBAh, or render(_:toBitmap:…) for BGRA8."
            )
        }
        let isLight = format == .RGBAh
        let layout = try BitmapFormat(format, colorSpace ?? (isLight ? nil : outputColorSpace))
        let drawn = try drawing.pixels(
            image,
            in: rect,
            layout: layout.layout,
            PictureRendering.PixelComponents(alpha: .straight),
            layout.colors,
            cancellation: cancellation
        )
        return CGImage(memory: drawn.memory, hasAlpha: drawn.hasAlpha)
    }

    /// Renders a region of an image into memory, with premultiplied alpha.
    ///
    /// If rendering fails, the memory is unchanged and the reason is logged.
    ///
    /// - Parameters:
    ///   - image: The image to render.
    ///   - data: A buffer for all rows, the top row first.
    ///   - rowBytes: The number of bytes from the start of one row to the start of the next.
    ///   - bounds: A rectangle in the image's coordinates. Its origin is rounded to a whole pixel,
    ///     and its size is rounded up: no more rows and columns are written.
    ///   - format: `RGBA8`, `BGRA8` or `RGBAh`.
    ///   - colorSpace: sRGB or Display P3; for `RGBAh` extended linear Display P3. Nil selects the
    ///     context's color space, or extended linear Display P3 for `RGBAh`.
    open func render(
        _ image: CIImage,
        toBitmap data: UnsafeMutableRawPointer,
        rowBytes: Int,
        bounds: CGRect,
        format: CIFormat,
        colorSpace: CGColorSpace?
    ) {
        do throws(CIRenderingError) {
            try draw(image, data, rowBytes, bounds, format, colorSpace)
        } catch {
            RenderingLog.record(error)
        }
    }

    /// Renders a region of an image into memory like `render(_:toBitmap:…)`, but throws the error
    /// instead of logging it.
    package func draw(
        _ image: CIImage,
        _ data: UnsafeMutableRawPointer,
        _ rowBytes: Int,
        _ bounds: CGRect,
        _ format: CIFormat,
        _ colorSpace: CGColorSpace?
    ) throws(CIRenderingError) {
        let layout = try BitmapFormat(
            format,
            colorSpace ?? (format == .RGBAh ? nil : outputColorSpace)
        )
        let drawn = try drawing.pixels(
            image,
            in: bounds.atWholePixel,
            layout: layout.layout,
            layout.components,
            layout.colors
        )
        let line = drawn.memory.description.bytesPerRow
        guard rowBytes >= line else {
            throw CIRenderingError(
                .invalidRequest,
                "A row of the image has \(line) bytes, not \(rowBytes)."
            )
        }
        drawn.memory.withBytes { bytes in
            for row in 0..<drawn.memory.description.size.height {
                let part = UnsafeRawBufferPointer(rebasing: bytes[row * line..<(row + 1) * line])
                UnsafeMutableRawBufferPointer(start: data + row * rowBytes, count: line)
                    .copyMemory(from: part)
            }
        }
    }
}

extension CGRect {
    /// The rectangle with its origin at the nearest whole pixel.
    ///
    /// Expanded outward, it has no more columns and rows than its size rounded up.
    fileprivate var atWholePixel: CGRect {
        CGRect(x: minX.rounded(), y: minY.rounded(), width: width, height: height)
    }
}
