import PhotoModel
import SamplePhotos
import Testing
import WorkerClient

extension RGBImage {
    /// The same shapes in inverted colors.
    var negative: RGBImage { RGBImage(size: size, bytes: bytes.map { 255 - $0 }) }

    /// Returns the picture scaled without regard to aspect; each pixel is the mean of those that it
    /// covers.
    func scaled(to target: PixelSize) -> RGBImage {
        func span(_ index: Int, _ from: Int, _ to: Int) -> Range<Int> {
            let start = index * from / to
            return start..<max(start + 1, (index + 1) * from / to)
        }
        var result: [UInt8] = []
        result.reserveCapacity(target.width * target.height * 3)
        for y in 0..<target.height {
            let rows = span(y, size.height, target.height)
            for x in 0..<target.width {
                let columns = span(x, size.width, target.width)
                for channel in 0..<3 {
                    var sum = 0
                    for row in rows {
                        for column in columns {
                            sum += Int(bytes[(row * size.width + column) * 3 + channel])
                        }
                    }
                    result.append(UInt8(sum / (rows.count * columns.count)))
                }
            }
        }
        return RGBImage(size: target, bytes: result)
    }

    /// Returns a part of the picture.
    func part(_ part: PixelRectangle) -> RGBImage {
        let rows = part.y..<part.y + part.size.height
        let result = rows.flatMap { row in
            let start = (row * size.width + part.x) * 3
            return bytes[start..<start + part.size.width * 3]
        }
        return RGBImage(size: part.size, bytes: result)
    }

    /// Returns the picture in the center of a black area.
    func framed(in outer: PixelSize) -> RGBImage {
        var result = [UInt8](repeating: 0, count: outer.width * outer.height * 3)
        let left = (outer.width - size.width) / 2
        let top = (outer.height - size.height) / 2
        for row in 0..<size.height {
            let start = ((top + row) * outer.width + left) * 3
            let line = bytes[row * size.width * 3..<(row + 1) * size.width * 3]
            result.replaceSubrange(start..<start + size.width * 3, with: line)
        }
        return RGBImage(size: outer, bytes: result)
    }

    /// Returns the mean difference of a channel, of 255; both must have the same size.
    func difference(from other: RGBImage) throws -> Double {
        try #require(size == other.size)
        let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(max(1, bytes.count))
    }
}

extension PixelSize {
    /// Returns the largest size of the same aspect inside another.
    func fitted(into outer: PixelSize) -> PixelSize {
        let factor = min(
            Double(outer.width) / Double(width),
            Double(outer.height) / Double(height)
        )
        return PixelSize(
            width: Int((Double(width) * factor).rounded()),
            height: Int((Double(height) * factor).rounded())
        )
    }
}

extension PixelMemory {
    /// The pixels as an image of three channels.
    var image: RGBImage {
        let step = description.layout.bytesPerPixel
        let pixels = description.size.width * description.size.height
        let bytes = withBytes { bytes in
            (0..<pixels).flatMap { bytes[$0 * step..<$0 * step + 3] }
        }
        return RGBImage(size: description.size, bytes: bytes)
    }
}
