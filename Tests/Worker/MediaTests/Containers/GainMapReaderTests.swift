import Foundation
import Media
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The numbers of gain maps, as Adobe, Apple and ISO 21496-1 define them.
@Suite(.timeLimit(.minutes(1))) struct GainMapReaderTests {
    private let base: Data
    private let inner: Data

    init() throws {
        base = try SampleFile.jpeg(SamplePhoto(size: PixelSize(width: 64, height: 48)))
        inner = try Picture(.hills, seed: 2).drawn(size: PixelSize(width: 32, height: 24)).jpeg()
    }

    /// Returns a segment of a JPEG.
    private static func segment(_ marker: UInt8, _ payload: Data) -> Data {
        let length = payload.count + 2
        return Data([0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]) + payload
    }

    private static func number(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// Returns a file of two images with an index of them (CIPA DC-007), of which the second has
    /// segments of its own.
    private func file(_ segments: Data) -> Data {
        let second = inner.prefix(2) + segments + inner.dropFirst(2)
        func index(_ length: Int, _ offset: Int) -> Data {
            var tiff = Data("MM\0*".utf8) + Self.number(8, 4) + Self.number(3, 2)
            tiff +=
                Self.number(0xB000, 2) + Self.number(7, 2) + Self.number(4, 4) + Data("0100".utf8)
            tiff +=
                Self.number(0xB001, 2) + Self.number(4, 2) + Self.number(1, 4) + Self.number(2, 4)
            tiff += Self.number(0xB002, 2) + Self.number(7, 2) + Self.number(32, 4)
            tiff += Self.number(50, 4) + Self.number(0, 4)
            tiff += Self.number(0x3_0000, 4) + Self.number(length, 4) + Self.number(0, 8)
            tiff += Self.number(0, 4) + Self.number(second.count, 4) + Self.number(offset, 4)
            tiff += Self.number(0, 4)
            return Self.segment(0xE2, Data("MPF\0".utf8) + tiff)
        }
        let place = 2 + index(0, 0).count
        let whole = base.prefix(2) + index(0, 0) + base.dropFirst(2)
        // Offsets count from the index's own header, behind the segment's marker and name.
        let offset = whole.count - (place - index(0, 0).count + 8)
        return base.prefix(2) + index(whole.count, offset) + base.dropFirst(2) + second
    }

    private func found(_ segments: Data) -> FoundGainMap? {
        Array(file(segments)).withUnsafeBytes { GainMapReader.jpeg(ByteView($0)) }
    }

    private static func xmp(_ attributes: String, _ elements: String = "") -> Data {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
            xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" \(attributes)>\(elements)\
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return segment(0xE1, Data("http://ns.adobe.com/xap/1.0/\0".utf8) + Data(packet.utf8))
    }

    // MARK: - Adobe

    @Test func adobesNumbersAreRead() throws {
        let all = """
            hdrgm:Version="1.0" hdrgm:GainMapMin="-0.5" hdrgm:GainMapMax="2.5" hdrgm:Gamma="0.5" \
            hdrgm:OffsetSDR="0.1" hdrgm:OffsetHDR="0.2" hdrgm:HDRCapacityMin="0.25" \
            hdrgm:HDRCapacityMax="3"
            """
        let map = try #require(found(Self.xmp(all))?.map)
        var channel = GainMap.Channel()
        (channel.minimum, channel.maximum, channel.gamma) = (-0.5, 2.5, 0.5)
        (channel.baseOffset, channel.alternateOffset) = (0.1, 0.2)
        #expect(map == GainMap(.stops([channel, channel, channel]), capacity: 0.25...3))
        // Values that are not there have those of the specification.
        let few = try #require(found(Self.xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="2""#))?.map)
        channel = GainMap.Channel()
        channel.maximum = 2
        #expect(few == GainMap(.stops([channel, channel, channel]), capacity: 0...2))
    }

    @Test func channelsHaveNumbersOfTheirOwn() throws {
        let list =
            "<hdrgm:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li><rdf:li>3"
            + "</rdf:li></rdf:Seq></hdrgm:GainMapMax>"
        for packet in [
            Self.xmp(#"hdrgm:Version="1.0""#, list),
            Self.xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="1, 2, 3""#),
        ] {
            let map = try #require(found(packet)?.map)
            guard case .stops(let channels) = map.meaning else {
                Issue.record("\(map)")
                continue
            }
            #expect(channels.map(\.maximum) == [1, 2, 3] && channels.map(\.minimum) == [0, 0, 0])
        }
    }

    /// Such a map would darken the image.
    @Test(arguments: [
        #"hdrgm:Version="1.0" hdrgm:GainMapMax="2" hdrgm:BaseRenditionIsHDR="True""#,
        #"hdrgm:Version="1.0""#, #"hdrgm:Version="1.0" hdrgm:GainMapMax="much""#,
        #"hdrgm:Version="1.0" hdrgm:GainMapMax="65""#,
        #"hdrgm:Version="1.0" hdrgm:GainMapMax="inf""#,
    ])
    func unusableNumbersAreNone(_ attributes: String) {
        #expect(found(Self.xmp(attributes)) == nil)
    }

    @Test func aFurtherImageIsNoMap() {
        #expect(found(Data()) == nil)
        let plain = Array(base).withUnsafeBytes { GainMapReader.jpeg(ByteView($0)) }
        #expect(plain == nil)
        let other = Array("no JPEG".utf8).withUnsafeBytes { GainMapReader.jpeg(ByteView($0)) }
        #expect(other == nil)
    }

    // MARK: - Apple

    @Test func applesHeadroomIsRead() throws {
        let attributes = #"HDRGainMap:HDRGainMapVersion="65536" HDRGainMap:HDRGainMapHeadroom="4""#
        let map = try #require(found(Self.xmp(attributes))?.map)
        #expect(map == GainMap(.share(ofHeadroom: 4), capacity: 0...2))
        for headroom in ["1", "64", "x"] {
            let text =
                #"HDRGainMap:HDRGainMapVersion="65536" HDRGainMap:HDRGainMapHeadroom="\#(headroom)""#
            #expect(found(Self.xmp(text)) == nil)
        }
    }

    // MARK: - ISO

    /// Returns the segment of ISO 21496-1 with fractions of 1,000.
    private static func iso(_ numbers: [Int], flags: UInt8 = 0x08) -> Data {
        var body = Data("urn:iso:std:iso:ts:21496:-1\0".utf8) + Data([0, 0, 0, 0, flags])
        let isCommon = flags & 0x08 != 0
        if isCommon { body += number(1_000, 4) }
        for value in numbers { body += number(value, 4) + (isCommon ? Data() : number(1_000, 4)) }
        return segment(0xE2, body)
    }

    @Test(arguments: [UInt8(0x08), 0]) func isoNumbersAreRead(_ flags: UInt8) throws {
        let map = try #require(
            found(Self.iso([250, 3_000, -500, 2_500, 500, 100, -200], flags: flags))?.map
        )
        var channel = GainMap.Channel()
        (channel.minimum, channel.maximum, channel.gamma) = (-0.5, 2.5, 0.5)
        (channel.baseOffset, channel.alternateOffset) = (0.1, -0.2)
        #expect(map == GainMap(.stops([channel]), capacity: 0.25...3))
    }

    @Test func isoHasThreeChannels() throws {
        let one = [0, 1_000, 1_000, 0, 0]
        let numbers = [0, 2_000] + one + [0, 2_000, 1_000, 0, 0] + [0, 3_000, 1_000, 0, 0]
        let map = try #require(found(Self.iso(numbers, flags: 0x88))?.map)
        guard case .stops(let channels) = map.meaning else {
            Issue.record("\(map)")
            return
        }
        #expect(channels.map(\.maximum) == [1, 2, 3])
    }

    @Test(arguments: [
        [], [0], [3_000, 250, 0, 1_000, 1_000, 0, 0], [0, 64_000, 0, 1_000, 1_000, 0, 0],
        [0, 1_000, 0, 1_000, 0, 0, 0], [0, 1_000, 0, 1_000, 1_000, 0],
        [0, 1_000, -64_000, 1_000, 1_000, 0, 0],
    ])
    func impossibleISONumbersAreNone(_ numbers: [Int]) { #expect(found(Self.iso(numbers)) == nil) }

    // MARK: - Files of cameras

    @Test(
        .needsSharedData,
        arguments: [
            "ultrahdr.jpeg", "canon-r8-ultrahdr-small.jpg",
            "seine_sdr_gainmap_srgb.jpg", "paris_exif_xmp_gainmap_littleendian.jpg",
            "iphone13mini-gainmap-new.jpg", "iphone13mini-gainmap-old.jpg",
            "seine_sdr_gainmap_srgb.avif", "galaxy-s25u-gainmap.heic",
        ]
    )
    func mapsOfCamerasAreFound(_ name: String) throws {
        let data = try Data(contentsOf: SharedData.file("hdr-gainmap/" + name))
        let found = Array(data).withUnsafeBytes { bytes in
            name.contains(".j")
                ? GainMapReader.jpeg(ByteView(bytes)) : GainMapReader.heif(ByteView(bytes))
        }
        let map = try #require(found?.map)
        #expect(map.capacity.lowerBound >= 0 && (0.5...7).contains(map.capacity.upperBound))
        switch map.meaning {
        case .stops(let channels): #expect(channels.allSatisfy { $0.maximum > $0.minimum })
        case .share(let headroom): #expect(headroom > 1 && headroom < 64)
        }
    }

    @Test(.needsSharedData, arguments: ["hdr-pq.heic", "hdr.avif", "seine_hdr_srgb.avif"])
    func otherBrightFilesHaveNone(_ name: String) throws {
        let data = try Data(contentsOf: SharedData.file("hdr-gainmap/" + name))
        let found = Array(data).withUnsafeBytes { GainMapReader.heif(ByteView($0)) }
        if case .auxiliary? = found?.place { Issue.record("\(name) has a map.") }
    }
}
