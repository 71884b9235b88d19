import PhotoModel
import TestSupport
import Testing

@testable import Imaging

/// Small images: turned, shrunk and without their bars.
@Suite(.timeLimit(.minutes(1))) struct PixelImageTests {
    private func image(_ size: PixelSize, padding: Int = 0, _ bytes: [UInt8]) throws -> PixelImage {
        try bytes.withUnsafeBytes { bytes in
            let start = try #require(bytes.baseAddress)
            return try #require(
                PixelImage(size: size, rows: start, bytesPerRow: size.width * 3 + padding)
            )
        }
    }

    /// Returns an image of three columns and two rows, whose pixels are the letters a to f.
    private func letters() throws -> PixelImage {
        try image(
            PixelSize(width: 3, height: 2),
            "abcdef".utf8.flatMap { [$0, $0 + 1, $0 + 2] }
        )
    }

    /// By EXIF's definition: where the first row and the first column are.
    @Test(arguments: [
        (1, 3, "abcdef"), (2, 3, "cbafed"), (3, 3, "fedcba"), (4, 3, "defabc"), (5, 2, "adbecf"),
        (6, 2, "daebfc"), (7, 2, "fcebda"), (8, 2, "cfbead"),
    ])
    func orientationsAreThoseOfEXIF(_ row: (Int, Int, String)) throws {
        let orientation = try #require(Orientation(rawValue: row.0))
        let turned = try letters().turned(orientation)
        #expect(turned.size == PixelSize(width: row.1, height: 6 / row.1))
        let reds = stride(from: 0, to: turned.bytes.count, by: 3).map { turned.bytes[$0] }
        #expect(String(decoding: reds, as: UTF8.self) == row.2)
        #expect(turned.bytes[2] == turned.bytes[0] + 2)
    }

    @Test func paddingIsNotCopied() throws {
        let padded = try image(
            PixelSize(width: 1, height: 2),
            padding: 2,
            [1, 2, 3, 9, 9, 4, 5, 6, 9, 9]
        )
        #expect(padded.bytes == [1, 2, 3, 4, 5, 6])
        let bytes = [UInt8](repeating: 0, count: 30)
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for (width, height, row) in [(0, 1, 3), (1, 0, 3), (2, 1, 5), (1 << 40, 1 << 40, 9)] {
                let size = PixelSize(width: width, height: height)
                #expect(PixelImage(size: size, rows: start, bytesPerRow: row) == nil)
            }
        }
    }

    @Test("Shrinking keeps the mean and the proportions")
    func shrunkImagesKeepTheirMean() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<100 {
            let size = PixelSize(
                width: .random(in: 1...60, using: &generator),
                height: .random(in: 1...60, using: &generator)
            )
            let bytes = (0..<size.width * size.height * 3).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let side = Int.random(in: 1...40, using: &generator)
            let whole = try image(size, bytes)
            let small = whole.shrunk(toSide: side)
            guard max(size.width, size.height) > side else {
                #expect(small.bytes == bytes)
                continue
            }
            #expect(max(small.size.width, small.size.height) == side, seed.comment)
            for band in 0..<3 {
                func mean(_ image: PixelImage) -> Double {
                    let values = stride(from: band, to: image.bytes.count, by: 3)
                        .map { Double(image.bytes[$0]) }
                    return values.reduce(0, +) / Double(values.count)
                }
                #expect(abs(mean(whole) - mean(small)) < 1, "\(size) \(side) \(seed)")
            }
        }
    }

    // MARK: - Bars

    /// Returns a bright image with dark bars.
    private func barred(_ size: PixelSize, rows: Int = 0, columns: Int = 0) throws -> PixelImage {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isBar =
                    y < rows || y >= size.height - rows || x < columns || x >= size.width - columns
                bytes += isBar ? [2, 3, 4] : [180, 190, 200]
            }
        }
        return try image(size, bytes)
    }

    @Test func barsAreRemoved() throws {
        let wide = PixelSize(width: 300, height: 200)
        let four = PixelSize(width: 160, height: 120)
        // A 3:2 photo in a 4:3 preview has bars of 6.67 rows.
        let trimmed = try #require(try barred(four, rows: 7).trimmed(toAspectOf: wide))
        #expect(trimmed.size == PixelSize(width: 160, height: 106))
        #expect(trimmed.bytes.allSatisfy { $0 >= 180 })
        let tall = PixelSize(width: 200, height: 300)
        let narrow = try #require(
            try barred(four, columns: 40).trimmed(toAspectOf: tall)
        )
        #expect(narrow.size == PixelSize(width: 80, height: 120))
        #expect(narrow.bytes.allSatisfy { $0 >= 180 })
        // Without bars, the preview shows another part of the photo.
        #expect(try barred(four).trimmed(toAspectOf: wide) == nil)
        // Bars within the right aspect are those of another photo.
        #expect(try barred(four, rows: 10).trimmed(toAspectOf: four) == nil)
        #expect(try barred(four).trimmed(toAspectOf: four)?.size == four)
        #expect(try barred(four).trimmed(toAspectOf: PixelSize(width: 0, height: 5)) == nil)
        // A dark photo has no bars.
        #expect(try barred(four, rows: 60).trimmed(toAspectOf: four)?.size == four)
    }

    /// A panorama of 20,500 × 2,000 pixels in a preview 160 pixels wide has 15.6 rows.
    @Test func previewsWithARoundedThinSideAreKept() throws {
        let (wide, tall) = (
            PixelSize(width: 20_500, height: 2_000), PixelSize(width: 2_000, height: 20_500)
        )
        for rows in [15, 16] {
            let lying = PixelSize(width: 160, height: rows)
            let standing = PixelSize(width: rows, height: 160)
            let trimmed = try barred(lying).trimmed(toAspectOf: wide)
            let turned = try barred(standing).trimmed(toAspectOf: tall)
            // 15 rows are those of 154 columns, and the others are not dark.
            #expect(trimmed?.size == (rows == 16 ? lying : nil))
            #expect(turned?.size == (rows == 16 ? standing : nil))
        }
    }

    @Test func previewsOfEverySizeAreKeptOrRefused() throws {
        let long = [1, 2, 3, 7, 40, 1_000]
        let wholes = long.flatMap {
            [PixelSize(width: $0, height: 3), PixelSize(width: 3, height: $0)]
        }
        for number in 0..<400 {
            let size = PixelSize(width: number % 20 + 1, height: number / 20 + 1)
            let preview = try barred(size)
            for whole in wholes {
                let trimmed = preview.trimmed(toAspectOf: whole)
                let isLow = (size.height - 1) * whole.width < size.width * whole.height
                let isNarrow = (size.width - 1) * whole.height < size.height * whole.width
                // The sides differ by less than a pixel.
                if isLow, isNarrow {
                    #expect(trimmed?.size == size, "\(size), \(whole)")
                } else if let trimmed {
                    #expect(trimmed.size.width <= size.width, "\(size), \(whole)")
                    #expect(trimmed.size.height <= size.height, "\(size), \(whole)")
                }
            }
        }
    }

    @Test(arguments: [
        (100, 100, 100, 100, true), (1019, 1000, 100, 100, true), (1021, 1000, 100, 100, false),
        (100, 103, 100, 100, false), (0, 100, 100, 100, false), (100, 100, 100, 0, false),
    ])
    func aspectsAreEqualWithinTwoPercent(_ row: (Int, Int, Int, Int, Bool)) {
        let one = PixelSize(width: row.0, height: row.1)
        let other = PixelSize(width: row.2, height: row.3)
        #expect(PreviewEdges.isSameAspect(one, other) == row.4)
    }
}
