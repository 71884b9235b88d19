public import Foundation
internal import LibraryService
internal import PhotoModel
package import WorkerClient

/// Draws pictures: everything that a recipe says, in one pass over the pixels.
///
/// The work is done by confined processes of `photos-worker`, which are shared by all contexts, so a
/// context costs nothing. It can be used from any thread; its calls block theirs until they are done. Of a
/// picture without turns and blurs only stripes are in memory, whatever its size; else one copy of its
/// stored pixels.
///
/// Calls without an error of their own log why they gave nothing.
open class CIContext: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; nothing stored changes.
    let drawing: Drawing
    /// The colours of what is drawn where a call does not say.
    let outputColorSpace: CGColorSpace
    /// What `CIContextOption.name` was.
    public let name: String?

    /// A context with all options as they are by default.
    public override convenience init() { self.init(options: nil) }

    /// A context.
    ///
    /// - Parameter options: See ``CIContextOption``. Values of another kind than an option takes are as
    ///   if they were not there.
    public init(options: [CIContextOption: Any]? = nil) {
        outputColorSpace = options?[.outputColorSpace] as? CGColorSpace ?? .standard
        name = options?[.name] as? String
        let working = options?[.workingColorSpace]
        let isSignal = working is NSNull || (working as? CGColorSpace) == .standard
        let isLow = options?[.priorityRequestLow] as? Bool ?? false
        drawing = Drawing(isLinear: !isSignal, priority: isLow ? .background : .visible)
        super.init()
    }

    // MARK: - Pixels

    /// Draws a part of a picture, 8 bits a component, in the context's colours.
    ///
    /// - Parameters:
    ///   - image: What is drawn.
    ///   - fromRect: In the picture's coordinates, made larger to whole pixels; beside the picture there
    ///     is nothing.
    /// - Returns: Nil when there is no picture, when its pixels can't be read, and for infinitely many.
    open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        createCGImage(image, from: fromRect, format: .RGBA8, colorSpace: outputColorSpace)
    }

    /// Draws a part of a picture.
    ///
    /// - Parameters:
    ///   - image: What is drawn.
    ///   - fromRect: In the picture's coordinates, made larger to whole pixels.
    ///   - format: `RGBA8`, or `RGBAh` for light that may be brighter than white. The image says by its
    ///     `alphaInfo` that colours are not multiplied with alpha.
    ///   - colorSpace: sRGB or Display P3; for `RGBAh` extended linear Display P3. Nil stands for the
    ///     context's, and for the latter.
    /// - Returns: Nil when there is no picture, when its pixels can't be read, and for what can't be drawn.
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

    /// Draws a part of a picture.
    ///
    /// - Parameters:
    ///   - image: What is drawn.
    ///   - fromRect: In the picture's coordinates, made larger to whole pixels.
    ///   - format: `RGBA8` or `RGBAh`.
    ///   - colorSpace: As for the call without `deferred`.
    ///   - deferred: Nothing is deferred here, whatever it says.
    /// - Returns: Nil when nothing could be drawn.
    open func createCGImage(
        _ image: CIImage,
        from fromRect: CGRect,
        format: CIFormat,
        colorSpace: CGColorSpace?,
        deferred: Bool
    ) -> CGImage? {
        createCGImage(image, from: fromRect, format: format, colorSpace: colorSpace)
    }

    /// As `createCGImage`, with the error.
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
                "An image can't have the format \(format.rawValue).",
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

    /// Draws a part of a picture into memory, colours multiplied with alpha.
    ///
    /// Where it can't be drawn the memory stays as it is, and why is logged.
    ///
    /// - Parameters:
    ///   - image: What is drawn.
    ///   - data: Room for all rows, the picture's top first.
    ///   - rowBytes: From the start of one row to the start of the next.
    ///   - bounds: In the picture's coordinates, made larger to whole pixels.
    ///   - format: `RGBA8`, `BGRA8` or `RGBAh`.
    ///   - colorSpace: sRGB or Display P3; for `RGBAh` extended linear Display P3. Nil stands for the
    ///     context's, and for the latter.
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

    /// As `render(_:toBitmap:…)`, with the error.
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
            in: bounds,
            layout: layout.layout,
            layout.components,
            layout.colors
        )
        let line = drawn.memory.description.bytesPerRow
        guard rowBytes >= line else {
            throw CIRenderingError(
                .invalidRequest,
                "A row of the picture has \(line) bytes, not \(rowBytes)."
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
