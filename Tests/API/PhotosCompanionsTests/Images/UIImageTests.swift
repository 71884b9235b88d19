import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// The companion type for pictures in memory.
@Suite(.timeLimit(.minutes(2))) struct UIImageTests {
    private static let size = PixelSize(width: 96, height: 64)

    /// Draws and decodes a photo.
    private func picture() throws -> UIImage {
        let photo = SamplePhoto(Picture(.sea, seed: 2), size: Self.size)
        return try #require(UIImage(data: try SampleFile.jpeg(photo)))
    }

    @Test func itsPixelsAreThere() throws {
        let image = try picture()
        let pixels = try #require(image.cgImage)
        #expect(pixels.width == Self.size.width && pixels.height == Self.size.height)
        #expect(pixels.bitsPerComponent == 8 && pixels.bitsPerPixel == 32)
        #expect(pixels.bytesPerRow == pixels.width * 4)
        #expect(pixels.alphaInfo == .noneSkipLast)
        #expect(pixels.colorSpace?.name == CGColorSpace.sRGB)
        let data = try #require(pixels.dataProvider?.data) as Data
        #expect(data.count == pixels.bytesPerRow * pixels.height)
        #expect(stride(from: 3, to: data.count, by: 4).allSatisfy { data[$0] == 255 })
        #expect(image.scale == 1 && image.imageOrientation == .up)
        #expect(image.size == CGSize(width: pixels.width, height: pixels.height))
    }

    @Test func writingToTheDataDoesNotChangeTheImage() throws {
        let image = try #require(try picture().cgImage)
        let before = [UInt8](try #require(image.dataProvider?.data))
        var data = try #require(image.dataProvider?.data)
        data[0] ^= 0xff
        data.resetBytes(in: 4..<8)
        data.replaceSubrange(8..<12, with: [1, 2, 3, 4])
        data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
            bytes[12] ^= 0xff
        }
        #expect(data[0] == ~before[0] && data[12] == ~before[12])
        #expect([UInt8](data[4..<12]) == [0, 0, 0, 0, 1, 2, 3, 4])
        #expect([UInt8](data[13...]) == [UInt8](before[13...]))
        let after = [UInt8](try #require(image.dataProvider?.data))
        #expect(after == before)
    }

    @Test("PNG keeps every pixel; JPEG keeps the looks")
    func files() throws {
        let image = try picture()
        let before = try #require(image.cgImage?.dataProvider?.data)
        let png = try #require(image.pngData())
        let again = try #require(UIImage(data: png))
        #expect(again.size == image.size)
        #expect(again.cgImage?.dataProvider?.data == before)

        let small = try #require(image.jpegData(compressionQuality: 0.2))
        let large = try #require(image.jpegData(compressionQuality: 0.95))
        #expect(small.count < large.count)
        let after = try #require(UIImage(data: large)?.cgImage?.dataProvider?.data)
        try #require(after.count == before.count)
        let sum = zip(before, after).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(sum) / Double(before.count) < 4)
    }

    @Test(arguments: UIImage.Orientation.allCases)
    func filesAreUpright(_ orientation: UIImage.Orientation) throws {
        let pixels = try #require(try picture().cgImage)
        let turned = UIImage(cgImage: pixels, scale: 2, orientation: orientation)
        let swaps = [.left, .right, .leftMirrored, .rightMirrored].contains(orientation)
        let points = CGSize(width: pixels.width / 2, height: pixels.height / 2)
        #expect(
            turned.size
                == (swaps ? CGSize(width: points.height, height: points.width) : points)
        )
        let again = try #require(turned.pngData().flatMap { UIImage(data: $0) })
        #expect(again.imageOrientation == .up)
        #expect(again.cgImage?.width == (swaps ? pixels.height : pixels.width))
    }

    @Test func whatIsNoPictureIsNil() throws {
        #expect(UIImage(data: Data()) == nil)
        #expect(UIImage(data: Data("no picture".utf8)) == nil)
        #expect(UIImage(data: Data([0xff, 0xd8, 0xff, 0xe0, 0, 0])) == nil)
        #expect(UIImage(contentsOfFile: "/nonexistent") == nil)
        #expect(UIImage(contentsOfFile: "/dev/null") == nil)
        #expect(UIImage().pngData() == nil)
        #expect(UIImage().jpegData(compressionQuality: 1) == nil)
        #expect(UIImage().size == .zero)
    }
}
