import Foundation
import ImagePipeline
import PhotoModel
import RenditionCodec
import SamplePhotos
import TestSupport
import Testing

/// Fingerprints detect the same picture in other bytes, and do not confuse it with another one.
@Suite(.timeLimit(.minutes(2))) struct PictureFingerprintTests {
    private static let size = PixelSize(width: 256, height: 192)

    private static func print(_ image: RGBImage) -> PictureFingerprint? {
        image.bytes.withUnsafeBytes {
            PictureFingerprint(
                $0,
                size: image.size,
                bytesPerPixel: 3,
                bytesPerRow: image.size.width * 3
            )
        }
    }

    private static func image(_ kind: SceneKind, seed: UInt64, width: Int = 256) -> RGBImage {
        Picture(kind, seed: seed).drawn(size: PixelSize(width: width, height: width * 3 / 4))
    }

    /// Returns the image after JPEG compression.
    private static func compressed(_ image: RGBImage, quality: Int) throws -> RGBImage {
        let jpeg = try image.bytes.withUnsafeBytes {
            try JPEGEncoder(quality: quality).encode(PixelRows(bytes: $0, size: image.size))
        }
        let decoded = try JPEGDecoder.decode(jpeg)
        return RGBImage(size: decoded.size, bytes: Array(decoded.bytes))
    }

    /// Returns the image without some pixels at its edges.
    private static func cropped(_ image: RGBImage, by margin: Int) -> RGBImage {
        let size = PixelSize(
            width: image.size.width - 2 * margin,
            height: image.size.height - 2 * margin
        )
        var bytes: [UInt8] = []
        for y in margin..<(margin + size.height) {
            let start = (y * image.size.width + margin) * 3
            bytes += image.bytes[start..<start + size.width * 3]
        }
        return RGBImage(size: size, bytes: bytes)
    }

    /// Returns the image scaled down, with each block averaged to a pixel.
    private static func scaled(_ image: RGBImage, by factor: Int) -> RGBImage {
        let size = PixelSize(
            width: image.size.width / factor,
            height: image.size.height / factor
        )
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                for channel in 0..<3 {
                    var sum = 0
                    for part in 0..<factor * factor {
                        let row = y * factor + part / factor
                        let column = x * factor + part % factor
                        sum += Int(image.bytes[(row * image.size.width + column) * 3 + channel])
                    }
                    bytes.append(UInt8(sum / (factor * factor)))
                }
            }
        }
        return RGBImage(size: size, bytes: bytes)
    }

    private static let kinds: [SceneKind] = SceneKind.allCases.filter { $0 != .desktop }

    @Test("Scaled, compressed and cut pictures are like what they were", arguments: kinds)
    func alike(_ kind: SceneKind) throws {
        let original = Self.image(kind, seed: 5)
        let print = try #require(Self.print(original))
        for quality in [90, 60, 35] {
            let other = try #require(Self.print(try Self.compressed(original, quality: quality)))
            #expect(print.isLike(other), "quality \(quality)")
        }
        for factor in [2, 4] {
            let other = try #require(Self.print(Self.scaled(original, by: factor)))
            #expect(print.isLike(other), "by \(factor)")
        }
        let cut = try #require(Self.print(Self.cropped(original, by: 2)))
        #expect(print.isLike(cut))
    }

    @Test("Pictures of other things are not alike")
    func different() throws {
        let prints = try Self.kinds.flatMap { kind in
            try (1...3).map { seed in try #require(Self.print(Self.image(kind, seed: seed))) }
        }
        for first in prints.indices {
            for second in prints.indices where second > first {
                #expect(!prints[first].isLike(prints[second]), "\(first) \(second)")
            }
        }
    }

    @Test("A picture of one colour, or a tiny one, has none; the bytes come back")
    func edges() throws {
        let gray = RGBImage(size: Self.size, bytes: .init(repeating: 90, count: 256 * 192 * 3))
        #expect(Self.print(gray) == nil)
        #expect(Self.print(Self.image(.hills, seed: 1, width: 24)) == nil)
        let print = try #require(Self.print(Self.image(.hills, seed: 1)))
        #expect(print.data.count == 64)
        #expect(PictureFingerprint(data: print.data, aspect: print.aspect) == print)
        #expect(PictureFingerprint(data: print.data.dropLast(), aspect: 1) == nil)
        #expect(PictureFingerprint(data: print.data, aspect: 0) == nil)
        #expect(PictureFingerprint(data: Data([0]) + print.data.dropFirst(), aspect: 1) != nil)
        let short = gray.bytes.prefix(100).withUnsafeBytes {
            PictureFingerprint($0, size: Self.size, bytesPerPixel: 3, bytesPerRow: 768)
        }
        #expect(short == nil)
    }

    @Test("The index finds each pair that comparing each with each finds, once")
    func index() {
        let seed = TestSeed()
        var generator = seed.generator
        var prints: [PictureFingerprint] = []
        for _ in 0..<400 {
            var print =
                prints.randomElement(using: &generator)
                ?? PictureFingerprint(across: 0, down: 0, colors: [], aspect: 1)
            for _ in 0..<Int.random(in: 0...9, using: &generator) {
                print.across ^= 1 << UInt64.random(in: 0..<64, using: &generator)
            }
            if Bool.random(using: &generator) { print.across = generator.next() }
            prints.append(print)
        }
        var expected: Set<[Int]> = []
        for first in prints.indices {
            for second in prints.indices
            where second > first && prints[first].isLike(prints[second]) {
                expected.insert([first, second])
            }
        }
        var found: [[Int]] = []
        FingerprintIndex(prints).forEachPair { found.append([$0, $1]) }
        #expect(found.count == Set(found).count, seed.comment)
        #expect(Set(found) == expected, seed.comment)
        #expect(expected.count > 100)
    }

    @Test("What is joined step by step is one group")
    func groups() {
        var groups = Groups(count: 8)
        for (one, other) in [(5, 6), (1, 3), (6, 7), (3, 1), (7, 5)] { groups.join(one, other) }
        #expect(groups.all() == [[1, 3], [5, 6, 7]])
    }
}
