internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient

extension RenditionPixels {
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
}
