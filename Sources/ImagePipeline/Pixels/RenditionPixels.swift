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
    ///   - jpeg: The rendition.
    ///   - plan: Of the whole picture.
    ///   - whole: The whole picture's size.
    ///   - takesLarger: Whether more pixels will do; the plan then is of all of the picture.
    /// - Returns: Nil when it is damaged, or there is no memory.
    static func make(
        _ jpeg: Data,
        plan: PixelPlan,
        whole: PixelSize,
        takesLarger: Bool
    ) -> Sealed? {
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
        if takesLarger || size == plan.canvas && plan.crop.size == whole {
            let description = PixelBufferDescription(size: size, layout: .rgbx)
            return sealed(description) { decode(jpeg, size, into: $0) }
        }
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.width * size.height * 4,
            alignment: 16
        )
        defer { bytes.deallocate() }
        guard decode(jpeg, size, into: bytes) else { return nil }
        return scaled(UnsafeRawBufferPointer(bytes), size: size, plan: plan, whole: whole)
    }

    /// Brings opaque pixels to a plan; nil when there is no memory.
    static func make(_ memory: PixelMemory, plan: PixelPlan, whole: PixelSize) -> Sealed? {
        memory.withBytes {
            scaled($0, size: memory.description.size, plan: plan, whole: whole)
        }
    }

    private static func decode(
        _ jpeg: Data,
        _ size: PixelSize,
        into memory: UnsafeMutableRawBufferPointer
    ) -> Bool {
        (try? JPEGDecoder.decode(jpeg, size: size, layout: .rgbx, into: memory)) != nil
    }

    private static func scaled(
        _ source: UnsafeRawBufferPointer,
        size: PixelSize,
        plan: PixelPlan,
        whole: PixelSize
    ) -> Sealed? {
        let hasBars = plan.canvas != plan.scaled
        let description = PixelBufferDescription(
            size: plan.canvas,
            layout: hasBars ? .rgba : .rgbx
        )
        let part = plan.moved(from: whole, to: size).crop
        return sealed(description) { target in
            // New memory is zero: what lies beside the picture is transparent.
            let start = (plan.origin.y * plan.canvas.width + plan.origin.x) * 4
            PixelScaler.scale(
                source,
                size: size,
                part: part,
                to: plan.scaled,
                into: UnsafeMutableRawBufferPointer(rebasing: target[start...]),
                targetBytesPerRow: plan.canvas.width * 4
            )
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
