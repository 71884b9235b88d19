package import FoundationEssentials
package import PhotoModel

/// The decoding and scaling of renditions to pixels in memory of this process.
package enum RenditionPixels {
    /// Rendered pixels with their description.
    package struct Made {
        package var description: PixelBufferDescription
        package var block: PixelBlock
    }

    /// The maximum width or height of the full-size image that a rendition belongs to.
    private static let longestSide = 1 << 24
    /// The maximum number of bytes of a result, which is that of a worker's answer.
    private static let mostBytes = 1 << 31

    /// Returns whether a result of a size has few enough bytes to be made.
    package static func canMake(_ size: PixelSize) -> Bool {
        PixelBufferDescription(size: size, layout: .rgba).length.map { $0 <= mostBytes } ?? false
    }

    /// Decodes a rendition, crops it to a requested part and scales it to a requested size.
    ///
    /// If the rendition has too few pixels, the result is smaller and shows the same part.
    ///
    /// - Parameters:
    ///   - jpeg: The rendition.
    ///   - alpha: The alpha of a partly transparent image.
    ///   - shape: The requested part and size.
    ///   - whole: The size of the full-size image.
    ///   - takesLarger: Whether a result with more pixels is accepted if it shows the whole image.
    /// - Returns: Nil when the rendition is damaged or memory cannot be allocated.
    package static func make(
        jpeg: Data,
        alpha: Data?,
        shape: PixelShape,
        of whole: PixelSize,
        takesLarger: Bool
    ) -> Made? {
        let sides = 1...longestSide
        guard sides.contains(whole.width), sides.contains(whole.height) else { return nil }
        let made = try? JPEGDecoder.withOpened(jpeg) { opened in
            let size = opened.header.size
            let plan = PixelPlan(shape, of: whole)
            return make(
                opened,
                alpha,
                plan: plan.isCovered(by: size, of: whole)
                    ? plan : plan.reduced(to: size, of: whole),
                whole: whole,
                takesLarger: takesLarger && shape.takesWholes
            )
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

    /// Decodes premultiplied pixels at a size, and returns whether that succeeded.
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

    /// Scales pixels according to a plan; pixels with alpha must be premultiplied.
    ///
    /// - Parameters:
    ///   - source: The pixels of the whole image, in four bytes each.
    ///   - size: The size of the source.
    ///   - plan: The plan, in coordinates of the full-size image.
    ///   - whole: The size of the full-size image.
    ///   - isTransparent: Whether the fourth byte is alpha.
    /// - Returns: Nil when memory cannot be allocated.
    package static func scaled(
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
        // A program can request any size, and memory that was allocated may still not exist.
        guard let length = description.length, length <= mostBytes,
            let block = PixelBlock(count: length, body)
        else { return nil }
        return Made(description: description, block: block)
    }
}
