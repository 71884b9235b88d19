internal import Foundation
internal import Glibc
internal import PhotoModel
internal import WorkerClient

extension CGImage {
    /// The pixels as they were before they were turned upright; nil when there is no memory.
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
        let step = memory.description.layout.bytesPerPixel
        let rowLength = bytesPerRow
        let start = memory.start
        let made = SealedMemory.make(length: length) { target in
            withExtendedLifetime(memory) {
                for row in 0..<size.height {
                    for column in 0..<size.width {
                        let (x, y) = Self.place(column, row, in: size, orientation)
                        let from = y * rowLength + x * step
                        let to = row * description.bytesPerRow + column * step
                        target.baseAddress?.advanced(by: to).copyMemory(
                            from: start.advanced(by: from),
                            byteCount: step
                        )
                    }
                }
            }
            return true
        }
        guard let made else { return nil }
        defer { close(made) }
        return CGImage(descriptor: made, description: description, hasAlpha: hasAlpha)
    }

    /// Where a stored pixel is in the upright picture.
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
