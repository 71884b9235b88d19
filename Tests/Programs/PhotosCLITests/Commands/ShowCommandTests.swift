import Foundation
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ShowCommandTests {
    let world: CommandWorld
    let file: URL
    let identifier: String

    init() throws {
        world = try CommandWorld()
        var metadata = SampleMetadata(
            date: SampleDate(text: "2019:07:04 12:30:45", offset: "-07:00"),
            make: "Seagull",
            model: "Seagull Model 1",
            lens: "Seagull 35 mm"
        )
        metadata.title = "A title"
        metadata.keywords = ["sea", "summer"]
        metadata.rating = 4
        metadata.exposure = .init(
            time: 0.004,
            fNumber: 2.8,
            iso: 100,
            focalLength: 24,
            focalLength35: 36
        )
        file = try world.photo("IMG_0001.JPG", metadata: metadata)
        identifier = try #require(
            try world.objects("import", "--json", file.path).first?["localIdentifier"]
        )
    }

    @Test func jsonHasEverything() throws {
        let line = try #require(try world.objects("show", identifier, "--json").first)
        #expect(line["localIdentifier"] == identifier)
        #expect(line["title"] == "A title")
        #expect(line["rating"] == "four")
        #expect(Set(line.values["keywords"] as? [String] ?? []) == ["sea", "summer"])
        let capture = try #require(line.values["captureTime"] as? [String: Any])
        #expect(capture["date"] as? String == "2019-07-04T19:30:45Z")
        #expect(capture["wallTime"] as? String == "2019-07-04T12:30:45")
        #expect(capture["utcOffset"] as? Int == -25_200)
        #expect(capture["wallTimeSource"] as? String == "exifOriginal")
        #expect(capture["dateSource"] as? String == "offsetTag")
        let camera = try #require(line.values["camera"] as? [String: Any])
        #expect(camera["make"] as? String == "Seagull")
        #expect(camera["isoSpeed"] as? Int == 100)
        let resources = try #require(line.values["resources"] as? [[String: Any]])
        #expect(resources.count == 1)
        #expect(resources.first?["type"] as? String == "photo")
        #expect(resources.first?["sha256"] as? String == (try CommandWorld.sha256(of: file)))
        #expect(resources.first?["fileSize"] as? Int == (try Data(contentsOf: file).count))
        #expect(resources.first?["uniformTypeIdentifier"] as? String == "public.jpeg")
        let versions = try #require(line.values["versions"] as? [[String: Any]])
        #expect(versions.map { $0["version"] as? String } == ["original"])
    }

    @Test func peopleGetASheet() throws {
        let output = try world.run("show", String(identifier.prefix(36)).lowercased())
        let text = output.text
        #expect(output.status == 0)
        #expect(text.hasPrefix("IMG_0001.JPG\n  identifier  \(identifier)\n"))
        #expect(text.contains("captured    2019-07-04 12:30:45 UTC-07:00 (exifOriginal)\n"))
        #expect(text.contains("camera      Seagull Model 1\n"))
        #expect(text.firstMatch(of: /added +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+00:00\n/) != nil)
        #expect(text.contains("settings    1/250 s, f/2.8, ISO 100, 24 mm (36 mm equivalent)\n"))
        #expect(text.contains(try CommandWorld.sha256(of: file)))
    }

    @Test(arguments: ["5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11", "nonsense"])
    func unknownIdentifierIsNamed(unknown: String) throws {
        let output = try world.run("show", unknown)
        #expect(output.status == 1)
        #expect(
            output.errorText
                == "photos: There is no asset \(unknown) in the library. Run photos list to see the identifiers.\n"
        )
    }
}
