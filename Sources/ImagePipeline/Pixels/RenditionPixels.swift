internal import Foundation
internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient

/// Makes pixels as they are wanted of a small picture.
enum RenditionPixels {
    /// New sealed memory, whose descriptor is the receiver's.
    struct Sealed {
        var description: PixelBufferDescription
        var descriptor: Int32
    }

    /// Decodes a rendition and brings it to a plan.
    ///
    /// - Parameters:
    ///   - rendition: The small picture.
    ///   - plan: Of the whole picture.
    ///   - whole: The whole picture's size.
    ///   - takesLarger: Whether more pixels will do; the plan then is of all of the picture.
    /// - Returns: Nil when it is damaged, or there is no memory.
    static func make(
        _ rendition: RenditionStore.Rendition,
        plan: PixelPlan,
        whole: PixelSize,
        takesLarger: Bool
    ) -> Sealed? {
        let jpeg = rendition.jpeg
        guard let header = try? JPEGDecoder.header(of: jpeg) else { return nil }
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
        if isWhole, rendition.alpha == nil {
            let description = PixelBufferDescription(size: size, layout: .rgbx)
            return sealed(description) { decode(jpeg, size, into: $0) }
        }
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.width * size.height * 4,
            alignment: 16
        )
        defer { bytes.deallocate() }
        guard decode(jpeg, size, into: bytes) else { return nil }
        if let alpha = rendition.alpha {
            guard (try? JPEGDecoder.header(of: alpha))?.size == header.size,
                TransparentPixels.join(alpha, to: bytes, size: size)
            else { return nil }
        }
        let pixels = UnsafeRawBufferPointer(bytes)
        if isWhole {
            return sealed(PixelBufferDescription(size: size, layout: .rgba)) { target in
                target.copyMemory(from: pixels)
                TransparentPixels.divide(target)
                return true
            }
        }
        return scaled(
            pixels,
            size: size,
            plan: plan,
            whole: whole,
            isTransparent: rendition.alpha != nil
        )
    }

    /// Brings pixels to a plan; nil when there is no memory.
    static func make(
        _ memory: PixelMemory,
        hasAlpha: Bool,
        plan: PixelPlan,
        whole: PixelSize
    ) -> Sealed? {
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

    private static func decode(
        _ jpeg: Data,
        _ size: PixelSize,
        into memory: UnsafeMutableRawBufferPointer
    ) -> Bool {
        (try? JPEGDecoder.decode(jpeg, size: size, layout: .rgbx, into: memory)) != nil
    }

    /// Transparent pixels come multiplied with their alpha.
    private static func scaled(
        _ source: UnsafeRawBufferPointer,
        size: PixelSize,
        plan: PixelPlan,
        whole: PixelSize,
        isTransparent: Bool
    ) -> Sealed? {
        let hasBars = plan.canvas != plan.scaled
        let description = PixelBufferDescription(
            size: plan.canvas,
            layout: hasBars || isTransparent ? .rgba : .rgbx
        )
        let part = plan.moved(from: whole, to: size).crop
        return sealed(description) { target in
            // New memory is zero: what lies beside the picture is transparent.
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

    private static func sealed(
        _ description: PixelBufferDescription,
        _ body: (UnsafeMutableRawBufferPointer) -> Bool
    ) -> Sealed? {
        guard let length = description.length,
            let descriptor = SealedMemory.make(length: length, body)
        else { return nil }
        return Sealed(description: description, descriptor: descriptor)
    }
}
