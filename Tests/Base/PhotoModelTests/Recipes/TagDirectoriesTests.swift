import Foundation
import PhotoModel
import TestSupport
import Testing

/// Tags in TIFF structures, read again by ExifTool.
@Suite(.timeLimit(.minutes(1))) struct TagDirectoriesTests {
    private typealias Entry = TagDirectories.Entry

    /// Returns the tags of a block, as ExifTool reads them from a file.
    private func read(_ bytes: [UInt8]) throws -> [String: Any] {
        let folder = try TemporaryFolder("photos-tags")
        let file = try folder.write(Data(bytes), to: "tags.tif")
        let output = try ProcessRunner.run("exiftool", ["-j", "-n", file.path])
        let list = try JSONSerialization.jsonObject(with: output.standardOutput) as? [[String: Any]]
        return try #require(list?.first, "\(output.errorText)")
    }

    @Test func allKindsOfValuesAreReadByExifTool() throws {
        var tags = TagDirectories()
        #expect(tags.isEmpty)
        tags.image = [
            .text(0x010F, "Ma\u{0}ker"), .shorts(0x0112, [6]), .rationals(0x011A, [72.5]),
        ]
        tags.photo = [
            .rationals(0x829A, [1.0 / 125]), .shorts(0x8827, [400, -5, 70_000]),
            .signedRationals(0x9204, [-1.0 / 3]), .undefined(0x9000, [0x30, 0x32, 0x33, 0x32]),
            .long(0xA002, 4_000), .text(0x9003, "2024:05:06 07:08:09"),
        ]
        tags.gps = [.bytes(0, [2, 3, 0, 0]), .text(1, "N"), .rationals(2, [47, 30, 15.25])]
        #expect(!tags.isEmpty)
        let found = try read(tags.block)
        #expect(found["Make"] as? String == "Maker")
        #expect(found["Orientation"] as? Int == 6)
        #expect(found["XResolution"] as? Double == 72.5)
        #expect(found["ExposureTime"] as? Double == 0.008)
        #expect("\(found["ISO"] ?? "")" == "400 0 65535")
        let bias = try #require(found["ExposureCompensation"] as? Double)
        #expect(abs(bias + 1.0 / 3) < 1e-9)
        #expect("\(found["ExifVersion"] ?? "")" == "0232" || found["ExifVersion"] as? Int == 232)
        #expect(found["ExifImageWidth"] as? Int == 4_000)
        #expect(found["DateTimeOriginal"] as? String == "2024:05:06 07:08:09")
        let latitude = try #require(found["GPSLatitude"] as? Double)
        #expect(abs(latitude - (47 + 30.0 / 60 + 15.25 / 3_600)) < 1e-9)
    }

    @Test func valuesAreClampedToTheirTypes() {
        #expect(Entry.shorts(1, [-1, 65_536]).bytes == Data([0, 0, 255, 255]))
        #expect(Entry.long(1, -1).bytes == Data([0, 0, 0, 0]))
        #expect(Entry.long(1, 1 << 40).bytes == Data([255, 255, 255, 255]))
        #expect(Entry.signedLong(1, -2).bytes == Data([255, 255, 255, 254]))
        #expect(Entry.signedLong(1, .max).bytes == Data([127, 255, 255, 255]))
        #expect(Entry.rationals(1, [-1]).bytes == Data([0, 0, 0, 0, 0, 0, 0, 1]))
        #expect(Entry.rationals(1, [.infinity]).bytes == Data([255, 255, 255, 255, 0, 0, 0, 1]))
        #expect(Entry.signedRationals(1, [.nan]).bytes == Data([0, 0, 0, 0, 0, 0, 0, 1]))
        #expect(
            Entry.signedRationals(1, [-1e99]).bytes == Data([128, 0, 0, 1, 0, 0, 0, 1])
        )
        #expect(Entry.rationals(1, [0.5]).bytes == Data([0, 0, 0, 1, 0, 0, 0, 2]))
        #expect(Entry.rationals(1, [1e-300]).bytes.suffix(4) != Data([0, 0, 0, 0]))
    }

    /// Each fraction is the number itself in double precision where it fits.
    @Test func fractionsAreExact() {
        for (above, below) in [(1, 125), (22, 7), (1_001, 30_000), (355, 113), (65_537, 65_536)] {
            let bytes = Entry.rationals(1, [Double(above) / Double(below)]).bytes
            let numbers = [bytes.prefix(4), bytes.suffix(4)].map {
                $0.reduce(0) { $0 << 8 | Int($1) }
            }
            #expect(numbers == [above, below])
        }
    }

    @Test func pixelsFollowTheHeadOfATIFFFile() throws {
        var tags = TagDirectories()
        tags.image = [.text(0x010F, "Maker"), .shorts(0x0100, [999])]
        tags.photo = [.long(0xA002, 2)]
        let pixels: [UInt8] = [10, 20]
        let structure: [Entry] = [
            .shorts(0x0100, [2]), .shorts(0x0101, [1]), .shorts(0x0102, [8]), .shorts(0x0103, [1]),
            .shorts(0x0106, [1]), .shorts(0x0115, [1]), .shorts(0x0116, [1]), .long(0x0117, 2),
        ]
        let head = tags.head(pixelPlace: 0x0111, structure: structure)
        let found = try read(head + pixels)
        #expect(found["ImageWidth"] as? Int == 2, "the structure takes precedence")
        #expect(found["StripOffsets"] as? Int == head.count)
        #expect(found["Make"] as? String == "Maker" && found["ExifImageWidth"] as? Int == 2)
    }
}
