import Foundation
import Glibc
import Media
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

/// Values of TIFF directories.
@Suite(.timeLimit(.minutes(1))) struct TagValueTests {
    /// Returns a value with numbers in both byte orders.
    private static func values<Number: FixedWidthInteger>(_ type: Int, _ numbers: [Number])
        -> [TagValue]
    {
        [true, false].map { isBig in
            let bytes = numbers.flatMap { number in
                withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian) { Array($0) }
            }
            let size = TagValue.size(ofType: type) ?? 1
            return TagValue(type: type, count: bytes.count / size, bytes: bytes, isBigEndian: isBig)
        }
    }

    private static func expect(_ values: [TagValue], _ numbers: [Double?], isInteger: Bool = true) {
        for value in values {
            for (index, number) in numbers.enumerated() {
                #expect(value.double(at: index) == number, "\(value)")
                #expect(value.integer(at: index) == (isInteger ? number.map { Int($0) } : nil))
            }
            #expect(value.double == numbers[0])
            for beyond in [-1, numbers.count, .max] {
                #expect(value.double(at: beyond) == nil && value.integer(at: beyond) == nil)
            }
        }
    }

    @Test func integersHaveTheirSignAndSize() {
        Self.expect(Self.values(1, [UInt8(0), 255]), [0, 255])
        Self.expect(Self.values(7, [UInt8(7), 200]), [7, 200])
        Self.expect(Self.values(3, [UInt16(1), .max]), [1, 65_535])
        Self.expect(Self.values(4, [UInt32(1), .max]), [1, 4_294_967_295])
        Self.expect(Self.values(13, [UInt32(8)]), [8])
        Self.expect(Self.values(6, [Int8(-1), .max]), [-1, 127])
        Self.expect(Self.values(8, [Int16(-2), .min]), [-2, -32_768])
        Self.expect(Self.values(9, [Int32(-3), .min]), [-3, -2_147_483_648])
        Self.expect(Self.values(16, [UInt64(1) << 40]), [1_099_511_627_776])
        Self.expect(Self.values(18, [UInt64.max]), [nil])
    }

    @Test func fractionsAreDivided() {
        Self.expect(Self.values(5, [UInt32(1), 4, 3, 0]), [0.25, nil], isInteger: false)
        Self.expect(Self.values(10, [Int32(-1), 4, 1, -2]), [-0.25, -0.5], isInteger: false)
        let floats = [Float(1.5).bitPattern, Float.nan.bitPattern]
        Self.expect(Self.values(11, floats), [1.5, nil], isInteger: false)
        let doubles = [Double(-2.5).bitPattern, Double.infinity.bitPattern]
        Self.expect(Self.values(12, doubles), [-2.5, nil], isInteger: false)
    }

    @Test func textsEndAtTheirNUL() {
        func value(_ type: Int) -> TagValue {
            TagValue(type: type, count: 5, bytes: Array("ab\0cd".utf8), isBigEndian: true)
        }
        #expect(value(2).text == "ab" && value(7).text == "ab" && value(1).text == "ab")
        #expect(value(3).text == nil && value(99).text == nil)
        #expect(value(2).writtenText == "ab" && value(1).writtenText == nil)
        #expect(value(99).integer == nil && value(99).double == nil)
    }

    /// A program that asks for a file's tags gets those with short values.
    @Test func theTagsOfAFileAreGiven() throws {
        let folder = try TemporaryFolder("photos-tags")
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:02:29 12:00:00"),
            location: Location(latitude: 47.5, longitude: 8.25),
            make: "Apple",
            model: "Model",
            orientation: .right
        )
        metadata.burstIdentifier = "8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E"
        let photo = SamplePhoto(size: PixelSize(width: 40, height: 30), metadata: metadata)
        let url = try folder.write(SampleFile.jpeg(photo), to: "a.jpg")
        let tags = try #require(try Prober.shared.probe(path: url.path, wantsTags: true).facts).tags
        func value(_ directory: WrittenTag.Directory, _ number: Int) -> WrittenTag.Value? {
            tags.first { $0.directory == directory && $0.number == number }?.value
        }
        #expect(value(.image, 0x10F) == .text("Apple") && value(.image, 0x110) == .text("Model"))
        #expect(value(.image, 0x112) == .numbers([6]))
        #expect(value(.photo, 0x9003) == .text("2024:02:29 12:00:00"))
        #expect(value(.gps, 1) == .text("N"))
        #expect(value(.gps, 2) == .numbers([47, 30, 0]))
        #expect(value(.apple, 0x0B) == .text("8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E"))
        // The maker note itself is a table.
        #expect(value(.photo, 0x927C) == nil)
        let plain = try #require(try Prober.shared.probe(path: url.path).facts)
        #expect(plain.tags == [])
    }
}
