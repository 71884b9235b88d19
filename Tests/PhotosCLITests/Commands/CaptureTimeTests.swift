import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The capture time that the command says of imported photos.
@Suite(.timeLimit(.minutes(1))) struct CaptureTimeTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    private func captureTime(_ metadata: SampleMetadata) throws -> [String: Any] {
        let file = try world.photo("IMG_0001.JPG", metadata: metadata)
        let imported = try world.objects("import", "--json", file.path)
        let identifier = try #require(imported.first?["localIdentifier"])
        let shown = try #require(try world.objects("show", identifier, "--json").first)
        return try #require(shown.values["captureTime"] as? [String: Any])
    }

    @Test(
        "An IPTC time without a zone, or with a program's zero, gives no offset",
        arguments: ["121314", "121314+0000"]
    )
    func iptcGivesNoOffset(time: String) throws {
        var metadata = SampleMetadata(date: SampleDate(text: "2023:07:15 12:13:14"))
        metadata.iptcDay = "20230715"
        metadata.iptcTime = time
        let capture = try captureTime(metadata)
        #expect(capture["wallTime"] as? String == "2023-07-15T12:13:14")
        #expect(capture["utcOffset"] as? Int == nil)
        #expect(capture["dateSource"] as? String == "machineTimeZone")
    }

    @Test func iptcTimeAloneGivesNoOffset() throws {
        var metadata = SampleMetadata()
        metadata.iptcDay = "20230715"
        metadata.iptcTime = "121314"
        let capture = try captureTime(metadata)
        #expect(capture["wallTime"] as? String == "2023-07-15T12:13:14")
        #expect(capture["wallTimeSource"] as? String == "iptc")
        #expect(capture["utcOffset"] as? Int == nil)
    }
}
