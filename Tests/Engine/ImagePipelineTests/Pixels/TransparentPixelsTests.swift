import Foundation
import PhotoModel
import RenditionCodec
import RenditionFixture
import TestSupport
import Testing
import WorkerClient

@testable import ImagePipeline

/// Colors multiplied and divided by their alpha, and alpha in a JPEG of its own.
@Suite(.timeLimit(.minutes(1))) struct TransparentPixelsTests {
    /// Returns one pixel after a change.
    private func changed(
        _ pixel: [UInt8],
        _ change: (UnsafeMutableRawBufferPointer) -> Void
    ) -> [UInt8] {
        var pixel = pixel
        pixel.withUnsafeMutableBytes { change($0) }
        return pixel
    }

    @Test func productsAreTheNearestBytes() {
        for alpha in 0...255 {
            for color in [0, 1, 2, 100, 127, 128, 254, 255] {
                let pixel = [UInt8(color), UInt8(255 - color), 7, UInt8(alpha)]
                let result = changed(pixel, TransparentPixels.multiply)
                for band in 0..<3 {
                    let exact = Double(pixel[band]) * Double(alpha) / 255
                    #expect(abs(Double(result[band]) - exact) <= 0.5, "\(pixel) \(result)")
                    #expect(result[band] <= result[3])
                }
                #expect(Int(result[3]) == alpha)
            }
        }
    }

    @Test func quotientsAreTheNearestBytes() {
        for alpha in 1...255 {
            for color in stride(from: 0, through: alpha, by: 3) {
                let result = changed(
                    [UInt8(color), 0, UInt8(alpha), UInt8(alpha)],
                    TransparentPixels.divide
                )
                let exact = Double(color) * 255 / Double(alpha)
                #expect(abs(Double(result[0]) - exact) <= 0.5, "\(color) of \(alpha)")
                #expect(result[1] == 0 && result[2] == 255 && Int(result[3]) == alpha)
            }
        }
    }

    @Test func damagedColorsStayInRange() {
        // A codec's errors can make a color brighter than its alpha.
        #expect(changed([200, 11, 10, 10], TransparentPixels.divide) == [255, 255, 255, 10])
        #expect(changed([9, 8, 7, 0], TransparentPixels.divide) == [0, 0, 0, 0])
        #expect(changed([9, 8, 7, 255], TransparentPixels.divide) == [9, 8, 7, 255])
    }

    @Test func whatIsDividedComesBack() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<2000 {
            let alpha = UInt8.random(in: 1...254, using: &generator)
            let pixel = (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &generator) }
            let divided = changed(pixel + [alpha], TransparentPixels.divide)
            #expect(
                changed(divided, TransparentPixels.multiply) == pixel + [alpha],
                seed.comment
            )
        }
    }

    // MARK: - Alpha in a file

    /// Returns a picture with opaque, half transparent and fully transparent columns.
    private func columns(_ size: PixelSize) throws -> PixelMemory {
        let colors: [[UInt8]] = [[200, 40, 80, 255], [200, 40, 80, 128], [200, 40, 80, 0]]
        let bytes = (0..<size.width * size.height).flatMap { pixel in
            colors[pixel % size.width * 3 / size.width]
        }
        return try .holding(bytes, PixelBufferDescription(size: size, layout: .rgba))
    }

    @Test func alphaAndColorsComeBack() throws {
        let size = PixelSize(width: 48, height: 20)
        let (jpeg, alpha) = try TransparentPixels.encode(try columns(size), quality: 90)
        #expect(try JPEGDecoder.header(of: alpha).isGray)
        let colors = try JPEGDecoder.decode(jpeg)
        #expect(colors.size == size)
        var pixels: [UInt8] = []
        let bytes = Array(colors.bytes)
        for pixel in 0..<size.width * size.height {
            let start = pixel * colors.layout.bytesPerPixel
            pixels += bytes[start..<start + 3]
            pixels.append(7)
        }
        let isJoined = pixels.withUnsafeMutableBytes {
            TransparentPixels.join(alpha, to: $0, size: size)
        }
        #expect(isJoined)
        let joined = changed(pixels, TransparentPixels.divide)
        // In the middle of each column.
        for (x, expected) in [
            (8, [200, 40, 80, 255]), (24, [200, 40, 80, 128]), (40, [0, 0, 0, 0]),
        ] {
            let start = (10 * size.width + x) * 4
            for band in 0..<4 {
                let difference = abs(Int(joined[start + band]) - expected[band])
                #expect(difference <= (band == 3 && expected[3] != 128 ? 0 : 10), "\(x) \(band)")
            }
        }
    }

    @Test func alphaOfAnotherSizeOrKindIsRefused() throws {
        let size = PixelSize(width: 16, height: 16)
        var pixels = [UInt8](repeating: 9, count: 16 * 16 * 4)
        let isJoined = pixels.withUnsafeMutableBytes {
            TransparentPixels.join(Data("no JPEG".utf8), to: $0, size: size)
        }
        #expect(!isJoined)
        #expect(pixels.allSatisfy { $0 == 9 })
    }
}
