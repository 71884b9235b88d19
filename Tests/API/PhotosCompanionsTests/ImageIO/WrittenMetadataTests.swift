import Foundation
import FoundationXML
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotosCompanions

/// Packets and data sets that are written, as exiftool reads them.
@Suite(.timeLimit(.minutes(2))) struct WrittenMetadataTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ data: Data, as name: String) throws -> [String: Any] {
        let file = try folder.write(data, to: name)
        return try WrittenTags.read(file)
    }

    static let words = [
        "plain", "<b> & \"c\" 'd'", "Grüße 日本 😀", "tab\tand\nline\rend", "]]>", "&amp;",
        "control \u{1}\u{1f} end", "",
    ]

    @Test("Text comes back as it was written", arguments: words)
    func textComesBack(_ word: String) throws {
        let packet = try #require(
            XMPWriter.packet([
                "{IPTC}": [
                    "ObjectName": word, "Caption/Abstract": word + "!",
                    "Keywords": [word, "second"], "StarRating": 4,
                ] as [String: Any]
            ])
        )
        // XML does not permit control characters.
        let expected = String(
            String.UnicodeScalarView(
                word.unicodeScalars.map { scalar in
                    scalar.value < 32 && !"\t\n\r".unicodeScalars.contains(scalar)
                        ? "\u{fffd}" : scalar
                }
            )
        )
        let parsed = try #require(XMLText.parsed(packet))
        #expect(parsed["dc:title"] == [expected])
        #expect(parsed["dc:description"] == [expected + "!"])
        #expect(parsed["dc:subject"] == [expected, "second"])
    }

    @Test func exifToolReadsPackets() throws {
        let packet = try #require(
            XMPWriter.packet([
                "{IPTC}": [
                    "ObjectName": "Ä <title>", "Caption/Abstract": "“A & B”",
                    "Keywords": ["one", "two"], "StarRating": 3,
                ] as [String: Any]
            ])
        )
        let tags = try read(packet, as: "words.xmp")
        #expect(tags["XMP-dc:Title"] as? String == "Ä <title>")
        #expect(tags["XMP-dc:Description"] as? String == "“A & B”")
        #expect(tags["XMP-dc:Subject"] as? [String] == ["one", "two"])
        #expect(tags["XMP-xmp:Rating"] as? Int == 3)
        #expect(XMPWriter.packet([:]) == nil)
        #expect(XMPWriter.packet(["{IPTC}": ["Keywords": [] as [String]]]) == nil)
    }

    @Test func exifToolReadsGainMapParameters() throws {
        var (one, two) = (GainMap.Channel(), GainMap.Channel())
        (one.maximum, two.maximum) = (2.5, 3)
        one.gamma = 0.5
        two.gamma = 0.5
        let map = GainMap(.stops([one, two, one]), capacity: 0...3)
        let tags = try read(XMPWriter.packet(map), as: "map.xmp")
        #expect(tags["XMP-hdrgm:GainMapMax"] as? [Double] == [2.5, 3, 2.5])
        #expect(tags["XMP-hdrgm:Gamma"] as? Double == 0.5)
        #expect(tags["XMP-hdrgm:GainMapMin"] as? Double == 0)
        #expect(tags["XMP-hdrgm:HDRCapacityMax"] as? Double == 3)
        #expect(tags["XMP-hdrgm:OffsetSDR"] as? Double == 1.0 / 64)
        let apple = String(
            decoding: XMPWriter.packet(GainMap(.share(ofHeadroom: 4.5), capacity: 0...1)),
            as: UTF8.self
        )
        #expect(apple.contains("HDRGainMapHeadroom=\"4.5\""))
    }

    @Test func longTextIsCutBetweenCharacters() throws {
        let title = String(repeating: "ä", count: 40) + "z"
        let caption = String(repeating: "日", count: 800)
        let block = try #require(
            IPTCWriter.block([
                "{IPTC}": [
                    "ObjectName": title, "Caption/Abstract": caption,
                    "Keywords": ["k1", String(repeating: "😀", count: 20)],
                ] as [String: Any]
            ])
        )
        var sets: [UInt8: [String]] = [:]
        var rest = [UInt8](block)[...]
        while rest.count >= 5 {
            #expect(rest.first == 0x1c)
            let start = rest.startIndex
            let length = Int(rest[start + 3]) << 8 | Int(rest[start + 4])
            let value = rest.dropFirst(5).prefix(length)
            if rest[start + 1] == 2, rest[start + 2] != 0 {
                let text = try #require(String(validating: value, as: UTF8.self))
                sets[rest[start + 2], default: []].append(text)
            }
            rest = rest.dropFirst(5 + length)
        }
        #expect(rest.isEmpty)
        #expect(sets[5] == [String(repeating: "ä", count: 32)])
        #expect(sets[25] == ["k1", String(repeating: "😀", count: 16)])
        #expect(sets[120] == [String(repeating: "日", count: 666)])
        #expect(IPTCWriter.block([:]) == nil)
    }
}

extension XMLText {
    /// Returns the texts of the list items in each element, as Foundation's parser reads them.
    fileprivate static func parsed(_ packet: Data) -> [String: [String]]? {
        let reader = ItemReader()
        let parser = XMLParser(data: packet)
        parser.delegate = reader
        return parser.parse() ? reader.items : nil
    }
}

private final class ItemReader: NSObject, XMLParserDelegate {
    var items: [String: [String]] = [:]
    private var names: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        names.append(name)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        names.removeLast()
        if name == "rdf:li", names.count > 1 {
            items[names[names.count - 2], default: []].append(text)
        }
    }
}
