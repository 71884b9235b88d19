import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// EXIF data that describe another image, and data that are no EXIF data.
@Suite(.timeLimit(.minutes(1))) struct ExifBlockTests {
    private func block() -> [UInt8] {
        var tags = TagDirectories()
        tags.image = [.text(0x10f, "Maker"), .shorts(0x112, [6])]
        tags.photo = [.long(0xa002, 4000), .long(0xa003, 3000), .shorts(0xa001, [1])]
        return tags.block
    }

    @Test func numbersOfTheNewImageReplaceTheOld() throws {
        let folder = try TemporaryFolder()
        var exif = try #require(ExifBlock(block()))
        exif.describe(
            orientation: .up,
            size: PixelSize(width: 1024, height: 70_000),
            isSRGB: false
        )
        #expect(exif.bytes.count == block().count)
        let tags = try ExifTool.tags(of: folder.write(Data(exif.bytes), to: "a.tif"))
        #expect(tags["EXIF:Orientation"] == "1" && tags["EXIF:Make"] == "Maker")
        #expect(tags["EXIF:ExifImageWidth"] == "1024")
        #expect(tags["EXIF:ExifImageHeight"] == "70000")
        #expect(tags["EXIF:ColorSpace"] == "65535")
    }

    /// All values stay where they are, and the longer directory follows them.
    @Test func aMissingOrientationIsAdded() throws {
        let folder = try TemporaryFolder()
        let size = PixelSize(width: 1024, height: 768)
        var directories = TagDirectories()
        directories.image = [.text(0x10f, "Maker"), .text(0x131, "Program")]
        directories.photo = [.long(0xa002, 4000)]
        // One entry, with the least significant byte first, and an odd length.
        let small: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x0f, 0x01, 2, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0,
            0, 0, 0, 0, 9,
        ]
        for bytes in [directories.block, small] {
            var exif = try #require(ExifBlock(bytes))
            exif.describe(orientation: .right, size: size, isSRGB: true)
            let tags = try ExifTool.tags(of: folder.write(Data(exif.bytes), to: "a.tif"))
            #expect(tags["EXIF:Orientation"] == "6")
            #expect(tags["EXIF:Make"] == (bytes == small ? "ABC" : "Maker"))
            #expect(tags["EXIF:Software"] == (bytes == small ? nil : "Program"))
            #expect(tags["EXIF:ExifImageWidth"] == (bytes == small ? nil : "1024"))
            // It is found the next time.
            let length = exif.bytes.count
            exif.describe(orientation: .left, size: size, isSRGB: true)
            #expect(exif.bytes.count == length)
            // Upright images need none.
            var upright = try #require(ExifBlock(bytes))
            upright.describe(orientation: .up, size: size, isSRGB: true)
            #expect(upright.bytes.count == bytes.count)
        }
        let alone = try #require(ExifBlock(Orientation.left)?.bytes)
        let tags = try ExifTool.tags(of: folder.write(Data(alone), to: "a.tif"))
        #expect(tags["EXIF:Orientation"] == "8")
    }

    @Test func whatIsNoStructureIsRefused() {
        let whole = block()
        #expect(ExifBlock(whole) != nil)
        #expect(ExifBlock([]) == nil && ExifBlock(Array(whole.prefix(13))) == nil)
        for (place, byte) in [(0, 0x4c), (1, 0x49), (3, 43), (7, 200), (4, 0xff)] as [(Int, UInt8)]
        {
            var other = whole
            other[place] = byte
            #expect(ExifBlock(other) == nil, "\(place)")
        }
    }

    @Test("Damaged data grow by no more than a directory", arguments: 0..<4)
    func damageIsHarmless(_ round: Int) {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<500 {
            var bytes = block()
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[.random(in: 2..<bytes.count, using: &generator)] = .random(
                    in: 0...255,
                    using: &generator
                )
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(.random(in: 0..<bytes.count, using: &generator))
            }
            guard var exif = ExifBlock(bytes) else { continue }
            exif.describe(
                orientation: .left,
                size: PixelSize(width: 1, height: 1 << 33),
                isSRGB: true
            )
            #expect(exif.bytes.count <= bytes.count * 2 + 20, seed.comment)
        }
    }
}
