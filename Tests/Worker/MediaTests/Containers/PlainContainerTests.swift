import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Media

/// Headers of formats that are read in this process, and damage of each.
@Suite(.timeLimit(.minutes(1))) struct PlainContainerTests {
    private static let size = PixelSize(width: 40, height: 30)

    private func read(_ data: some Sequence<UInt8>, _ body: (ByteView) -> Container) -> Container {
        Array(data).withUnsafeBytes { body(ByteView($0)) }
    }

    private static func number(_ value: Int, _ count: Int, isBig: Bool = false) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBig ? bytes.reversed() : bytes
    }

    // MARK: - Photoshop

    private func photoshop(_ change: (inout PhotoshopWriter) -> Void = { _ in }) -> Container {
        var writer = PhotoshopWriter(Picture(.hills, seed: 1).drawn(size: Self.size))
        change(&writer)
        return read(writer.data, PhotoshopContainer.read)
    }

    @Test func photoshopDocumentsHaveTheirParts() {
        let plain = photoshop()
        #expect(plain.size == Self.size && plain.damage == nil && plain.undecodable == nil)
        #expect(plain.hasUnusedAlpha && !plain.isMatted && plain.profile == nil)
        let full = photoshop { writer in
            writer.resources = [
                (0x0404, Data("iptc".utf8)), (0x0422, Data("exif".utf8)),
                (0x0424, Data("<x/>".utf8)), (0x040F, Data("profile!".utf8)),
                (0x040C, Data(count: 28) + Data("jpeg".utf8)),
            ]
            writer.layerCount = -1
        }
        #expect(full.profile == Array("profile!".utf8))
        #expect(full.isMatted && !full.hasUnusedAlpha && full.previews.count == 1)
        #expect(full.xmp.count == 1)
    }

    @Test func documentsWithoutACompositeAreRefused() {
        let refused = photoshop { $0.resources = [(0x0421, Data([0, 0, 0, 1, 0]))] }
        #expect(refused.refusal?.contains("no composite") == true)
        let real = photoshop { $0.resources = [(0x0421, Data([0, 0, 0, 1, 1]))] }
        #expect(real.refusal == nil)
    }

    @Test func unsupportedDocumentsSayWhy() {
        let whole = Array(PhotoshopWriter(Picture(.hills, seed: 1).drawn(size: Self.size)).data)
        func changed(_ place: Int, _ value: UInt8) -> String? {
            var bytes = whole
            bytes[place] = value
            return read(bytes, PhotoshopContainer.read).undecodable
        }
        #expect(changed(25, 9)?.contains("color mode") == true)
        #expect(changed(13, 6)?.contains("6 channels") == true)
        #expect(changed(13, 4) == nil, "a fourth channel may be the opacity")
        #expect(changed(23, 32)?.contains("32 bits") == true)
        #expect(changed(23, 16) == nil)
        // Gray, with one channel, and indexed colors, whose profile no longer applies.
        var gray = whole
        (gray[13], gray[25]) = (1, 1)
        #expect(read(gray, PhotoshopContainer.read).undecodable == nil)
    }

    @Test func truncatedDocumentsAreDamaged() {
        let whole = Array(PhotoshopWriter(Picture(.hills, seed: 1).drawn(size: Self.size)).data)
        #expect(read(whole.prefix(20), PhotoshopContainer.read).damage?.contains("size") == true)
        let cut = read(whole.prefix(30), PhotoshopContainer.read)
        #expect(cut.size == Self.size && cut.damage?.contains("truncated") == true)
    }

    // MARK: - Bitmaps

    private static func bitmap(
        _ width: Int,
        _ height: Int,
        bits: Int = 24,
        compression: Int = 0,
        header: Int = 40,
        alphaMask: Int = 0
    ) -> [UInt8] {
        var bytes = Array("BM".utf8) + number(0, 12) + number(header, 4)
        if header == 12 { return bytes + number(width, 2) + number(height, 2) + number(1, 4) }
        bytes += number(width, 4) + number(height, 4) + number(1, 2) + number(bits, 2)
        bytes += number(compression, 4) + number(0, 32)
        return bytes + number(alphaMask, 4) + number(0, 60)
    }

    @Test func bitmapsHaveTheirSize() {
        for (file, unused) in [
            (Self.bitmap(40, 30), false), (Self.bitmap(40, -30), false),
            (Self.bitmap(40, 30, header: 12), false), (Self.bitmap(40, 30, bits: 32), true),
            (Self.bitmap(40, 30, bits: 32, compression: 3, header: 124, alphaMask: 1), false),
            (Self.bitmap(40, 30, bits: 32, compression: 3, header: 124), true),
        ] {
            let found = read(file, BMPContainer.read)
            #expect(found.size == Self.size && found.damage == nil)
            #expect(found.hasUnusedAlpha == unused)
        }
        #expect(read(Self.bitmap(0, 30), BMPContainer.read).damage?.contains("size") == true)
        #expect(read("BM".utf8, BMPContainer.read).damage?.contains("truncated") == true)
    }

    // MARK: - TIFF

    /// Returns a BigTIFF with entries of one number.
    private static func bigTIFF(_ entries: [(Int, Int)], isBig: Bool) -> [UInt8] {
        var bytes = Array((isBig ? "MM" : "II").utf8)
        bytes += number(0x2b, 2, isBig: isBig) + number(8, 2, isBig: isBig) + number(0, 2)
        bytes += number(16, 8, isBig: isBig) + number(entries.count, 8, isBig: isBig)
        for (tag, value) in entries {
            bytes += number(tag, 2, isBig: isBig) + number(4, 2, isBig: isBig)
            bytes += number(1, 8, isBig: isBig) + number(value, 4, isBig: isBig) + number(0, 4)
        }
        return bytes + number(0, 8)
    }

    @Test(arguments: [true, false]) func bigTIFFHasItsSize(isBig: Bool) {
        let entries = [(0x100, 40), (0x101, 30), (0x112, 6)]
        let found = read(Self.bigTIFF(entries, isBig: isBig), TIFFContainer.read)
        #expect(found.size == Self.size && found.orientation == .right && found.damage == nil)
        let none = read(Self.bigTIFF([(0x100, 40)], isBig: isBig), TIFFContainer.read)
        #expect(none.damage?.contains("BigTIFF") == true)
    }

    @Test func damagedTIFFIsSaid() {
        let garbage = read(Array("II*\0".utf8) + [0xff, 0xff, 0xff, 0], TIFFContainer.read)
        #expect(garbage.damage?.contains("first directory") == true)
        let empty = Array("II*\0".utf8) + Self.number(8, 4) + Self.number(0, 2) + Self.number(0, 4)
        #expect(read(empty, TIFFContainer.read).damage != nil)
        let dng = read(
            SampleFile.dng(SamplePhoto(size: PixelSize(width: 64, height: 48))),
            TIFFContainer.read
        )
        #expect(dng.size != nil && dng.damage == nil)
    }

    // MARK: - JPEG 2000

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        number(body.count + 8, 4, isBig: true) + Array(type.utf8) + body
    }

    private static func codestream(_ numbers: [Int]) -> [UInt8] {
        [0xff, 0x4f, 0xff, 0x51, 0, 41, 0, 0] + numbers.flatMap { number($0, 4, isBig: true) }
    }

    @Test func jpeg2000HasItsParts() {
        let header = Self.number(30, 4, isBig: true) + Self.number(40, 4, isBig: true)
        let xmp: [UInt8] = [
            0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3,
            0xaf, 0xac,
        ]
        let file =
            Self.box("jp2h", Self.box("ihdr", header))
            + Self.box("uuid", Array("JpgTiffExif->JP2".utf8) + Array("MM\0*".utf8))
            + Self.box("uuid", xmp + Array("<x/>".utf8)) + Self.box("xml ", Array("<y/>".utf8))
        let bytes = Array(file)
        bytes.withUnsafeBytes { raw in
            let found = JPEG2000Container.read(ByteView(raw))
            #expect(found.size == Self.size && found.damage == nil)
            #expect(found.exif?.starts(with: "MM") == true)
            #expect(found.xmp.map { Array($0.bytes) } == ["<x/>", "<y/>"].map { Array($0.utf8) })
        }
        // The grid may begin beside its origin.
        let grid = Self.codestream([50, 35, 10, 5])
        #expect(read(grid, JPEG2000Container.read).size == Self.size)
        #expect(read(Self.box("jp2c", grid), JPEG2000Container.read).size == Self.size)
        for damaged in [Self.codestream([10, 35, 10, 5]), [0xff, 0x4f], Self.box("ftyp", [])] {
            #expect(read(damaged, JPEG2000Container.read).damage != nil)
        }
    }

    // MARK: - PNG

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        number(body.count, 4, isBig: true) + Array(name.utf8) + body + number(0, 4)
    }

    private static func png(_ chunks: [(String, [UInt8])], width: Int = 40) -> [UInt8] {
        let header = number(width, 4, isBig: true) + number(30, 4, isBig: true) + [8, 2, 0, 0, 0]
        return [0x89] + Array("PNG\r\n\u{1a}\n".utf8) + chunk("IHDR", header)
            + chunks.flatMap { chunk($0.0, $0.1) }
    }

    @Test func pngsHaveTheirParts() {
        let end: [(String, [UInt8])] = [("IDAT", []), ("IEND", [])]
        let plain = read(Self.png(end), PNGContainer.read)
        #expect(plain.size == Self.size && plain.damage == nil && plain.warnings == [])
        for (code, name) in [(UInt8(16), "pq"), (18, "hlg"), (1, "")] {
            let found = read(Self.png([("cICP", [9, code, 0, 1])] + end), PNGContainer.read)
            #expect(found.hdr == (name.isEmpty ? [] : [name]))
            #expect(found.profileName == "Rec. ITU-R BT.2020-1")
        }
        let time = ("tIME", [0x07, 0xd0, 2, 3, 4, 5, 6] as [UInt8])
        #expect(read(Self.png([time] + end), PNGContainer.read).modified == "2000:02:03 04:05:06")
        let animated = ("acTL", [0, 0, 0, 5, 0, 0, 0, 0] as [UInt8])
        let frames = read(Self.png([animated] + end), PNGContainer.read)
        #expect(frames.isAnimated && frames.frameCount == 5)
    }

    @Test func damagedPNGsAreSaid() {
        let cut = read(Self.png([("IDAT", [])]), PNGContainer.read)
        #expect(cut.damage == nil && cut.warnings.count == 1)
        let none = read(Self.png([("IEND", [])]), PNGContainer.read)
        #expect(none.damage?.contains("no pixels") == true)
        let invalid = read(Self.png([("IDAT", [])], width: 0), PNGContainer.read)
        #expect(invalid.damage?.contains("0x30") == true)
        let headless = read(Self.png([]).prefix(10), PNGContainer.read)
        #expect(headless.damage?.contains("no header") == true)
    }

    // MARK: - Profiles

    /// Returns a profile with one tag (ICC.1).
    private static func profile(_ tag: String, _ body: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 36) + Array("acsp".utf8)
        bytes += [UInt8](repeating: 0, count: 88) + number(1, 4, isBig: true) + Array(tag.utf8)
        return bytes + number(144, 4, isBig: true) + number(body.count, 4, isBig: true) + body
    }

    @Test func profilesHaveTheirNames() {
        let old =
            Array("desc".utf8) + Self.number(0, 4) + Self.number(7, 4, isBig: true)
            + Array("My RGB\0".utf8)
        #expect(ProfileName.read(Self.profile("desc", old)) == "My RGB")
        let words = "Écran".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        let new =
            Array("mluc".utf8) + Self.number(0, 4) + Self.number(1, 4, isBig: true)
            + Self.number(12, 4, isBig: true) + Array("frFR".utf8)
            + Self.number(words.count, 4, isBig: true) + Self.number(28, 4, isBig: true) + words
        #expect(ProfileName.read(Self.profile("desc", new)) == "Écran")
        for other in [
            Self.profile("wtpt", old), Self.profile("desc", Array("text".utf8)),
            Self.profile("desc", Array(new.dropLast())),
            Array(Self.profile("desc", old).prefix(130)),
            [], Self.profile("desc", Array("desc".utf8)),
        ] {
            #expect(ProfileName.read(other) == nil)
        }
    }
}
