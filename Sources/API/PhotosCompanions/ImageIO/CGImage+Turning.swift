internal import Foundation
internal import Glibc
internal import PhotoModel
internal import WorkerClient

extension CGImage {
    /// Returns this upright image with its pixels arranged as a file of the given orientation
    /// stores them; nil if memory can't be allocated.
    func turnedBack(_ orientation: PhotoModel.Orientation) -> CGImage? {
        guard orientation != .up else { return self }
        let swapsSides = orientation.rawValue > 4
        let size = PixelSize(
            width: swapsSides ? height : width,
            height: swapsSides ? width : height
        )
        let description = PixelBufferDescription(
            size: size,
            layout: memory.description.layout,
            colors: memory.description.colors
        )
        guard let length = description.length else { return nil }
        let pixelLength = memory.description.layout.bytesPerPixel
        let rowLength = bytesPerRow
        func offset(_ x: Int, _ y: Int) -> Int {
            let (column, row) = Self.place(x, y, in: size, orientation)
            return row * rowLength + column * pixelLength
        }
        // Offsets are linear in columns and rows.
        let first = offset(0, 0)
        let stepAcross = offset(1, 0) - first
        let stepDown = offset(0, 1) - first
        let source = memory.start
        let made = SealedMemory.make(length: length) { target in
            guard let target = target.baseAddress else { return false }
            withExtendedLifetime(memory) {
                for row in 0..<size.height {
                    var from = source + first + row * stepDown
                    var to = target + row * description.bytesPerRow
                    for _ in 0..<size.width {
                        to.copyMemory(from: from, byteCount: pixelLength)
                        from += stepAcross
                        to += pixelLength
                    }
                }
            }
            return true
        }
        guard let made else { return nil }
        defer { close(made) }
        let turned = PixelMemory(
            description: description,
            descriptor: made,
            maximumSide: WorkerPool.maximumDecodedSide
        )
        return turned.map { CGImage(memory: $0, hasAlpha: hasAlpha) }
    }

    /// Converts a pixel's position in the stored image to its position in the upright image.
    private static func place(
        _ x: Int,
        _ y: Int,
        in size: PixelSize,
        _ orientation: PhotoModel.Orientation
    ) -> (Int, Int) {
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (size.width - 1 - x, y)
        case .down: (size.width - 1 - x, size.height - 1 - y)
        case .downMirrored: (x, size.height - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (size.height - 1 - y, x)
        case .rightMirrored: (size.height - 1 - y, size.width - 1 - x)
        case .left: (y, size.width - 1 - x)
        }
    }
}
