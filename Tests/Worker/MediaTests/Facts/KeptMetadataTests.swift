import Foundation
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

/// Labels, people and areas in sidecars, which stay in files.
@Suite(.timeLimit(.minutes(1))) struct KeptMetadataTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-kept") }

    private func kept(attributes: String = "", _ elements: String = "") throws -> KeptMetadata {
        let packet = SidecarFactsTests.packet(attributes: attributes, elements)
        let url = try folder.write(Data(packet.utf8), to: "a.xmp")
        let facts = try #require(try Prober.shared.probe(path: url.path).facts)
        return facts.kept ?? KeptMetadata()
    }

    /// digiKam and darktable number their colors, each in its own way.
    @Test func numbersOfColorsHaveNames() throws {
        #expect(try kept(attributes: #"xmp:Label="Mine" digiKam:ColorLabel="3""#).label == "Mine")
        for (number, name) in [("1", "Red"), ("4", "Green"), ("9", "White")] {
            #expect(try kept(attributes: #"digiKam:ColorLabel="\#(number)""#).label == name)
        }
        for number in ["0", "10", "x"] {
            #expect(try kept(attributes: #"digiKam:ColorLabel="\#(number)""#).label == nil)
        }
        func darktable(_ numbers: [String]) throws -> String? {
            let items = numbers.map { "<rdf:li>\($0)</rdf:li>" }.joined()
            let list = "<darktable:colorlabels><rdf:Seq>\(items)</rdf:Seq></darktable:colorlabels>"
            return try kept(list).label
        }
        #expect(try darktable(["0"]) == "Red")
        #expect(try darktable(["7", "4"]) == "Purple")
        #expect(try darktable(["7"]) == nil)
    }

    private static func regions(_ area: String, size: String = "") -> String {
        """
        <mwg-rs:Regions rdf:parseType="Resource">\(size)<mwg-rs:RegionList><rdf:Bag>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Ann</mwg-rs:Name>
        <mwg-rs:Type>Face</mwg-rs:Type>
        <mwg-rs:Area xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \(area)/></rdf:li>
        </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
        """
    }

    private static let size = """
        <mwg-rs:AppliedToDimensions xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" \
        stDim:w="400" stDim:h="200" stDim:unit="pixel"/>
        """

    @Test func areasHaveTheirPlace() throws {
        let area = #"stArea:x="0.5" stArea:y="0.25" stArea:w="0.1" stArea:h="0.2""#
        let found = try kept(Self.regions(area + #" stArea:unit="normalized""#, size: Self.size))
        #expect(found.regionImageSize == PixelSize(width: 400, height: 200))
        let region = try #require(found.regions.first)
        #expect(region.name == "Ann" && region.type == "Face" && region.x == 0.5)
        #expect(region.y == 0.25 && region.width == 0.1 && region.height == 0.2)
    }

    /// Lengths in pixels are parts of the image to which they were applied.
    @Test func areasInPixelsAreParts() throws {
        let area = #"stArea:x="200" stArea:y="50" stArea:d="40" stArea:unit="pixel""#
        let region = try #require(try kept(Self.regions(area, size: Self.size)).regions.first)
        #expect(region.x == 0.5 && region.y == 0.25 && region.diameter == 0.2)
        #expect(try kept(Self.regions(area)).regions == [], "its image has no size")
        let outside = #"stArea:x="900" stArea:y="50" stArea:unit="pixel""#
        #expect(try kept(Self.regions(outside, size: Self.size)).regions == [])
    }

    /// Microsoft's areas have corners; a name without an area is a person in the image.
    @Test func areasOfMicrosoftAreRead() throws {
        func item(_ name: String, _ rectangle: String) -> String {
            "<rdf:li rdf:parseType=\"Resource\"><MPReg:PersonDisplayName>\(name)"
                + "</MPReg:PersonDisplayName>\(rectangle)</rdf:li>"
        }
        let rectangle = "<MPReg:Rectangle>0.25, 0.5, 0.5, 0.25</MPReg:Rectangle>"
        let damaged = "<MPReg:Rectangle>0.25, x, 0.5, 0.25</MPReg:Rectangle>"
        let found = try kept(
            """
            <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
            \(item("Ann", rectangle))\(item("Bo", ""))\(item("Cy", damaged))
            </rdf:Bag></MPRI:Regions></MP:RegionInfo>
            """
        )
        let region = try #require(found.regions.first)
        #expect(found.regions.count == 1 && region.name == "Ann" && region.x == 0.5)
        #expect(region.y == 0.625 && region.width == 0.5 && region.height == 0.25)
        #expect(found.people == ["Bo", "Cy"])
    }
}
