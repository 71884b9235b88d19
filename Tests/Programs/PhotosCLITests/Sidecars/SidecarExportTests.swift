import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The sidecars of an exported library: everything that the imported files say is in them, and
/// files and sidecars alone restore it.
@Suite(.timeLimit(.minutes(5))) struct SidecarExportTests {
    let sidecars: SidecarWorld
    let out: URL
    var world: CommandWorld { sidecars.world }

    init() throws {
        sidecars = try SidecarWorld()
        out = sidecars.world.folder.file("out")
    }

    private func export(_ library: URL? = nil, to folder: URL? = nil) throws {
        let folder = (folder ?? out).path
        let output = try world.run(
            "export",
            "--all",
            "--library",
            (library ?? world.library).path,
            "-o",
            folder,
            "--albums",
            "none"
        )
        try #require(output.status == 0, "\(output.text)\(output.errorText)")
        #expect(output.text.isEmpty)
    }

    /// Returns the files below a folder with an ending of their names, by name.
    private func files(_ ending: String, below folder: URL) throws -> [String: URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let found = paths.filter { $0.hasSuffix(ending) && $0.hasPrefix("Photos/") }
        return Dictionary(
            found.map { (($0 as NSString).lastPathComponent, folder.appendingPathComponent($0)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private func tags(_ file: URL) throws -> [String: Any] {
        let output = try ProcessRunner.run(
            "exiftool",
            ["-j", "-n", "-G1", "-struct", "-charset", "UTF8", file.path]
        )
        let objects = try JSONSerialization.jsonObject(with: output.standardOutput)
        return try #require((objects as? [[String: Any]])?.first)
    }

    /// Imports the files and sidecars of an export into another library.
    private func reimport(_ folder: URL, _ name: String) throws -> URL {
        let other = world.folder.file(name)
        let photos = folder.appendingPathComponent("Photos").path
        let output = try world.run("import", "--library", other.path, photos)
        // A sidecar that is exported as it was imported belongs to no photo.
        try #require(output.status == 0, "\(output.errorText)")
        return other
    }

    @Test("What the library has no fields for is written again, and exiftool reads it")
    func keptMetadata() throws {
        for (index, form) in [SidecarForm.digiKam, .lightroom, .darktable].enumerated() {
            try world.photo("\(form).JPG", seed: UInt64(index + 1))
            try sidecars.write(form.data, "\(form).JPG.xmp")
        }
        // An embedded tree of keywords, and a label.
        try world.photo("embedded.JPG", seed: 9)
        try sidecars.tag(
            "embedded.JPG",
            "-XMP-lr:HierarchicalSubject=Places|Paris",
            "-XMP-dc:Subject=Paris",
            "-XMP-xmp:Label=Green",
            "-XMP-photoshop:City=Paris"
        )
        try sidecars.importAll()
        for (name, arguments) in [
            ("digiKam.JPG", ["--remove-keyword", "Sea", "--add-keyword", "new"]),
            ("lightroom.JPG", ["--date", "2022-02-03T04:05:06-03:30"]),
        ] {
            let id = try #require(try sidecars.asset(name)["localIdentifier"])
            #expect(try world.run(["set", id] + arguments).status == 0)
        }
        try export()
        let files = try files(".JPG.xmp", below: out)
        for file in files.values { #expect(try ExifTool.complaints(about: file).isEmpty) }

        let digiKam = try tags(try #require(files["digiKam.JPG.xmp"]))
        #expect(digiKam["XMP-xmp:Label"] as? String == "Red")
        #expect(digiKam["XMP-photoshop:City"] as? String == "London")
        let paths = digiKam["XMP-lr:HierarchicalSubject"] as? [String] ?? []
        // The path of the removed keyword is gone.
        #expect(Set(paths) == ["Places|Italy|Rome", "Places|Rome", "new", "People|Ada"])
        let list = digiKam["XMP-digiKam:TagsList"] as? [String] ?? []
        #expect(Set(list) == ["Places/Italy/Rome", "Places/Rome", "new", "People/Ada"])
        #expect(Set(digiKam["XMP-dc:Subject"] as? [String] ?? []) == ["Rome", "new"])
        let info = try #require(digiKam["XMP-mwg-rs:RegionInfo"] as? [String: Any])
        let size = try #require(info["AppliedToDimensions"] as? [String: Any])
        #expect(size["W"] as? Int == 64 && size["H"] as? Int == 48)
        #expect(size["Unit"] as? String == "pixel")
        let regions = try #require(info["RegionList"] as? [[String: Any]])
        #expect(regions.compactMap { $0["Name"] as? String } == ["Ada", "Bob"])
        #expect(regions.allSatisfy { $0["Type"] as? String == "Face" })
        let areas = try regions.map { try #require($0["Area"] as? [String: Any]) }
        #expect(areas[0]["X"] as? Double == 0.25 && areas[0]["Y"] as? Double == 0.5)
        #expect(areas[0]["W"] as? Double == 0.125 && areas[0]["H"] as? Double == 0.25)
        // Microsoft's corner became a center.
        #expect(areas[1]["X"] as? Double == 0.625 && areas[1]["Y"] as? Double == 0.625)

        let lightroom = try tags(try #require(files["lightroom.JPG.xmp"]))
        #expect(lightroom["XMP-xmp:Label"] as? String == "Blue")
        #expect(lightroom["XMP-iptcCore:Location"] as? String == "Trafalgar Square")
        #expect(lightroom["XMP-photoshop:State"] as? String == "England")
        #expect(lightroom["XMP-iptcCore:CountryCode"] as? String == "GBR")
        #expect(lightroom["XMP-iptcExt:PersonInImage"] as? [String] == ["Ada"])
        // The instant of the person, in the zone of the photo.
        let date = "2022:02:03 09:35:06+02:00"
        #expect(lightroom["XMP-exif:DateTimeOriginal"] as? String == date)
        #expect(lightroom["XMP-photoshop:DateCreated"] as? String == date)
        #expect(lightroom["XMP-xmp:MetadataDate"] is String)

        let darktable = try tags(try #require(files["darktable.JPG.xmp"]))
        #expect(darktable["XMP-xmp:Label"] as? String == "Green")
        #expect(darktable["XMP-xmp:Rating"] as? Int == -1)
        let embedded = try tags(try #require(files["embedded.JPG.xmp"]))
        #expect(embedded["XMP-xmp:Label"] as? String == "Green")
        #expect(embedded["XMP-lr:HierarchicalSubject"] as? [String] == ["Places|Paris"])
        // The sidecars of the other programs are there as they were.
        let kept = try self.files("-sidecar.xmp", below: out)
        #expect(
            try Data(contentsOf: try #require(kept["digiKam-sidecar.xmp"]))
                == SidecarForm.digiKam.data
        )

        try exportsAgainEqually(files)
    }

    /// Imports the export, exports that, and compares the sidecars.
    private func exportsAgainEqually(_ files: [String: URL]) throws {
        let other = try reimport(out, "Again.photolibrary")
        let second = world.folder.file("again")
        try export(other, to: second)
        let others = try self.files(".JPG.xmp", below: second)
        #expect(Set(others.keys) == Set(files.keys))
        func text(_ file: URL?) throws -> [Substring] {
            try String(contentsOf: try #require(file), encoding: .utf8).split(separator: "\n")
                .filter { !$0.contains("photos:uuid") && !$0.contains("xmp:MetadataDate") }
        }
        for (name, file) in files { #expect(try text(others[name]) == (try text(file)), "\(name)") }
    }

    @Test("A sidecar that cannot be read is named, and everything else is exported")
    func unreadableSidecar() throws {
        try world.photo("IMG.JPG")
        try sidecars.write(SidecarForm.digiKam.data, "IMG.JPG.xmp")
        try sidecars.importAll()
        let rows = try sidecars.asset().values["resources"] as? [[String: Any]] ?? []
        let row = rows.first { $0["originalFilename"] as? String == "IMG.JPG.xmp" }
        let path = try #require(row?["path"] as? String)
        try FileManager.default.removeItem(at: world.library.appendingPathComponent(path))
        let lines = try world.run("export", "--all", "-o", out.path, "--json").lines
            .map(JSONLine.init)
        let line = try #require(lines.first { $0.name == "IMG.JPG.xmp" })
        #expect(line["outcome"] == "exported")
        #expect(line["reason"]?.contains("IMG.JPG.xmp cannot be read") == true)
    }

    @Test("Of a sidecar that was imported several times, the newest version counts")
    func newestVersion() throws {
        try world.photo("IMG.JPG")
        for label in ["Red", "Blue"] {
            let packet = SidecarWorld.packet("xmp:Label=\"\(label)\"")
            try sidecars.write(packet, "IMG.JPG.xmp")
            try sidecars.importAll()
        }
        try export()
        let file = try #require(try files(".JPG.xmp", below: out)["IMG.JPG.xmp"])
        #expect(try tags(file)["XMP-xmp:Label"] as? String == "Blue")
    }

    // MARK: - Files and sidecars alone

    private static let texts = [
        "A", "Ünïcode 日本語 👩‍👩‍👧", "<b> & \"q\" 'a' ]]>", "two words", "Sea/Side|x", "=;,|",
        "e\u{301}clair", "&amp;",
    ]

    @Test(
        "Files and sidecars alone restore pairs, titles, captions, keywords, ratings, dates, places"
    )
    func roundTrip() throws {
        let seed = TestSeed()
        var random = seed.generator
        // Live Photos, RAW pairs and others of the demo, and photos with metadata of all kinds.
        try SampleSet.demo(count: 16, seed: random.next(), megapixels: 0.02)
            .write(to: world.source.appendingPathComponent("demo")) { _ in }
        for number in 0..<16 { try writePhoto(number, &random) }
        let lines = try sidecars.importAll()
        let ids = lines.filter { $0["outcome"] == "imported" }
            .compactMap { $0["localIdentifier"] }
        for id in ids where Bool.random(using: &random) {
            let arguments = changes(&random)
            let output = try world.run(["set", id] + arguments)
            #expect(output.status == 0, "\(seed): \(arguments) \(output.errorText)")
        }
        try export()
        let other = try reimport(out, "Alone.photolibrary")
        // Dates of files without one are those of the files.
        let sql = """
            SELECT originalFilename, title, caption, rating, captureWallTime, captureOffset,
                round(creationDate, 3), round(latitude, 6), round(longitude, 6), round(altitude, 1),
                (SELECT group_concat(value, '␟') FROM
                    (SELECT value FROM json_each(keywords) ORDER BY value)),
                (SELECT group_concat(sha256, ',') FROM (SELECT hex(sha256) AS sha256 FROM resource
                    WHERE assetId = asset.id AND type <> 108 AND path LIKE 'originals/%'
                    AND originalFilename NOT LIKE '%.xmp' AND originalFilename NOT LIKE '%.AAE'
                    ORDER BY 1))
            FROM asset WHERE hasAdjustments = 0 AND captureWallTime IS NOT NULL
            ORDER BY 12, 1
            """
        let rows = try [world.library, other].map { library in
            let database = library.appendingPathComponent("database/library.sqlite").path
            let output = try ProcessRunner.run("sqlite3", ["-readonly", database, sql])
            #expect(output.status == 0, "\(output.errorText)")
            return output.lines
        }
        #expect(rows[0].count >= 20)
        for row in rows[0] { #expect(rows[1].contains(row), "\(seed): \(row)") }
    }

    /// Writes a photo with random metadata, and perhaps a sidecar.
    private func writePhoto(_ number: Int, _ random: inout SeededGenerator) throws {
        func some<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
        var metadata = SampleMetadata(
            date: .init(
                text: "20\(10 + number):03:04 05:06:\(10 + number)",
                subseconds: some("25"),
                offset: some("+05:30")
            ),
            location: some(
                .init(
                    latitude: Double.random(in: -89...89, using: &random),
                    longitude: Double.random(in: -179...179, using: &random)
                )
            )
        )
        (metadata.title, metadata.caption) = (some(text()), some(text()))
        metadata.keywords = (0..<Int.random(in: 0...3, using: &random)).map { _ in text() }
        metadata.rating = some(Int.random(in: 1...5, using: &random))
        let name = "R_\(number).JPG"
        try world.photo(name, seed: UInt64(100 + number), metadata: metadata)
        // The file was written by a program whose clock is ahead.
        if number % 5 == 0 { try sidecars.tag(name, "-XMP-xmp:MetadataDate=2040:01:01 00:00:00Z") }
        if let form = some(SidecarForm.allCases.randomElement(using: &random)), let form {
            try sidecars.write(form.data, name + ".xmp")
        }
    }

    private func changes(_ random: inout SeededGenerator) -> [String] {
        var arguments = ["--rating", String(Int.random(in: -1...5, using: &random))]
        func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
        if Bool.random(using: &random) { arguments += ["--title", text()] }
        if Bool.random(using: &random) { arguments += ["--caption", text() + "\n" + text()] }
        if Int.random(in: 0..<3, using: &random) == 0 { arguments += ["--title", ""] }
        if Int.random(in: 0..<3, using: &random) == 0 { arguments += ["--caption", ""] }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            arguments += ["--add-keyword", "new " + text()]
        }
        for keyword in ["Sea", "A"] where Bool.random(using: &random) {
            arguments += ["--remove-keyword", keyword]
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: arguments += ["--location", "none"]
        case 1: arguments += ["--location", "-12.345678,-98.765432,1234.5"]
        case 2:
            let hour = Int.random(in: 0...1, using: &random) == 0 ? "00:00:00" : "23:59:59"
            arguments += ["--date", "2001-02-03T\(hour)-09:30"]
        default: break
        }
        return arguments
    }
}
