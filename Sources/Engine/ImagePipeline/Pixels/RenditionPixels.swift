internal import Foundation
internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient

/// Renders requested pixels from a small image, in memory of this process.
enum RenditionPixels {
    /// Rendered pixels with their description.
    struct Made {
        var description: PixelBufferDescription
        var block: PixelBlock
    }

    /// Decodes a rendition and scales it according to a plan.
    ///
    /// - Parameters:
    ///   - rendition: The rendition.
    ///   - plan: The plan, in coordinates of the full-size image.
    ///   - whole: The size of the full-size image.
    ///   - takesLarger: Whether a result with more pixels is accepted; the plan then covers the
    ///     whole image.
    /// - Returns: Nil when the rendition is damaged or memory cannot be allocated.
    static func make(
        _ rendition: RenditionStore.Rendition,
        plan: PixelPlan,
        whole: PixelSize,
        takesLarger: Bool
    ) -> Made? {
        let made = try? JPEGDecoder.withOpened(rendition.jpeg) { opened in
            make(opened, rendition.alpha, plan: plan, whole: whole, takesLarger: takesLarger)
        }
        return made ?? nil
    }

    private static func make(
        _ opened: borrowing OpenedJPEG,
        _ alpha: Data?,
        plan: PixelPlan,
        whole: PixelSize,
        takesLarger: Bool
    ) -> Made? {
        let header = opened.header
        let part = plan.moved(from: whole, to: header.size).crop.size
        func needed(_ side: Int, _ scaled: Int, _ part: Int) -> Int {
            (side * min(scaled, part) + part - 1) / max(1, part)
        }
        let size = header.scaledSize(
            covering: PixelSize(
                width: needed(header.size.width, plan.scaled.width, part.width),
                height: needed(header.size.height, plan.scaled.height, part.height)
            )
        )
        let isWhole = takesLarger || size == plan.canvas && plan.crop.size == whole
        if isWhole {
            let layout: PixelBufferLayout = alpha == nil ? .rgbx : .rgba
            return block(PixelBufferDescription(size: size, layout: layout)) { target in
                guard decode(opened, alpha, size, into: target) else { return false }
                if alpha != nil { TransparentPixels.divide(target) }
                return true
            }
        }
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.width * size.height * 4,
            alignment: 16
        )
        defer { bytes.deallocate() }
        guard decode(opened, alpha, size, into: bytes) else { return nil }
        return scaled(
            UnsafeRawBufferPointer(bytes),
            size: size,
            plan: plan,
            whole: whole,
            isTransparent: alpha != nil
        )
    }

    /// Scales pixels according to a plan; nil when memory cannot be allocated.
    static func make(
        _ memory: PixelMemory,
        hasAlpha: Bool,
        plan: PixelPlan,
        whole: PixelSize
    ) -> Made? {
        let size = memory.description.size
        return memory.withBytes { pixels in
            guard hasAlpha else {
                return scaled(pixels, size: size, plan: plan, whole: whole, isTransparent: false)
            }
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: pixels.count,
                alignment: 16
            )
            defer { copy.deallocate() }
            copy.copyMemory(from: pixels)
            TransparentPixels.multiply(copy)
            return scaled(
                UnsafeRawBufferPointer(copy),
                size: size,
                plan: plan,
                whole: whole,
                isTransparent: true
            )
        }
    }

    /// Decodes pixels at a size, premultiplied if there is alpha, and returns whether that
    /// succeeded.
    private static func decode(
        _ opened: borrowing OpenedJPEG,
        _ alpha: Data?,
        _ size: PixelSize,
        into memory: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard (try? opened.decode(to: size, layout: .rgbx, into: memory)) != nil else {
            return false
        }
        guard let alpha else { return true }
        return (try? JPEGDecoder.header(of: alpha))?.size == opened.header.size
            && TransparentPixels.join(alpha, to: memory, size: size)
    }

    /// Scales pixels according to a plan; transparent ones have to be premultiplied.
    private static func scaled(
        _ source: UnsafeRawBufferPointer,
        size: PixelSize,
        plan: PixelPlan,
        whole: PixelSize,
        isTransparent: Bool
    ) -> Made? {
        let hasBars = plan.canvas != plan.scaled
        let description = PixelBufferDescription(
            size: plan.canvas,
            layout: hasBars || isTransparent ? .rgba : .rgbx
        )
        let part = plan.moved(from: whole, to: size).crop
        return block(description) { target in
            // The canvas around the image is transparent.
            if hasBars { target.initializeMemory(as: UInt8.self, repeating: 0) }
            let start = (plan.origin.y * plan.canvas.width + plan.origin.x) * 4
            PixelScaler.scale(
                source,
                size: size,
                part: part,
                exactPart: UnitRectangle(
                    x: Double(plan.crop.x) / Double(whole.width),
                    y: Double(plan.crop.y) / Double(whole.height),
                    width: Double(plan.crop.size.width) / Double(whole.width),
                    height: Double(plan.crop.size.height) / Double(whole.height)
                ),
                to: plan.scaled,
                into: UnsafeMutableRawBufferPointer(rebasing: target[start...]),
                targetBytesPerRow: plan.canvas.width * 4,
                scalesAlpha: isTransparent
            )
            if isTransparent { TransparentPixels.divide(target) }
            return true
        }
    }

    private static func block(
        _ description: PixelBufferDescription,
        _ body: (UnsafeMutableRawBufferPointer) -> Bool
    ) -> Made? {
        guard let length = description.length, let block = PixelBlock(count: length, body) else {
            return nil
        }
        return Made(description: description, block: block)
    }
}
