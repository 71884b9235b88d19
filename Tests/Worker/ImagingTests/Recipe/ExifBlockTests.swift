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

    @Test("Damaged data change in no more than their length", arguments: 0..<4)
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
            #expect(exif.bytes.count <= bytes.count, seed.comment)
        }
    }
}
