import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Facts of other programs' libraries on their whole way: imported, shown, exported, and read by
/// exiftool.
@Suite(.timeLimit(.minutes(5))) struct MigratedFactsTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test func proxiesStandForOriginalsThatAreMissing() throws {
        var library = AppleLibrary()
        library.assets = 4
        (library.liveEvery, library.editedEvery) = (0, 0)
        let source = world.folder.file("Mac.photoslibrary")
        try library.write(to: source)
        let original = source.appendingPathComponent(library.original(2))
        let derivatives = source.appendingPathComponent("resources/derivatives/A")
        try FileManager.default.createDirectory(
            at: derivatives,
            withIntermediateDirectories: true
        )
        let small = derivatives.appendingPathComponent(library.uuid(2) + "_1_105_c.jpeg")
        try (Data(contentsOf: original) + Data([7])).write(to: small)
        try FileManager.default.removeItem(at: original)
        // Without the option, the asset is not there.
        let report = world.folder.file("report.jsonl")
        let plain = try world.objects(
            "import",
            "--json",
            "--report",
            report.path,
            source.path,
            status: 1
        )
        // Albums say what they lack.
        let totals = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").last
        let note = /"1 of \d+ photos of the album “Album\\?\/\d” were not imported/
        #expect(totals?.contains(note) ?? false, "\(totals ?? "")")
        let absent = try #require(plain.first { $0["outcome"] == "missing" })
        #expect(plain.count { $0["outcome"] == "missing" } == 1)
        let reason = try #require(absent["reason"])
        #expect(reason.contains(/\(IMG_\S+ of \d{4}-\d\d-\d\d\)/), "\(reason)")
        #expect(try world.names().count == 3)
        let lines = try world.objects("import", "--json", "--proxies", source.path, status: 1)
        let missing = try #require(lines.first { $0["outcome"] == "missing" })
        let id = try #require(missing["localIdentifier"])
        #expect(id == library.uuid(2) + "/L0/001")
        let shown = try #require(try world.objects("show", id, "--json").first)
        let resources = try #require(shown.values["resources"] as? [[String: Any]])
        #expect(resources.compactMap { $0["type"] as? String } == ["photoProxy"])
        // Other assets have their originals.
        for other in try world.objects("list", "--json") where other["localIdentifier"] != id {
            let identifier = try #require(other["localIdentifier"])
            let line = try #require(try world.objects("show", identifier, "--json").first)
            let types = (line.values["resources"] as? [[String: Any]])?
                .compactMap { $0["type"] as? String }
            #expect(types?.contains("photo") == true)
        }
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n", "\(verify.text)")
        // It is still missing, and the run still says so.
        _ = try world.objects("import", "--json", "--proxies", source.path, status: 1)
    }

    /// Returns the structured tags of the exported XMP files by the title of their photo.
    private func exported() throws -> [String: [String: Any]] {
        let out = world.folder.file("out")
        let export = try world.run("export", "--all", "--hidden", "--deleted", "-o", out.path)
        try #require(export.status == 0, "\(export.errorText)")
        let output = try ProcessRunner.run(
            "exiftool",
            ["-r", "-j", "-n", "-struct", "-XMP:all", "-ext", "xmp", out.path]
        )
        let values = try JSONSerialization.jsonObject(with: output.standardOutput)
        let files = try #require(values as? [[String: Any]], "\(output.errorText)")
        var found: [String: [String: Any]] = [:]
        for file in files {
            let path = URL(fileURLWithPath: file["SourceFile"] as? String ?? "")
            found[path.deletingPathExtension().lastPathComponent] = file
        }
        return found
    }

    @Test func regionsOfPeopleAreExported() throws {
        var library = AppleLibrary()
        library.assets = 9
        library.liveEvery = 0
        let source = world.folder.file("Mac.photoslibrary")
        try library.write(to: source)
        // A second person, in another corner.
        try library.execute(
            """
            INSERT INTO ZPERSON VALUES (2, 'Zoë');
            INSERT INTO ZDETECTEDFACE VALUES (500, 1, 2, 0.875, 0.75, 0.0625);
            """,
            in: source
        )
        _ = try world.objects("import", "--json", source.path)
        let exported = try exported()
        let file = try #require(exported["IMG_0000.JPG"], "\(exported.keys)")
        let info = try #require(file["RegionInfo"] as? [String: Any])
        let regions = try #require(info["RegionList"] as? [[String: Any]])
        // MWG counts from the top left, Photos from the bottom left; both name the center.
        let wanted: [(name: String, x: Double, y: Double, side: Double)] = [
            ("Ana <b>\"M\"</b> & Co", 0.5, 0.75, 0.125), ("Zoë", 0.875, 0.25, 0.0625),
        ]
        #expect(regions.compactMap { $0["Name"] as? String } == wanted.map(\.name))
        for (region, wanted) in zip(regions, wanted) {
            #expect(region["Type"] as? String == "Face")
            let area = try #require(region["Area"] as? [String: Any])
            func number(_ key: String) -> Double? { (area[key] as? NSNumber)?.doubleValue }
            #expect(number("X") == wanted.x && number("Y") == wanted.y, "\(wanted.name)")
            #expect(number("W") == wanted.side && number("H") == wanted.side, "\(wanted.name)")
            #expect(area["Unit"] as? String == "normalized")
        }
        #expect(file["PersonInImage"] as? [String] == wanted.map(\.name))
        #expect(exported["IMG_0001.JPG"]?["RegionInfo"] == nil)
    }

    @Test func peopleOfTakeoutsAreExported() throws {
        var tree = TakeoutTree()
        for (index, people) in [["Ana", "Zoë <b>"], []].enumerated() {
            var description = TakeoutTree.Description(title: "\(index).jpg")
            description.people = people
            tree.add("Photos from 2020/\(index).jpg", try TakeoutTree.picture(seed: UInt64(index)))
            tree.add("Photos from 2020/\(index).jpg.json", description.data)
        }
        let archive = world.source.appendingPathComponent("takeout-1-001.zip")
        try tree.writeZIP(to: archive)
        _ = try world.objects("import", "--json", archive.path)
        let exported = try exported()
        #expect(exported["0.jpg"]?["PersonInImage"] as? [String] == ["Ana", "Zoë <b>"])
        #expect(exported["1.jpg"] != nil && exported["1.jpg"]?["PersonInImage"] == nil)
    }
}
