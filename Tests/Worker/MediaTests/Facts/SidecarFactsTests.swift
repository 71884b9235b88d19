import Foundation
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

/// The facts that the worker reads from sidecars of various programs.
@Suite(.timeLimit(.minutes(1)))
struct SidecarFactsTests {
    private let folder: TemporaryFolder
    private let prober = Prober.shared

    init() throws { folder = try TemporaryFolder() }

    /// Returns properties, as attributes and elements, in a packet with the namespaces of all
    /// programs.
    static func packet(attributes: String = "", _ elements: String = "") -> String {
        let namespaces = [
            ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
            ("exif", "http://ns.adobe.com/exif/1.0/"), ("tiff", "http://ns.adobe.com/tiff/1.0/"),
            ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
            ("lr", "http://ns.adobe.com/lightroom/1.0/"),
            ("crs", "http://ns.adobe.com/camera-raw-settings/1.0/"),
            ("digiKam", "http://www.digikam.org/ns/1.0/"),
            ("MicrosoftPhoto", "http://ns.microsoft.com/photo/1.0/"),
            ("MP", "http://ns.microsoft.com/photo/1.2/"),
            ("MPRI", "http://ns.microsoft.com/photo/1.2/t/RegionInfo#"),
            ("MPReg", "http://ns.microsoft.com/photo/1.2/t/Region#"),
            ("mediapro", "http://ns.iview-multimedia.com/mediapro/1.0/"),
            ("acdsee", "http://ns.acdsee.com/iptc/1.0/"),
            ("mwg-rs", "http://www.metadataworkinggroup.com/schemas/regions/"),
            ("darktable", "http://darktable.sf.net/"), ("fstop", "http://www.fstopapp.com/xmp/"),
        ].map { " xmlns:\($0.0)=\"\($0.1)\"" }.joined()
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 5.5.0">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about=""\(namespaces) \(attributes)>\(elements)</rdf:Description>
            </rdf:RDF></x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    private func facts(attributes: String = "", _ elements: String = "") throws -> MediaFacts {
        let text = Self.packet(attributes: attributes, elements)
        let file = try folder.write(Data(text.utf8), to: "a.xmp")
        let answer = try prober.probe(path: file.path)
        let facts = try #require(answer.facts, "\(answer.reason ?? "")")
        #expect(facts.format == .xmp && facts.hasReadableHeader)
        return facts
    }

    private static func list(_ key: String, _ kind: String, _ items: String...) -> String {
        let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        return "<\(key)><rdf:\(kind)>\(items)</rdf:\(kind)></\(key)>"
    }

    private static func text(_ key: String, _ value: String) -> String {
        "<\(key)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(value)</rdf:li></rdf:Alt></\(key)>"
    }

    // MARK: - Programs

    @Test func digiKam() throws {
        let categories =
            "&lt;Categories&gt;&lt;Category Assigned=\"0\"&gt;Places&lt;Category Assigned=\"1\"&gt;"
            + "Rome &amp;amp; Ostia&lt;/Category&gt;&lt;/Category&gt;&lt;/Categories&gt;"
        let region =
            "<mwg-rs:Regions rdf:parseType=\"Resource\"><mwg-rs:RegionList><rdf:Bag>"
            + "<rdf:li rdf:parseType=\"Resource\"><mwg-rs:Name>Ada</mwg-rs:Name>"
            + "<mwg-rs:Type>Face</mwg-rs:Type></rdf:li></rdf:Bag></mwg-rs:RegionList>"
            + "</mwg-rs:Regions>"
        let facts = try facts(
            attributes: "xmp:Rating=\"4\" MicrosoftPhoto:Rating=\"75\" "
                + "xmp:MetadataDate=\"2024-03-01T10:00:00+01:00\" "
                + "exif:DateTimeOriginal=\"2023-07-15T12:30:45\" "
                + "photoshop:DateCreated=\"2023-07-15T12:30:45\" "
                + "acdsee:categories='\(categories)'",
            Self.text("dc:title", "Title") + Self.text("dc:description", "Caption")
                + Self.text("exif:UserComment", "Other")
                + Self.list("dc:subject", "Bag", "Sea", "Ada")
                + Self.list("digiKam:TagsList", "Seq", "Nature/Sea", "People/Ada", "People/Bob")
                + Self.list("MicrosoftPhoto:LastKeywordXMP", "Bag", "Nature/Sea", "Events/Trip")
                + Self.list("lr:hierarchicalSubject", "Bag", "Nature|Water", "People|Ada")
                + Self.list("mediapro:CatalogSets", "Bag", "Sets|Best") + region
        )
        #expect(facts.title == "Title" && facts.caption == "Caption" && facts.rating == 4)
        // Bob has no region, so nothing marks him as a person instead of a keyword.
        #expect(
            facts.keywords == ["Sea", "Water", "Bob", "Trip", "Best", "Rome & Ostia"]
        )
        #expect(facts.dates.map(\.text) == ["2023:07:15 12:30:45", "2023:07:15 12:30:45"])
        #expect(facts.metadataDate?.text == "2024:03:01 10:00:00")
        #expect(facts.metadataDate?.offset == "+01:00")
        #expect(!facts.hasDarktableHistory)
    }

    @Test func lightroom() throws {
        let facts = try facts(
            attributes: "xmp:Rating=\"-1\" xmp:Label=\"Red\" xmp:CreatorTool=\"Lightroom\" "
                + "xmp:CreateDate=\"2020-01-01T00:00:01\" crs:Exposure2012=\"+0.50\" "
                + "photoshop:DateCreated=\"2023-07-15T12:30:45.25+02:00\" "
                + "xmp:MetadataDate=\"2024-03-01T10:00:00+01:00\" "
                + "exif:GPSLatitude=\"48,8.5N\" exif:GPSLongitude=\"11,34.5E\"",
            Self.list("lr:hierarchicalSubject", "Bag", "Places|Italy|Rome", "Solo")
                + Self.list("dc:subject", "Bag", "Rome", "Solo")
        )
        #expect(facts.rating == -1)
        #expect(facts.keywords == ["Rome", "Solo"])
        #expect(facts.dates.map(\.offset) == ["+02:00"])
        #expect(facts.dates.map(\.source) == [.xmp])
        #expect(abs((facts.location?.latitude ?? 0) - 48.141_667) < 1e-5)
    }

    @Test func darktable() throws {
        let facts = try facts(
            attributes: "exif:DateTimeOriginal=\"2023:07:15 12:30:45.500\" xmp:Rating=\"1\" "
                + "darktable:xmp_version=\"5\" darktable:history_end=\"3\"",
            Self.list("lr:hierarchicalSubject", "Seq", "darktable|format|cr2")
        )
        #expect(facts.hasDarktableHistory && facts.rating == 1 && facts.keywords == ["cr2"])
        #expect(facts.dates.first?.text == "2023:07:15 12:30:45")
        #expect(facts.dates.first?.subseconds == "500")
    }

    @Test func immich() throws {
        let facts = try facts(
            Self.text("dc:description", "By Immich") + "<exif:DateTimeOriginal>"
                + "2023-07-15T12:30:45.000+02:00</exif:DateTimeOriginal>"
                + "<photoshop:DateCreated>1999-01-01T00:00:01</photoshop:DateCreated>"
                + "<tiff:ImageDescription>By Immich</tiff:ImageDescription><xmp:Rating>5</xmp:Rating>"
                + Self.list("digiKam:TagsList", "Seq", "Trips/Rome", "Plain")
        )
        #expect(facts.caption == "By Immich" && facts.rating == 5)
        #expect(facts.keywords == ["Rome", "Plain"])
        // The date that Immich changes has priority over one that another program left.
        #expect(facts.dates.map(\.text) == ["2023:07:15 12:30:45", "1999:01:01 00:00:01"])
    }

    @Test("PhotoPrism's sidecars, and F-Stop's that it reads, are as ExifTool writes them")
    func photoPrism() throws {
        let facts = try facts(
            attributes: "fstop:favorite=\"1\" xmp:CreateDate=\"2023-07-15T12:30:45\"",
            Self.text("dc:title", "Night / Shift")
                + Self.list("dc:subject", "Bag", "desk", "coffee")
        )
        #expect(facts.title == "Night / Shift" && facts.keywords == ["desk", "coffee"])
        #expect(facts.rating == nil && facts.caption == nil)
        #expect(facts.dates.map(\.source) == [.exifDigitized])
    }

    // MARK: - Rules

    @Test(
        "Ratings: stars, else percent; what is out of range says nothing",
        arguments: [
            ("xmp:Rating=\"0\"", 0), ("xmp:Rating=\"5\"", 5), ("xmp:Rating=\"-1\"", -1),
            ("xmp:Rating=\"-1.0\"", -1), ("xmp:Rating=\"3\" MicrosoftPhoto:Rating=\"99\"", 3),
            ("xmp:Rating=\"0\" MicrosoftPhoto:Rating=\"99\"", 0),
            ("xmp:Rating=\"6\" MicrosoftPhoto:Rating=\"25\"", 2), ("xmp:Rating=\"-2\"", nil),
            ("MicrosoftPhoto:Rating=\"1\"", 1), ("MicrosoftPhoto:Rating=\"25\"", 2),
            ("MicrosoftPhoto:Rating=\"50\"", 3), ("MicrosoftPhoto:Rating=\"75\"", 4),
            ("MicrosoftPhoto:Rating=\"99\"", 5), ("MicrosoftPhoto:Rating=\"101\"", nil),
            ("xmp:Rating=\"1e300\"", nil), ("xmp:Rating=\"nan\"", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func ratings(_ attributes: String, _ rating: Int?) throws {
        #expect(try facts(attributes: attributes).rating == rating)
    }

    @Test(
        "Captions: the description, else the comment, unless it marks a screenshot",
        arguments: [
            (text("dc:description", "A") + text("exif:UserComment", "B"), "A"),
            (text("dc:description", "") + text("exif:UserComment", "B"), "B"),
            (text("exif:UserComment", "B"), "B"), (text("exif:UserComment", "Screenshot"), nil),
            ("", nil),
        ] as [(String, String?)]
    )
    func captions(_ elements: String, _ caption: String?) throws {
        #expect(try facts(elements).caption == caption)
    }

    @Test("Lists that no person wrote are truncated, so that the answer fits into a message")
    func endlessLists() throws {
        let word = String(repeating: "w", count: 4000)
        let items = (0..<900).map { "<rdf:li>\(word)/\($0)</rdf:li>" }.joined()
        let facts = try facts(
            "<digiKam:TagsList><rdf:Seq>\(items)</rdf:Seq></digiKam:TagsList>"
                + Self.list("dc:subject", "Bag", "Sea")
        )
        #expect(facts.keywords.contains("Sea") && facts.keywords.count == 200)
        let paths = try #require(facts.kept?.keywordPaths)
        #expect(paths.count > 10 && paths.count < 100)
        #expect(paths.first == [word, "0"])
    }

    @Test(
        "A place's hemispheres are in the numbers, or apart as Apple Photos writes them",
        arguments: [
            ("1.5", "S", "2.5", "W", -1.5, -2.5), ("1.5", "N", "2.5", "E", 1.5, 2.5),
            ("1,30S", "N", "2,30W", "E", -1.5, -2.5), ("-1.5", "S", "-2.5", "W", -1.5, -2.5),
            ("1.5", "", "2.5", "", 1.5, 2.5),
        ] as [(String, String, String, String, Double, Double)]
    )
    func hemispheres(
        _ latitude: String,
        _ latitudeRef: String,
        _ longitude: String,
        _ longitudeRef: String,
        _ north: Double,
        _ east: Double
    ) throws {
        let facts = try facts(
            "<exif:GPSLatitude>\(latitude)</exif:GPSLatitude>"
                + "<exif:GPSLatitudeRef>\(latitudeRef)</exif:GPSLatitudeRef>"
                + "<exif:GPSLongitude>\(longitude)</exif:GPSLongitude>"
                + "<exif:GPSLongitudeRef>\(longitudeRef)</exif:GPSLongitudeRef>"
        )
        #expect(facts.location?.latitude == north && facts.location?.longitude == east)
    }

    private static let trips = list("digiKam:TagsList", "Seq", "people/Ada")
    private static let words = list("dc:subject", "Bag", "Ada", "Sea")
    private static let face = """
        <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
        <rdf:li MPReg:PersonDisplayName="Ada"/></rdf:Bag></MPRI:Regions></MP:RegionInfo>
        """
    private static let brokenTree = """
        <acdsee:categories>&lt;Categories>&lt;Category Assigned='1'>A&lt;Category Assigned='0'>B\
        &lt;/Category>&lt;Category Assigned='1'>C</acdsee:categories>
        """

    @Test(
        "Keywords: every list and tree counts; broken ones give what comes before",
        arguments: [
            (list("lr:hierarchicalSubject", "Bag", "A|B", "A", "|", "C|"), ["B", "A", "C"]),
            (list("digiKam:TagsList", "Seq", "A/B|C"), ["B|C"]),
            (list("lr:hierarchicalSubject", "Bag", "A/B"), ["A/B"]), (brokenTree, ["A"]),
            ("\(words)\(trips)\(face)", ["Sea"]), ("\(words)\(trips)", ["Ada", "Sea"]),
        ] as [(String, [String])]
    )
    func keywords(_ elements: String, _ keywords: [String]) throws {
        #expect(try facts(elements).keywords == keywords)
    }
}
