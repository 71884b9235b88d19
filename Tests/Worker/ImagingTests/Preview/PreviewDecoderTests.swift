import Foundation
import PhotoModel
import SamplePhotos
import Testing

@testable import Imaging

/// Small pictures that cameras keep in files.
@Suite(.timeLimit(.minutes(1))) struct PreviewDecoderTests {
    private static let whole = PixelSize(width: 480, height: 320)

    init() { #expect(PreviewDecoder.start() && HEIFPicture.start()) }

    private func decoder(_ side: Int, _ orientation: Orientation = .up) -> PreviewDecoder {
        PreviewDecoder(
            side: side,
            displaySize: Self.whole,
            orientation: orientation,
            profile: nil,
            maximumPixels: 1_000_000
        )
    }

    private static func plain(_ size: PixelSize, _ color: [UInt8]) -> RGBImage {
        RGBImage(size: size, bytes: (0..<size.width * size.height).flatMap { _ in color })
    }

    private func make(_ side: Int, _ files: [Data]) -> PixelImage? {
        func pointers(_ rest: ArraySlice<Data>, _ found: [UnsafeRawBufferPointer]) -> PixelImage? {
            guard let first = rest.first else {
                return decoder(side).make(from: .jpegs(found), converter: ColorConverter())
            }
            return first.withUnsafeBytes { pointers(rest.dropFirst(), found + [$0]) }
        }
        return pointers(files[...], [])
    }

    private func near(_ image: PixelImage?, _ color: [Int]) -> Bool {
        guard let image, image.bytes.count >= 3 else { return false }
        return zip(image.bytes, color).allSatisfy { abs(Int($0) - $1) < 12 }
    }

    @Test func theFirstReadablePreviewIsTaken() throws {
        let red = try Self.plain(PixelSize(width: 120, height: 80), [200, 20, 20]).jpeg(quality: 90)
        let image = try #require(make(60, [Data("damaged".utf8), red]))
        #expect(image.size == PixelSize(width: 60, height: 40))
        #expect(near(image, [200, 20, 20]))
        #expect(make(60, []) == nil)
        #expect(make(60, [Data("damaged".utf8), Data()]) == nil)
    }

    /// A preview of another shape shows another picture.
    @Test func previewsHaveTheShapeOfThePicture() throws {
        let square = try Self.plain(PixelSize(width: 90, height: 90), [200, 20, 20])
            .jpeg(quality: 90)
        let wide = try Self.plain(PixelSize(width: 90, height: 60), [20, 20, 200]).jpeg(quality: 90)
        #expect(make(60, [square]) == nil)
        #expect(near(make(60, [square, wide]), [20, 20, 200]))
    }

    /// Nothing is enlarged, and nothing is decoded beyond the limit.
    @Test func limitsHold() throws {
        let size = PixelSize(width: 120, height: 80)
        let file = try Self.plain(size, [9, 99, 199]).jpeg(quality: 90)
        #expect(make(1_000, [file])?.size == size)
        var small = decoder(60)
        small.maximumPixels = 100
        let image = file.withUnsafeBytes { small.make(from: .jpegs([$0]), converter: .init()) }
        #expect(image == nil)
    }

    @Test func previewsAreTurned() throws {
        let upright = RGBImage(
            size: PixelSize(width: 60, height: 40),
            bytes: (0..<2_400).flatMap { $0 < 1_200 ? [UInt8(250), 250, 250] : [0, 0, 0] }
        )
        for orientation in Orientation.allCases {
            let file = try upright.stored(orientation).jpeg(quality: 95)
            let found = file.withUnsafeBytes {
                decoder(60, orientation).make(from: .jpegs([$0]), converter: ColorConverter())
            }
            let image = try #require(found)
            #expect(image.size == upright.size)
            #expect(image.bytes[0] > 200 && image.bytes[image.bytes.count - 1] < 50)
            #expect(image.bytes[59 * 3] > 200, "\(orientation)")
        }
    }

    @Test func thumbnailsOfHEIFAreTaken() throws {
        let image = Picture(.hills, seed: 1).drawn(size: Self.whole)
        let thumbnails = [60, 240].map { side in
            HEIFWriter.Item(
                Self.plain(PixelSize(width: side, height: side * 2 / 3), [UInt8(side), 0, 0])
            )
        }
        let data = HEIFWriter(.init(image), thumbnails: thumbnails).data
        for (side, red) in [(40, 60), (60, 60), (100, 240), (480, 240)] {
            let found = try data.withUnsafeBytes { bytes in
                let picture = try HEIFPicture(bytes, maximumPixels: 1_000_000)
                return decoder(side).make(from: .heif(picture), converter: ColorConverter())
            }
            #expect(near(found, [red, 0, 0]), "\(side)")
            #expect((found?.size.width ?? 0) <= side)
        }
        let bare = HEIFWriter(.init(image)).data
        let none = try bare.withUnsafeBytes { bytes in
            let picture = try HEIFPicture(bytes, maximumPixels: 1_000_000)
            return decoder(60).make(from: .heif(picture), converter: ColorConverter())
        }
        #expect(none == nil)
    }

    @Test func thumbnailsOfRAWAreTaken() throws {
        let photo = SamplePhoto(Picture(.hills, seed: 3), size: Self.whole)
        let data = SampleFile.dng(photo)
        let found = data.withUnsafeBytes {
            decoder(100).make(from: .raw($0), converter: ColorConverter())
        }
        let image = try #require(found)
        #expect(max(image.size.width, image.size.height) <= 100)
        #expect(image.size.width * 2 == image.size.height * 3 || image.size.width == 100)
        let other = Data("no RAW".utf8).withUnsafeBytes {
            decoder(100).make(from: .raw($0), converter: ColorConverter())
        }
        #expect(other == nil)
    }
}
