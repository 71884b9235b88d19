import PhotoModel
import RenditionCodec
import TestSupport
import Testing

/// The scaler for the library's own renditions.
@Suite(.timeLimit(.minutes(2)))
struct PixelScalerTests {
    private func scaled(
        _ bytes: [UInt8],
        _ size: PixelSize,
        part: PixelRectangle? = nil,
        to target: PixelSize
    ) -> [UInt8] {
        var result = [UInt8](repeating: 7, count: target.width * target.height * 4)
        result.withUnsafeMutableBytes { result in
            bytes.withUnsafeBytes { source in
                PixelScaler.scale(
                    source,
                    size: size,
                    part: part ?? PixelRectangle(x: 0, y: 0, size: size),
                    to: target,
                    into: result,
                    targetBytesPerRow: target.width * 4
                )
            }
        }
        return result
    }

    private func random(_ size: PixelSize, _ generator: inout some RandomNumberGenerator)
        -> [UInt8]
    {
        var bytes = [UInt8](repeating: 255, count: size.width * size.height * 4)
        for index in bytes.indices where index % 4 != 3 {
            bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        return bytes
    }

    @Test func plainAreasStayWhatTheyAre() {
        for value in [UInt8(0), 1, 127, 254, 255] {
            let size = PixelSize(width: 31, height: 17)
            var bytes = [UInt8](repeating: value, count: 31 * 17 * 4)
            for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 }
            for target in [PixelSize(width: 7, height: 5), PixelSize(width: 40, height: 60)] {
                let result = scaled(bytes, size, to: target)
                #expect(
                    result.indices.allSatisfy { result[$0] == ($0 % 4 == 3 ? 255 : value) }
                )
            }
        }
    }

    @Test func theSameSizeIsTheSamePicture() {
        let seed = TestSeed()
        var generator = seed.generator
        let size = PixelSize(width: 19, height: 23)
        let bytes = random(size, &generator)
        #expect(scaled(bytes, size, to: size) == bytes, seed.comment)
        let part = PixelRectangle(x: 3, y: 5, size: PixelSize(width: 8, height: 9))
        var cut: [UInt8] = []
        for y in 5..<14 {
            let start = (y * 19 + 3) * 4
            cut += bytes[start..<start + 32]
        }
        #expect(scaled(bytes, size, part: part, to: part.size) == cut, seed.comment)
    }

    @Test func shrinkingKeepsTheMean() {
        let seed = TestSeed()
        var generator = seed.generator
        let size = PixelSize(width: 64, height: 48)
        let bytes = random(size, &generator)
        let small = scaled(bytes, size, to: PixelSize(width: 16, height: 12))
        func mean(_ bytes: [UInt8]) -> Double {
            Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count)
        }
        #expect(abs(mean(bytes) - mean(small)) < 4, seed.comment)
    }

    @Test("Any size to any size is what the filter says, computed plainly")
    func anySizeToAnySize() {
        let seed = TestSeed()
        var generator = seed.generator
        for width in [1, 2, 3, 10, 255] {
            for target in [1, 2, 7, 11, 300] {
                let size = PixelSize(width: width, height: 2)
                let bytes = random(size, &generator)
                let result = scaled(bytes, size, to: PixelSize(width: target, height: 2))
                for y in 0..<2 {
                    let row = (0..<width).map { Double(bytes[(y * width + $0) * 4]) }
                    for x in 0..<target {
                        let wanted = cubic(row, x, of: target)
                        let given = Double(result[(y * target + x) * 4])
                        #expect(abs(wanted - given) <= 1, seed.comment)
                    }
                }
            }
        }
    }

    /// Returns one pixel of a scaled row.
    private func cubic(_ row: [Double], _ x: Int, of target: Int) -> Double {
        let step = Double(row.count) / Double(target)
        let center = (Double(x) + 0.5) * step
        var (sum, weights) = (0.0, 0.0)
        for (index, value) in row.enumerated() {
            let distance = abs(Double(index) + 0.5 - center) / max(1, step)
            let cube = distance * distance * distance
            let square = distance * distance
            let weight =
                distance < 1
                ? 1.5 * cube - 2.5 * square + 1
                : distance < 2 ? -0.5 * cube + 2.5 * square - 4 * distance + 2 : 0
            sum += value * weight
            weights += weight
        }
        return max(0, min(255, sum / weights))
    }

    @Test func aPartMayBeginBetweenTwoPixels() {
        let size = PixelSize(width: 64, height: 1)
        var bytes = [UInt8](repeating: 255, count: 64 * 4)
        for x in 0..<64 { bytes[x * 4] = UInt8(x * 4) }
        var result = [UInt8](repeating: 7, count: 15 * 4)
        result.withUnsafeMutableBytes { result in
            bytes.withUnsafeBytes { source in
                PixelScaler.scale(
                    source,
                    size: size,
                    part: PixelRectangle(x: 10, y: 0, size: PixelSize(width: 16, height: 1)),
                    exactPart: UnitRectangle(x: 10.5 / 64, y: 0, width: 15.0 / 64, height: 1),
                    to: PixelSize(width: 15, height: 1),
                    into: result,
                    targetBytesPerRow: 15 * 4
                )
            }
        }
        // Halfway between two steps of the ramp, except at the ends.
        for x in 2..<13 {
            #expect(abs(Int(result[x * 4]) - (42 + 4 * x)) <= 1)
        }
    }

    @Test func colorsStayWithinTheirAlpha() {
        let seed = TestSeed()
        var generator = seed.generator
        let size = PixelSize(width: 40, height: 30)
        var bytes = random(size, &generator)
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = UInt8.random(in: 0...255, using: &generator)
            bytes[pixel + 3] = alpha
            for band in 0..<3 { bytes[pixel + band] = min(bytes[pixel + band], alpha) }
        }
        let target = PixelSize(width: 33, height: 47)
        var result = [UInt8](repeating: 7, count: target.width * target.height * 4)
        result.withUnsafeMutableBytes { result in
            bytes.withUnsafeBytes { source in
                PixelScaler.scale(
                    source,
                    size: size,
                    part: PixelRectangle(x: 0, y: 0, size: size),
                    to: target,
                    into: result,
                    targetBytesPerRow: target.width * 4,
                    scalesAlpha: true
                )
            }
        }
        for pixel in stride(from: 0, to: result.count, by: 4) {
            #expect((0..<3).allSatisfy { result[pixel + $0] <= result[pixel + 3] }, seed.comment)
        }
    }
}
