import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import ImagePipeline

/// The means of an image's parts, and whether two images show the same.
@Suite(.timeLimit(.minutes(1))) struct PicturePartsTests {
    /// Returns the mean of each part by visiting the pixels of the part: those whose left upper
    /// corner lies in it.
    private func means(
        _ bytes: [UInt8],
        _ size: PixelSize,
        pixel: Int,
        row: Int,
        columns: Int,
        rows: Int
    ) -> [[Double]] {
        var sums = [[Double]](repeating: [0, 0, 0], count: columns * rows)
        var counts = [Double](repeating: 0, count: columns * rows)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let part = y * rows / size.height * columns + x * columns / size.width
                counts[part] += 1
                for band in 0..<3 { sums[part][band] += Double(bytes[y * row + x * pixel + band]) }
            }
        }
        return zip(sums, counts).map { sum, count in sum.map { $0 / count } }
    }

    @Test func partsAreMeansOfTheirPixels() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<30 {
            let size = PixelSize(
                width: .random(in: 24...70, using: &generator),
                height: .random(in: 24...70, using: &generator)
            )
            let pixel = Int.random(in: 3...4, using: &generator)
            let row = size.width * pixel + Int.random(in: 0...9, using: &generator)
            let bytes = (0..<row * size.height).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let (columns, rows) = (
                Int.random(in: 1...9, using: &generator), Int.random(in: 1...9, using: &generator)
            )
            let expected = means(bytes, size, pixel: pixel, row: row, columns: columns, rows: rows)
            try bytes.withUnsafeBytes { bytes in
                let parts = try #require(
                    PictureParts(bytes, size: size, bytesPerPixel: pixel, bytesPerRow: row)
                )
                let colors = parts.colors(columns: columns, rows: rows)
                #expect(colors == expected.flatMap { $0.map { UInt8($0.rounded()) } }, seed.comment)
                let luma = parts.luma(columns: columns, rows: rows)
                for (found, mean) in zip(luma, expected) {
                    let exact = 0.299 * mean[0] + 0.587 * mean[1] + 0.114 * mean[2]
                    #expect(abs(found - exact) < 0.6, seed.comment)
                }
                #expect(luma.count == columns * rows)
            }
        }
    }

    @Test(arguments: [
        (24, 24, 3, 72, 24 * 72, true), (23, 24, 3, 72, 24 * 72, false),
        (24, 23, 3, 72, 24 * 72, false), (24, 24, 2, 72, 24 * 72, false),
        (24, 24, 3, 71, 24 * 72, false), (24, 24, 3, 72, 24 * 72 - 1, false),
    ])
    func buffersThatAreTooShortAreRefused(_ row: (Int, Int, Int, Int, Int, Bool)) {
        let parts = [UInt8](repeating: 1, count: row.4).withUnsafeBytes {
            PictureParts(
                $0,
                size: PixelSize(width: row.0, height: row.1),
                bytesPerPixel: row.2,
                bytesPerRow: row.3
            )
        }
        #expect((parts != nil) == row.5)
    }

    // MARK: - Comparing

    private static let side = 16

    /// Returns random luma with much contrast in each part.
    private func luma(_ generator: inout some RandomNumberGenerator) -> [Double] {
        (0..<Self.side * Self.side).map { _ in Double.random(in: 0...255, using: &generator) }
    }

    private func isSame(_ one: [Double], _ other: [Double]) -> Bool {
        PictureParts.isSame(one, other, columns: Self.side)
    }

    @Test func brightnessAndContrastDoNotCount() {
        let seed = TestSeed()
        var generator = seed.generator
        let one = luma(&generator)
        #expect(isSame(one, one))
        #expect(isSame(one, one.map { $0 * 0.7 + 20 }), seed.comment)
        #expect(!isSame(one, one.map { 255 - $0 }), seed.comment)
        #expect(!isSame(one, luma(&generator)), seed.comment)
    }

    @Test("One part that shows another thing is enough", arguments: 0..<16)
    func eachPartCounts(_ part: Int) {
        let seed = TestSeed()
        var generator = seed.generator
        // Large differences between the parts make the whole similar, whatever is in one of them.
        let one = (0..<Self.side * Self.side).map { index in
            let (x, y) = (index % Self.side / 4, index / Self.side / 4)
            return Double((x * 5 + y * 3) % 7) * 1000 + .random(in: 0...90, using: &generator)
        }
        var other = one
        let indices = one.indices.filter { index in
            index / Self.side / 4 * 4 + index % Self.side / 4 == part
        }
        let mean = indices.reduce(0) { $0 + one[$1] } / Double(indices.count)
        for index in indices { other[index] = 2 * mean - one[index] }
        // Without the expressions' values, which are long.
        var answers = [isSame(one, other), isSame(other, one)]
        #expect(answers == [false, false], seed.comment)
        // Where there is nothing to see, differences are noise.
        for index in indices { other[index] = mean + (one[index] - mean) / 20 }
        var flat = one
        for index in indices { flat[index] = mean - (one[index] - mean) / 20 }
        answers = [isSame(flat, other), isSame(other, flat)]
        #expect(answers == [true, true], seed.comment)
    }

    @Test func whatHasNoContrastOrAnotherSizeIsNotTheSame() {
        let flat = [Double](repeating: 90, count: Self.side * Self.side)
        #expect(!isSame(flat, flat))
        var generator = TestSeed().generator
        let one = luma(&generator)
        #expect(!isSame(one, Array(one.dropLast())))
        #expect(!isSame([], []))
    }
}
