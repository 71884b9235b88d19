import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// The first rendition from the camera's preview: upright, with the right aspect and size.
@Suite(.timeLimit(.minutes(1)))
struct FirstRenditionTests {
    private let folder: TemporaryFolder
    private let pool = WorkerPool.shared

    init() throws {
        folder = try TemporaryFolder()
    }

    private func pixels(_ data: Data, side: Int) throws -> PixelMemory? {
        let url = try folder.write(data, to: "file")
        return try pool.probe(path: url.path, renditionSide: side).pixels
    }

    private func photo(_ orientation: Orientation) -> SamplePhoto {
        SamplePhoto(
            Picture(.flowers, seed: 7),
            size: PixelSize(width: 640, height: 480),
            metadata: SampleMetadata(orientation: orientation)
        )
    }

    /// Returns the mean difference of a channel, of 255.
    private func difference(_ pixels: PixelMemory, _ image: RGBImage) throws -> Double {
        try #require(pixels.description.size == image.size)
        let sum = pixels.withBytes { bytes in
            zip(bytes, image.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        return Double(sum) / Double(image.bytes.count)
    }

    @Test(arguments: Orientation.allCases)
    func itIsUpright(_ orientation: Orientation) throws {
        let photo = photo(orientation)
        let pixels = try #require(try pixels(SampleFile.jpeg(photo), side: 256))
        let upright = photo.picture.drawn(size: photo.size).shrunk(by: 4)
        // A wrong rotation differs by 20 and more.
        #expect(try difference(pixels, upright) < 8)
    }

    @Test func itIsShrunkToTheSide() throws {
        let photo = photo(.right)
        let pixels = try #require(try pixels(SampleFile.jpeg(photo), side: 80))
        #expect(pixels.description.size == PixelSize(width: 80, height: 60))
        #expect(pixels.description.bytesPerRow == 240)
        let upright = photo.picture.drawn(size: photo.size).shrunk(by: 8)
        #expect(try difference(pixels, upright) < 8)
    }

    @Test func thereIsNoneWithoutAPreviewOrWhenNotAsked() throws {
        var photo = photo(.up)
        #expect(try pixels(SampleFile.jpeg(photo), side: 0) == nil)
        photo.metadata.hasThumbnail = false
        #expect(try pixels(SampleFile.jpeg(photo), side: 256) == nil)
    }

    /// Cameras write thumbnails of 4:3 with bars, whatever the picture's aspect.
    @Test func barsAreTrimmedAndOtherAspectsAreNot() throws {
        let scene = Picture(.flowers, seed: 7)
        let wide = scene.drawn(size: PixelSize(width: 640, height: 360))
        let thumbnail = wide.shrunk(by: 4)
        var framed = [UInt8](repeating: 0, count: 160 * 120 * 3)
        framed.replaceSubrange(160 * 15 * 3..<160 * 105 * 3, with: thumbnail.bytes)
        let boxed = RGBImage(size: PixelSize(width: 160, height: 120), bytes: framed)
        let pixels = try #require(
            try pixels(try jpeg(wide, thumbnail: boxed), side: 256)
        )
        #expect(pixels.description.size == PixelSize(width: 160, height: 90))
        #expect(try difference(pixels, thumbnail) < 8)

        let bright = RGBImage(
            size: PixelSize(width: 160, height: 120),
            bytes: framed.map { max($0, 90) }
        )
        #expect(try self.pixels(try jpeg(wide, thumbnail: bright), side: 256) == nil)
    }

    /// Returns a JPEG whose EXIF block contains another picture as its thumbnail.
    private func jpeg(_ image: RGBImage, thumbnail: RGBImage) throws -> Data {
        let preview = try thumbnail.jpeg(quality: 85)
        // Two directories: one with only the link to the second, then one with the position of the
        // thumbnail.
        var block = Data("Exif\0\0MM\0*".utf8)
        block.append(contentsOf: [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0])
        block.append(contentsOf: [0, 0, 0, 26, 0, 2])
        func entry(_ tag: UInt16, _ value: Int) {
            block.append(contentsOf: [UInt8(tag >> 8), UInt8(tag & 255), 0, 4, 0, 0, 0, 1])
            block.append(contentsOf: [24, 16, 8, 0].map { UInt8(value >> $0 & 255) })
        }
        entry(0x0201, 26 + 2 + 24 + 4)
        entry(0x0202, preview.count)
        block.append(contentsOf: [0, 0, 0, 0])
        block.append(preview)
        let encoded = try image.jpeg()
        let length = block.count + 2
        var file = Data([0xff, 0xd8, 0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)])
        file.append(block)
        file.append(encoded.dropFirst(2))
        return file
    }

    @Test(
        .needsSharedData,
        arguments: [
            "apple/IMG_1034-iphone8.heic", "raw/canon-d30.CRW", "live-photo/IMG_3582.HEIC",
        ]
    )
    func camerasOwnPreviewsAreFound(_ name: String) throws {
        let answer = try pool.probe(path: SharedData.file(name).path, renditionSide: 256)
        let size = try #require(answer.pixels?.description.size)
        let whole = try #require(answer.facts?.displaySize)
        #expect(max(size.width, size.height) == 256)
        let ratio =
            Double(size.width) / Double(size.height) * Double(whole.height) / Double(whole.width)
        #expect(abs(ratio - 1) < 0.03)
    }
}
