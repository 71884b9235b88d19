internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// A namespace for copying bitmaps into sealed shared memory, without padding between the rows.
enum BitmapSource {
    static func make(
        _ data: Data,
        bytesPerRow: Int,
        size: CGSize,
        format: CIFormat,
        colorSpace: CGColorSpace?
    ) throws(CIRenderingError) -> RecipeSource {
        let layout = try BitmapFormat(format, colorSpace)
        guard let width = Int(exactly: size.width), let height = Int(exactly: size.height),
            width > 0, height > 0, width <= 1 << 20, height <= 1 << 20
        else {
            throw mismatch("The size \(size.width) × \(size.height) is not a valid size in pixels.")
        }
        let pixels = PixelBufferDescription(
            size: PixelSize(width: width, height: height),
            layout: layout.layout,
            colors: layout.colors
        )
        let line = pixels.bytesPerRow
        guard bytesPerRow >= line else {
            throw mismatch("A row of \(width) pixels has \(line) bytes, not \(bytesPerRow).")
        }
        guard let length = pixels.length,
            case (let whole, false) = bytesPerRow.multipliedReportingOverflow(by: height - 1),
            data.count - line >= whole
        else {
            throw mismatch(
                "\(data.count) bytes are too few for \(height) rows of \(bytesPerRow) bytes."
            )
        }
        let memory = SealedMemory.make(length: length) { buffer in
            data.withUnsafeBytes { bytes in
                for row in 0..<height {
                    let start = row * bytesPerRow
                    UnsafeMutableRawBufferPointer(rebasing: buffer[row * line..<(row + 1) * line])
                        .copyMemory(
                            from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + line])
                        )
                }
            }
            return true
        }
        guard let memory else { throw RecipeSource.noMemory(length) }
        return RecipeSource(
            .pixels(pixels, layout.components),
            .pixels(Descriptor(owning: memory)),
            name: "The bitmap"
        )
    }

    private static func mismatch(_ reason: String) -> CIRenderingError {
        CIRenderingError(.invalidRequest, "The bitmap is not an image.", reason: reason)
    }
}

/// A pixel format and a color space, converted to the types that a rendering request uses.
struct BitmapFormat {
    let layout: PixelBufferLayout
    let components: PictureRendering.PixelComponents
    let colors: PixelColors

    init(_ format: CIFormat, _ colorSpace: CGColorSpace?) throws(CIRenderingError) {
        let isBlueFirst = format == .BGRA8
        components = PictureRendering.PixelComponents(
            alpha: .premultiplied,
            isBlueFirst: isBlueFirst
        )
        switch format {
        case .RGBA8, .BGRA8: layout = .rgba
        case .RGBAh: layout = .rgbaHalf
        default:
            throw CIRenderingError(
                .invalidRequest,
                "Pixels cannot have the format \(format.rawValue).",
                recovery: "Use CIFormat.RGBA8, BGRA8 or RGBAh."
            )
        }
        colors = try Self.colors(colorSpace, layout)
    }

    /// Converts the color space of pixels with the given layout to the type that a rendering
    /// request uses.
    ///
    /// Without a color space, the result is sRGB for 8-bit pixels and extended linear Display P3
    /// for half-float pixels.
    static func colors(
        _ colorSpace: CGColorSpace?,
        _ layout: PixelBufferLayout
    ) throws(CIRenderingError) -> PixelColors {
        let isLight = layout == .rgbaHalf
        switch colorSpace?.name {
        case nil: return isLight ? .extendedLinearDisplayP3 : .sRGB
        case CGColorSpace.sRGB where !isLight: return .sRGB
        case CGColorSpace.displayP3 where !isLight: return .displayP3
        case CGColorSpace.extendedLinearDisplayP3 where isLight: return .extendedLinearDisplayP3
        case let name?:
            throw CIRenderingError(
                .invalidRequest,
                "Pixels of \(layout.bitsPerComponent) bits cannot be in the color space \(name).",
                recovery: isLight
                    ? "Use CGColorSpace.extendedLinearDisplayP3."
                    : "Use CGColorSpace.sRGB or CGColorSpace.displayP3."
            )
        }
    }
}
