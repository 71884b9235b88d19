import Foundation
import PhotoModel
import RenditionCodec
import TestSupport
import Testing

/// Pixels from a rendition: the requested part, in the requested size.
@Suite(.timeLimit(.minutes(1))) struct RenditionPixelsTests {
    /// The full size of the photo, of which renditions are a quarter.
    private static let whole = PixelSize(width: 800, height: 600)
    private static let size = PixelSize(width: 200, height: 150)
    private static let quarters: [[UInt8]] = [
        [230, 20, 20], [20, 230, 20], [20, 20, 230], [230, 230, 20],
    ]

    private struct Rendition {
        var jpeg: Data
        var alpha: Data?
    }

    /// Returns the color at a point of the photo, in fractions of its sides.
    private static func color(_ x: Double, _ y: Double) -> [UInt8] {
        quarters[(y < 0.5 ? 0 : 2) + (x < 0.5 ? 0 : 1)]
    }

    /// Returns a rendition whose quarters have different colors.
    private func rendition(alpha: UInt8? = nil) throws -> Rendition {
        let size = Self.size
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                bytes += Self.color(
                    (Double(x) + 0.5) / Double(size.width),
                    (Double(y) + 0.5) / Double(size.height)
                ).map { UInt8(Int($0) * Int(alpha ?? 255) / 255) }
            }
        }
        let jpeg = try bytes.withUnsafeBytes {
            try JPEGEncoder(quality: 95, subsampling: .s444).encode(
                PixelRows(bytes: $0, size: size)
            )
        }
        let plane = try alpha.map { alpha in
            try [UInt8](repeating: alpha, count: size.width * size.height).withUnsafeBytes {
                try JPEGEncoder(quality: 95).encode(
                    PixelRows(bytes: $0, size: size, layout: .gray)
                )
            }
        }
        return Rendition(jpeg: jpeg, alpha: plane)
    }

    /// Returns the pixels of a shape of a photo.
    private func made(
        _ shape: PixelShape,
        from rendition: Rendition,
        of whole: PixelSize = whole,
        takesLarger: Bool = false
    ) throws -> (size: PixelSize, layout: PixelBufferLayout, bytes: [UInt8])? {
        let made = RenditionPixels.make(
            jpeg: rendition.jpeg,
            alpha: rendition.alpha,
            shape: shape,
            of: whole,
            takesLarger: takesLarger
        )
        guard let made else { return nil }
        let bytes = UnsafeRawBufferPointer(start: made.block.start, count: made.block.count)
        return (made.description.size, made.description.layout, Array(bytes))
    }

    /// Returns whether a color is near another one, as after compression.
    private func isNear(_ one: some Collection<UInt8>, _ other: [UInt8], by most: Int = 12) -> Bool
    {
        zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= most }
    }

    /// Shapes within the rendition's pixels.
    static let shapes: [PixelShape] = [
        PixelShape(size: PixelSize(width: 200, height: 150)),
        PixelShape(size: PixelSize(width: 100, height: 100)),
        PixelShape(size: PixelSize(width: 61, height: 47), fitting: .fill),
        PixelShape(size: PixelSize(width: 60, height: 60), fitting: .exactFill),
        PixelShape(size: PixelSize(width: 40, height: 120), fitting: .exactFill),
        PixelShape(
            size: PixelSize(width: 50, height: 50),
            crop: UnitRectangle(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        ),
        PixelShape(
            size: PixelSize(width: 30, height: 30),
            fitting: .exactFill,
            crop: UnitRectangle(x: 0.6, y: 0, width: 0.4, height: 1)
        ),
    ]

    /// The memory of larger ones could be allocated and would not exist.
    @Test func resultsHaveAtMostAsManyBytesAsThoseOfAWorker() throws {
        let rendition = try rendition()
        for fitting in [PixelShape.Fitting.exactFit, .exactFill] {
            for size in [
                PixelSize(width: 1 << 30, height: 1), PixelSize(width: 1, height: 1 << 30),
                PixelSize(width: .max, height: .max), PixelSize(width: 30_000, height: 30_000),
            ] {
                let shape = PixelShape(size: size, fitting: fitting)
                let isMade = try made(shape, from: rendition, of: Self.size) != nil
                #expect(!isMade)
            }
        }
    }

    @Test("Each pixel has the color of its place in the photo", arguments: shapes)
    func pixelsShowTheirPlaces(_ shape: PixelShape) throws {
        let plan = PixelPlan(shape, of: Self.whole)
        let result = try #require(try made(shape, from: try rendition()))
        #expect(result.size == plan.canvas && result.layout == .rgbx)
        for y in 0..<result.size.height {
            for x in 0..<result.size.width {
                let (right, down) = (
                    (Double(plan.crop.x) + (Double(x) + 0.5) / Double(plan.scaled.width)
                        * Double(plan.crop.size.width))
                        / Double(Self.whole.width),
                    (Double(plan.crop.y) + (Double(y) + 0.5) / Double(plan.scaled.height)
                        * Double(plan.crop.size.height))
                        / Double(Self.whole.height)
                )
                // Filters and compression blend colors at the borders of the quarters.
                guard abs(right - 0.5) > 0.05, abs(down - 0.5) > 0.05 else { continue }
                let start = (y * result.size.width + x) * 4
                let pixel = result.bytes[start..<start + 3]
                #expect(isNear(pixel, Self.color(right, down)), "\(x) \(y) \(Array(pixel))")
                #expect(result.bytes[start + 3] == 255)
            }
        }
    }

    @Test func barsAreTransparentAndThePictureIsCentered() throws {
        let shape = PixelShape(size: PixelSize(width: 100, height: 100), fitting: .exactFit)
        let result = try #require(try made(shape, from: try rendition()))
        #expect(result.size == PixelSize(width: 100, height: 100) && result.layout == .rgba)
        for y in 0..<100 {
            let start = (y * 100 + 20) * 4
            // 75 rows of the picture between bars of 12 and 13 rows.
            let isBar = y < 12 || y >= 87
            #expect(result.bytes[start + 3] == (isBar ? 0 : 255), "\(y)")
            if isBar { #expect(result.bytes[start..<start + 3].allSatisfy { $0 == 0 }) }
        }
    }

    @Test func aLargerResultIsWhole() throws {
        let shape = PixelShape(size: PixelSize(width: 90, height: 90))
        let result = try #require(
            try made(shape, from: try rendition(), takesLarger: true)
        )
        #expect(result.size.width >= 90 && result.size.width <= Self.size.width)
        #expect(result.size.width * 3 == result.size.height * 4)
        #expect(isNear(result.bytes[0..<3], Self.quarters[0]))
        #expect(isNear(result.bytes.suffix(4).prefix(3), Self.quarters[3]))
    }

    @Test("Colors are those before they were premultiplied", arguments: [200, 57])
    func alphaIsAppliedOnce(_ side: Int) throws {
        let shape = PixelShape(size: PixelSize(width: side, height: side))
        let result = try #require(try made(shape, from: try rendition(alpha: 128)))
        #expect(result.layout == .rgba)
        let start = (result.size.height / 4 * result.size.width + result.size.width / 4) * 4
        #expect(isNear(result.bytes[start..<start + 3], Self.quarters[0], by: 20))
        #expect(abs(Int(result.bytes[start + 3]) - 128) <= 3)
    }

    @Test func aLargerShapeHasAllPixelsOfTheRendition() throws {
        let shape = PixelShape(size: PixelSize(width: 700, height: 700))
        let result = try #require(try made(shape, from: try rendition()))
        #expect(result.size == Self.size)
    }

    /// The size comes from another process.
    @Test(arguments: [(0, 5), (-3, 5), (5, .max), ((1 << 24) + 1, 1)])
    func impossibleSizesMakeNothing(_ sides: (Int, Int)) throws {
        let whole = PixelSize(width: sides.0, height: sides.1)
        let shape = PixelShape(size: PixelSize(width: 100, height: 100))
        #expect(try made(shape, from: try rendition(), of: whole) == nil)
    }

    @Test func damagedRenditionsMakeNothing() throws {
        let shape = PixelShape(size: PixelSize(width: 100, height: 100))
        var broken = try rendition()
        broken.jpeg = Data("no JPEG".utf8)
        #expect(try made(shape, from: broken) == nil)
        #expect(try made(shape, from: broken, takesLarger: true) == nil)
        var mixed = try rendition(alpha: 128)
        mixed.alpha = Data("no JPEG".utf8)
        #expect(try made(shape, from: mixed) == nil)
        // Alpha of a picture of another size.
        let tiny = try [UInt8](repeating: 9, count: 64).withUnsafeBytes {
            try JPEGEncoder().encode(
                PixelRows(bytes: $0, size: PixelSize(width: 8, height: 8), layout: .gray)
            )
        }
        mixed.alpha = tiny
        #expect(try made(shape, from: mixed) == nil)
    }
}
