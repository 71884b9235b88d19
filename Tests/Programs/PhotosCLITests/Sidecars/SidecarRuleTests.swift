import Foundation
import SamplePhotos
import TestSupport
import Testing

/// The rules of sidecars, with files as people have them and through the command.
@Suite(.timeLimit(.minutes(5))) struct SidecarRuleTests {
    let sidecars: SidecarWorld
    var world: CommandWorld { sidecars.world }

    init() throws { sidecars = try SidecarWorld() }

    private typealias Form = SidecarWorld

    // MARK: - Programs

    @Test("The facts of each program's sidecar arrive, as exiftool reads them, too")
    func programs() throws {
        for form in SidecarForm.allCases {
            try world.photo("\(form).JPG", seed: UInt64(form.rawValue.utf8.count))
            let data = Data("\(form)".utf8)
            let file = world.source.appendingPathComponent("\(form).JPG")
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: data)
            try handle.close()
            try sidecars.write(form.data, "\(form).JPG.xmp")
        }
        let lines = try sidecars.importAll()
        #expect(lines.allSatisfy { ["imported", "paired"].contains($0["outcome"]) })
        #expect(lines.count == 2 * SidecarForm.allCases.count)
        for form in SidecarForm.allCases {
            let asset = try sidecars.asset("\(form).JPG")
            #expect(asset["title"] == SidecarForm.title, "\(form)")
            #expect(asset["caption"] == SidecarForm.caption, "\(form)")
            #expect(asset.words == form.keywords, "\(form)")
            #expect(asset["rating"] == form.rating ?? "unset", "\(form)")
            let place = asset.part("location")
            let latitude = try #require(place["latitude"] as? Double, "\(form)")
            let longitude = try #require(place["longitude"] as? Double, "\(form)")
            #expect(abs(latitude - SidecarForm.latitude) < 1e-6, "\(form)")
            #expect(abs(longitude - SidecarForm.longitude) < 1e-6, "\(form)")
            let time = asset.part("captureTime")
            #expect(time["wallTime"] as? String == form.clock.wallTime, "\(form)")
            if let offset = form.clock.offset {
                #expect(time["utcOffset"] as? Int == offset, "\(form)")
            }
            try compareWithExifTool(form, asset)
        }
    }

    /// Compares the facts with those that exiftool reads from the sidecar.
    private func compareWithExifTool(_ form: SidecarForm, _ asset: JSONLine) throws {
        let file = world.source.appendingPathComponent("\(form).JPG.xmp")
        let output = try ProcessRunner.run(
            "exiftool",
            ["-j", "-n", "-G1", "-charset", "UTF8", file.path]
        )
        let objects = try JSONSerialization.jsonObject(with: output.standardOutput)
        let tags = try #require((objects as? [[String: Any]])?.first)
        #expect(tags["XMP-dc:Title"] as? String == asset["title"], "\(form)")
        #expect(tags["XMP-dc:Description"] as? String == asset["caption"], "\(form)")
        if let rating = tags["XMP-xmp:Rating"] as? Int {
            let names = ["rejected", "unset", "one", "two", "three", "four", "five"]
            #expect(names[rating + 1] == asset["rating"], "\(form)")
        }
        if let words = tags["XMP-dc:Subject"] as? [String] {
            #expect(Set(words).subtracting(["Ada"]) == asset.words, "\(form)")
        }
        let latitude = try #require(tags["XMP-exif:GPSLatitude"] as? Double, "\(form)")
        let place = asset.part("location")["latitude"] as? Double ?? 0
        #expect(abs(abs(latitude) - abs(place)) < 1e-6, "\(form)")
    }

    @Test("What is kept and not shown, or cut, is on the line of its file")
    func remarks() throws {
        try world.photo("Plain.JPG", seed: 1)
        try world.photo("Labeled.JPG", seed: 2)
        try world.photo("Long.JPG", seed: 3)
        try world.photo("Embedded.JPG", seed: 4)
        try sidecars.write(Form.packet("", Form.text("dc:title", "Plain")), "Plain.JPG.xmp")
        let paths = Form.list("lr:hierarchicalSubject", "Animals|Cat")
        try sidecars.write(Form.packet("xmp:Label=\"Red\"", paths), "Labeled.JPG.xmp")
        // A caption of 32,768 bytes is whole, one byte more is cut.
        let whole = String(repeating: "ö", count: 16_384)
        let keywords = (0..<201).map { "<rdf:li>word \($0)</rdf:li>" }.joined()
        try sidecars.write(
            Form.packet(
                "",
                Form.text("dc:description", whole)
                    + "<dc:subject><rdf:Bag>\(keywords)</rdf:Bag></dc:subject>"
            ),
            "Long.JPG.xmp"
        )
        try sidecars.tag("Embedded.JPG", "-XMP-iptcExt:PersonInImage=Ada", "-XMP-dc:Description=")
        var codes: [String: [String]] = [:]
        var texts: [String: String] = [:]
        for line in try sidecars.importAll() {
            let name = try #require(line["path"]?.split(separator: "/").last.map(String.init))
            codes[name] = line.codes
            texts[name] = (line.values["notes"] as? [[String: Any]])?.first?["text"] as? String
        }
        #expect(codes["Plain.JPG"] == [] && codes["Plain.JPG.xmp"] == [])
        #expect(codes["Labeled.JPG.xmp"] == ["keptNotShown"])
        #expect(
            texts["Labeled.JPG.xmp"]
                == "Kept in the file and not shown: color label, hierarchy of keywords."
        )
        #expect(codes["Embedded.JPG"] == ["keptNotShown"])
        #expect(texts["Embedded.JPG"]?.contains("people") == true)
        // The keywords are more than 200.
        #expect(codes["Long.JPG.xmp"] == ["textTooLong"])
        let long = try sidecars.asset("Long.JPG")
        #expect(long["caption"] == whole && long.words.count == 200)
        try sidecars.write(
            Form.packet("", Form.text("dc:description", whole + "x")),
            "Plain.xmp"
        )
        let second = try sidecars.importAll().first { $0["path"]?.hasSuffix("Plain.xmp") == true }
        #expect(second?.codes == ["textTooLong"])
    }

    // MARK: - 1. Precedence

    private static let everything =
        Form.text("dc:title", "Person's") + Form.text("dc:description", "Person's caption")

    @Test("What a person writes, a sidecar decides, unless the file's metadata is later")
    func personsFacts() throws {
        let attributes = """
            xmp:Rating="5" exif:DateTimeOriginal="2020-01-02T03:04:05+02:00" \
            exif:GPSLatitude="1,0N" exif:GPSLongitude="2,0E" xmp:MetadataDate="2024-06-01T12:00:00Z"
            """
        // The same sidecar: beside a file without a date, with an earlier and a later one.
        for (index, name) in ["plain", "earlier", "later", "equal"].enumerated() {
            try world.photo("\(name).JPG", seed: UInt64(index + 1), metadata: Form.camera)
            try sidecars.write(Form.packet(attributes, Self.everything), "\(name).xmp")
        }
        try sidecars.tag("earlier.JPG", "-XMP-xmp:MetadataDate=2024:06:01 13:59:59+02:00")
        try sidecars.tag("equal.JPG", "-XMP-xmp:MetadataDate=2024:06:01 14:00:00+02:00")
        try sidecars.tag("later.JPG", "-XMP-xmp:MetadataDate=2024:06:01 14:00:01+02:00")
        try sidecars.importAll()
        for name in ["plain", "earlier", "equal"] {
            let asset = try sidecars.asset("\(name).JPG")
            #expect(
                asset["title"] == "Person's" && asset["caption"] == "Person's caption",
                "\(name)"
            )
            #expect(asset["rating"] == "five", "\(name)")
            #expect(asset["creationDate"] == "2020-01-02T01:04:05Z", "\(name)")
            #expect(asset.part("location")["latitude"] as? Double == 1, "\(name)")
        }
        let later = try sidecars.asset("later.JPG")
        #expect(later["title"] == "File's" && later["caption"] == "File's caption")
        #expect(later["rating"] == "two" && later["creationDate"] == "2023-07-15T11:30:45Z")
        #expect(later.part("location")["latitude"] as? Double == 10)
    }

    @Test("A sidecar fills what a later file lacks")
    func fills() throws {
        try world.photo("IMG.JPG")
        try sidecars.tag("IMG.JPG", "-XMP-xmp:MetadataDate=2030:01:01 00:00:00Z")
        let attributes = """
            xmp:Rating="5" exif:DateTimeOriginal="2020-01-02T03:04:05+02:00" \
            exif:GPSLatitude="1,0N" exif:GPSLongitude="2,0E" xmp:MetadataDate="2024-06-01T12:00:00Z"
            """
        try sidecars.write(Form.packet(attributes, Self.everything), "IMG.xmp")
        try sidecars.importAll()
        let asset = try sidecars.asset()
        #expect(asset["title"] == "Person's" && asset["caption"] == "Person's caption")
        #expect(asset["rating"] == "five" && asset["creationDate"] == "2020-01-02T01:04:05Z")
        #expect(asset.part("location")["longitude"] as? Double == 2)
    }

    @Test("What cameras write, the file decides; a date that equals the camera's is the camera's")
    func camerasFacts() throws {
        var metadata = Form.camera
        metadata.date = SampleDate(text: "2023:07:15 12:30:45", subseconds: "125", offset: "+02:00")
        try world.photo("IMG.JPG", metadata: metadata)
        let attributes = """
            tiff:Make="Other" tiff:Model="Other" tiff:Orientation="6" exif:FNumber="28/10" \
            exif:DateTimeOriginal="2023-07-15T12:30:45" xmp:CreateDate="1999-01-01T00:00:00"
            """
        try sidecars.write(Form.packet(attributes), "IMG.JPG.xmp")
        try sidecars.importAll()
        let asset = try sidecars.asset()
        let camera = asset.part("camera")
        #expect(camera["make"] as? String == "Maker" && camera["model"] as? String == "Model")
        #expect(camera["lens"] as? String == "Lens")
        #expect(asset.number("pixelWidth") == 64 && asset.number("pixelHeight") == 48)
        #expect(asset.part("captureTime")["wallTime"] as? String == "2023-07-15T12:30:45.125")
        #expect(asset.part("captureTime")["utcOffset"] as? Int == 7200)
    }

    // MARK: - 2. Two sidecars

    @Test("The exact name comes first, the other fills; a version of darktable's is only kept")
    func twoSidecars() throws {
        try world.photo("IMG.JPG")
        try sidecars.write(
            Form.packet("xmp:Rating=\"4\"", Form.text("dc:title", "exact")),
            "IMG.JPG.xmp"
        )
        try sidecars.write(
            Form.packet(
                "xmp:Rating=\"1\" xmp:MetadataDate=\"2040-01-01T00:00:00Z\"",
                Form.text("dc:title", "other") + Form.text("dc:description", "other")
            ),
            "IMG.xmp"
        )
        try sidecars.write(
            Form.packet(
                "xmp:Rating=\"2\" darktable:history_end=\"1\"",
                Form.text("dc:title", "version") + Form.list("dc:subject", "version")
            ),
            "IMG_01.JPG.xmp"
        )
        let lines = try sidecars.importAll()
        #expect(lines.outcomes.values.sorted() == ["imported", "paired", "paired", "paired"])
        let asset = try sidecars.asset()
        #expect(asset["title"] == "exact" && asset["caption"] == "other")
        #expect(asset["rating"] == "four" && asset.words.isEmpty)
        #expect(
            asset.files.sorted() == ["IMG.JPG", "IMG.JPG.xmp", "IMG.xmp", "IMG_01.JPG.xmp"]
        )
    }

    // MARK: - 3. Keywords

    @Test("Keywords are the union of all lists and trees, of a path the last part")
    func keywords() throws {
        try world.photo("IMG.JPG")
        try sidecars.tag("IMG.JPG", "-IPTC:Keywords=iptc", "-IPTC:Keywords=shared")
        try sidecars.tag("IMG.JPG", "-EXIF:XPKeywords=windows;shared")
        let region = """
            <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>\
            <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Ada</mwg-rs:Name></rdf:li></rdf:Bag>\
            </mwg-rs:RegionList></mwg-rs:Regions>
            """
        let categories =
            "&lt;Categories&gt;&lt;Category Assigned=&quot;0&quot;&gt;A&lt;Category"
            + " Assigned=&quot;1&quot;&gt;acdsee&lt;/Category&gt;&lt;/Category&gt;&lt;/Categories&gt;"
        try sidecars.write(
            Form.packet(
                "acdsee:categories=\"\(categories)\"",
                Form.list("dc:subject", "subject", "shared", "Ada")
                    + Form.list("lr:hierarchicalSubject", "A|lightroom", "People|Ada", "x/y")
                    + Form.list("digiKam:TagsList", "A/digikam", "People/Ada", "People/Bob")
                    + Form.list("MicrosoftPhoto:LastKeywordXMP", "A/microsoft")
                    + Form.list("mediapro:CatalogSets", "A|mediapro") + region
            ),
            "IMG.JPG.xmp"
        )
        try sidecars.importAll()
        let expected: Set = [
            "subject", "shared", "lightroom", "x/y", "digikam", "microsoft", "mediapro", "acdsee",
            "iptc", "windows", "Bob",
        ]
        let asset = try sidecars.asset()
        #expect(asset.words == expected)
        #expect(asset.list("keywords")?.count == expected.count)
    }

    // MARK: - 4. Ratings

    @Test("Stars, else Windows' percent; rejected photos stay in the library")
    func ratings() throws {
        let cases: [(String, String)] = [
            ("xmp:Rating=\"0\"", "unset"), ("xmp:Rating=\"1\"", "one"),
            ("xmp:Rating=\"5\" MicrosoftPhoto:Rating=\"1\"", "five"),
            ("MicrosoftPhoto:Rating=\"1\"", "one"), ("MicrosoftPhoto:Rating=\"25\"", "two"),
            ("MicrosoftPhoto:Rating=\"50\"", "three"), ("MicrosoftPhoto:Rating=\"75\"", "four"),
            ("MicrosoftPhoto:Rating=\"99\"", "five"), ("xmp:Rating=\"-1\"", "rejected"),
            ("xmp:Rating=\"7\"", "two"),
        ]
        for (index, (attributes, _)) in cases.enumerated() {
            try world.photo("\(index).JPG", seed: UInt64(index + 1), metadata: Form.camera)
            try sidecars.write(Form.packet(attributes), "\(index).xmp")
        }
        try sidecars.importAll()
        for (index, (attributes, rating)) in cases.enumerated() {
            #expect(try sidecars.asset("\(index).JPG")["rating"] == rating, "\(attributes)")
        }
        #expect(try world.names("--deleted").isEmpty)
        #expect(try world.names("--predicate", "rating = -1") == ["8.JPG"])
    }

    @Test("Edit histories are kept byte for byte and not applied")
    func editHistories() throws {
        try world.photo("IMG.JPG")
        try sidecars.write(SidecarForm.lightroom.data, "IMG.JPG.xmp")
        try sidecars.write(SidecarForm.darktable.data, "IMG.xmp")
        try sidecars.importAll()
        let asset = try sidecars.asset()
        #expect(asset.flag("hasAdjustments") == false)
        let resources = asset.values["resources"] as? [[String: Any]] ?? []
        for name in ["IMG.JPG.xmp", "IMG.xmp"] {
            let row = resources.first { $0["originalFilename"] as? String == name }
            let path = try #require(row?["path"] as? String)
            let stored = try Data(contentsOf: world.library.appendingPathComponent(path))
            #expect(stored == (try Data(contentsOf: world.source.appendingPathComponent(name))))
        }
    }

    // MARK: - 5. Captions

    @Test("Captions are descriptions, else comments; IPTC has both in the file")
    func captions() throws {
        let cases = [
            Form.text("dc:description", "description") + Form.text("exif:UserComment", "comment"),
            Form.text("exif:UserComment", "comment"), "",
        ]
        for (index, elements) in cases.enumerated() {
            try world.photo("\(index).JPG", seed: UInt64(index + 1))
            try sidecars.write(Form.packet("", elements), "\(index).xmp")
            try sidecars.tag(
                "\(index).JPG",
                "-IPTC:ObjectName=iptc title",
                "-IPTC:Caption-Abstract=iptc caption"
            )
        }
        try sidecars.importAll()
        for (index, caption) in ["description", "comment", "iptc caption"].enumerated() {
            let asset = try sidecars.asset("\(index).JPG")
            #expect(asset["caption"] == caption && asset["title"] == "iptc title")
        }
    }

    // MARK: - Later changes

    @Test("A changed sidecar brings what changed, and keeps what was changed here")
    func changedSidecars() throws {
        try world.photo("IMG.JPG", metadata: Form.camera)
        func sidecar(_ date: String, _ word: String, rating: Int) -> Data {
            Form.packet(
                "xmp:Rating=\"\(rating)\" xmp:MetadataDate=\"\(date)\"",
                Form.text("dc:title", "\(word) title") + Form.text("dc:description", word)
                    + Form.list("dc:subject", "always", word)
            )
        }
        try sidecars.write(sidecar("2024-01-01T00:00:00Z", "first", rating: 1), "IMG.JPG.xmp")
        try sidecars.importAll()
        #expect(try sidecars.asset().words == ["file", "always", "first"])
        // Nothing was changed: the same sidecar is a duplicate.
        #expect(try sidecars.importAll().outcomes["IMG.JPG.xmp"] == "duplicate")

        try sidecars.set("--title", "Mine", "--add-keyword", "mine", "--remove-keyword", "always")
        try sidecars.write(sidecar("2024-02-01T00:00:00Z", "second", rating: 3), "IMG.JPG.xmp")
        let lines = try sidecars.importAll()
        #expect(lines.outcomes == ["IMG.JPG": "duplicate", "IMG.JPG.xmp": "paired"])
        var asset = try sidecars.asset()
        #expect(asset["title"] == "Mine" && asset["caption"] == "second")
        #expect(asset["rating"] == "three" && asset.words == ["file", "mine", "second"])

        // An older version of the sidecar, as from a backup, changes nothing.
        try sidecars.write(sidecar("2023-06-01T00:00:00Z", "older", rating: 5), "IMG.JPG.xmp")
        try sidecars.importAll()
        asset = try sidecars.asset()
        #expect(asset["caption"] == "second" && asset["rating"] == "three")
        #expect(asset.words == ["file", "mine", "second"])
        // Each version is kept.
        #expect(asset.files.count(where: { $0.hasSuffix(".xmp") }) == 3)
        // What was undone here is not changed again by the same files.
        try sidecars.set("--caption", "")
        try sidecars.importAll()
        #expect(try sidecars.asset()["caption"] == nil)
    }
}
