import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

/// The offset of an IPTC time: the written one, or none.
@Suite(.timeLimit(.minutes(1)))
struct IPTCTimeTests {
    private let folder: TemporaryFolder
    private let prober = Prober.shared

    init() throws { folder = try TemporaryFolder() }

    private func iptcDate(of url: URL) throws -> WrittenDate? {
        let answer = try prober.probe(path: url.path)
        let facts = try #require(answer.facts, "\(answer.reason ?? "")")
        return facts.dates.first { $0.source == .iptc }
    }

    @Test(
        "A time is read as it is written",
        arguments: [
            ("121314", "12:13:14", nil), ("121314+0000", "12:13:14", "+00:00"),
            ("121314-0930", "12:13:14", "-09:30"), ("121314Z", "12:13:14", "Z"),
            ("12:13:14", "12:13:14", nil), ("12:13:14+05:45", "12:13:14", "+05:45"),
            ("121314+02", "12:13:14", "+02:00"), ("121314+", "12:13:14", nil),
            ("121314 0200", "12:13:14", nil), ("1213", nil, nil), ("noon", nil, nil),
            ("121314151617", nil, nil),
        ] as [(String, String?, String?)]
    )
    func readsTimes(written: String, clock: String?, offset: String?) throws {
        var metadata = SampleMetadata()
        metadata.iptcDay = "20230715"
        metadata.iptcTime = written
        let size = PixelSize(width: 16, height: 16)
        let data = try SampleFile.jpeg(SamplePhoto(size: size, metadata: metadata))
        let date = try iptcDate(of: folder.write(data, to: "a.jpg"))
        #expect(date?.text == (clock.map { "2023:07:15 \($0)" } ?? "2023:07:15"))
        #expect(date?.offset == offset)
    }

    @Test(
        "TIFF holds the block itself or Photoshop's resources, in either order of bytes",
        arguments: [true, false],
        [TinyTIFF.Holder.numbers, .bytes, .resources]
    )
    func readsTIFF(isBigEndian: Bool, holder: TinyTIFF.Holder) throws {
        var block = IPTCBlock()
        block.append(5, "A title")
        block.append(55, "20230715")
        block.append(60, "121314")
        let tiff = TinyTIFF(block: block, holder: holder, isBigEndian: isBigEndian)
        let url = try folder.write(tiff.data, to: "a.tif")
        let date = try iptcDate(of: url)
        #expect(date == WrittenDate(source: .iptc, text: "2023:07:15 12:13:14"))
        #expect(try prober.probe(path: url.path).facts?.title == "A title")
    }

    @Test("Blocks that are cut short or damaged keep what comes before")
    func readsDamagedBlocks() throws {
        var block = IPTCBlock()
        block.append(55, "20230715")
        block.append(60, "121314+0200")
        let whole = block.data
        for length in 0...whole.count {
            var damaged = IPTCBlock()
            damaged.append(120, "x")
            // Nothing here traps; a truncated time is no time.
            let cut = TinyTIFF(bytes: damaged.data + whole.prefix(length))
            let date = try iptcDate(of: folder.write(cut.data, to: "\(length).tif"))
            #expect((date != nil) == (length >= 13), "\(length)")
            #expect((date?.offset != nil) == (length == whole.count), "\(length)")
        }
        // A length of lengths that is not a number.
        let absurd = TinyTIFF(bytes: Data([0x1C, 2, 55, 0xFF, 0xFF]) + whole)
        #expect(try iptcDate(of: folder.write(absurd.data, to: "absurd.tif")) == nil)
    }

    @Test(.needsSharedData, .needsProgram("exiftool"))
    func agreesWithExifToolOnRealFiles() throws {
        let output = try ProcessRunner.run(
            "exiftool",
            ["-q", "-if", "$IPTC:TimeCreated", "-p", "$Directory/$FileName\t$IPTC:TimeCreated"]
                + ["cameras", "gps", "timezone"].map { SharedData.file($0).path }
        )
        var withoutZone = 0
        for line in output.lines {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            let (path, time) = (try #require(parts.first), try #require(parts.last))
            let date = try #require(try iptcDate(of: URL(fileURLWithPath: path)), "\(path)")
            #expect(date.text.hasSuffix(" " + time.prefix(8)), "\(path)")
            #expect(date.offset ?? "" == time.dropFirst(8), "\(path)")
            if time.count == 8 { withoutZone += 1 }
        }
        #expect(withoutZone >= 10)
    }
}

/// A TIFF of one gray pixel and an IPTC block.
struct TinyTIFF {
    enum Holder: CaseIterable {
        /// Tag 0x83BB as 32-bit numbers, as most programs write it.
        case numbers
        /// Tag 0x83BB as bytes.
        case bytes
        /// Tag 0x8649.
        case resources
    }

    let data: Data

    init(bytes: Data) {
        data = Self.file(tag: 0x83BB, type: 7, value: bytes, isBigEndian: false)
    }

    init(block: IPTCBlock, holder: Holder, isBigEndian: Bool) {
        var value = holder == .resources ? block.photoshopResource : block.data
        while value.count % 4 != 0 { value.append(0) }
        data = Self.file(
            tag: holder == .resources ? 0x8649 : 0x83BB,
            type: holder == .numbers ? 4 : 7,
            value: value,
            isBigEndian: isBigEndian
        )
    }

    private static func file(tag: UInt16, type: UInt16, value: Data, isBigEndian: Bool) -> Data {
        var bytes = Data((isBigEndian ? "MM" : "II").utf8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) {
                bytes.append(contentsOf: $0)
            }
        }
        append(UInt16(42))
        append(UInt32(8))
        var entries: [(tag: UInt16, type: UInt16, count: Int, value: UInt32)] = [
            (256, 4, 1, 1), (257, 4, 1, 1), (258, 4, 1, 8), (259, 4, 1, 1), (262, 4, 1, 1),
        ]
        let end = 8 + 2 + 9 * 12 + 4
        entries += [(273, 4, 1, UInt32(end)), (278, 4, 1, 1), (279, 4, 1, 1)]
        let count = type == 4 ? value.count / 4 : value.count
        entries.append((tag, type, count, UInt32(end + 4)))
        append(UInt16(entries.count))
        for entry in entries {
            append(entry.tag)
            append(entry.type)
            append(UInt32(entry.count))
            append(entry.value)
        }
        append(UInt32(0))
        // The pixel, then the block, whose bytes depend on the byte order of the numbers.
        bytes.append(contentsOf: [128, 0, 0, 0])
        bytes.append(value)
        return bytes
    }
}
