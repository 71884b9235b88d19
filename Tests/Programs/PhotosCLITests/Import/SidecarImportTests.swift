import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Sidecars of other programs, imported by the command.
@Suite(.timeLimit(.minutes(5))) struct SidecarImportTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test("Neighbors that contain XMP are no sidecars, and the reason says what they are")
    func neighborsAreNoSidecars() throws {
        let packet = SampleFile.xmp(SampleMetadata())
        try world.photo("IMG_1.JPG")
        try world.folder.write(packet, to: "source/IMG_1.xmp")
        try world.folder.write(Data([0x00, 0xff, 0x4b, 0x41]) + packet, to: "source/IMG_1.af")
        let svg = "<svg xmlns='http://www.w3.org/2000/svg'><metadata>"
        try world.folder.write(
            Data(svg.utf8) + packet + Data("</metadata></svg>".utf8),
            to: "source/IMG_1.svg"
        )
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(
            lines.outcomes == [
                "IMG_1.JPG": "imported", "IMG_1.xmp": "paired", "IMG_1.af": "unsupported",
                "IMG_1.svg": "unsupported",
            ]
        )
        #expect(lines.first { $0.name == "IMG_1.svg" }?["reason"]?.contains("SVG") == true)
    }

    @Test("A sidecar beside a copy of an imported photo is applied")
    func sidecarOfACopy() throws {
        let photo = try world.photo("card/IMG_1.JPG")
        let card = photo.deletingLastPathComponent().path
        _ = try world.objects("import", "--json", card)
        try world.folder.write(Data(contentsOf: photo), to: "source/lightroom/IMG_1.JPG")
        let sidecar = packet("xmp:Rating=\"4\"", title("Person"))
        try world.folder.write(sidecar, to: "source/lightroom/IMG_1.JPG.xmp")
        let folder = world.source.appendingPathComponent("lightroom").path
        let lines = try world.objects("import", "--json", folder)
        #expect(lines.outcomes == ["IMG_1.JPG": "duplicate", "IMG_1.JPG.xmp": "paired"])
        #expect(lines.allSatisfy { $0["reason"] == nil })
        #expect(try world.sql("SELECT title, rating FROM asset") == ["Person|4"])
        try world.expectClean()
    }

    // MARK: - Programs

    private func packet(_ attributes: String, _ elements: String = "") -> Data {
        let text = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
            rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:digiKam="http://www.digikam.org/ns/1.0/"
            xmlns:darktable="http://darktable.sf.net/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)>
            \(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return Data(text.utf8)
    }

    private func list(_ key: String, _ items: String...) -> String {
        let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        return "<\(key)><rdf:Bag>\(items)</rdf:Bag></\(key)>"
    }

    private func title(_ text: String) -> String {
        "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(text)</rdf:li></rdf:Alt></dc:title>"
    }

    @Test("A person's edits in Lightroom and digiKam arrive; darktable's version is only kept")
    func editsArrive() throws {
        var metadata = SampleMetadata(date: SampleDate(text: "2023:07:15 12:30:45"))
        metadata.title = "Camera"
        metadata.keywords = ["a"]
        metadata.rating = 5
        try world.photo("LR.JPG", seed: 1, metadata: metadata)
        try world.photo("DK.JPG", seed: 2, metadata: metadata)
        let lightroom = packet(
            """
            xmp:Rating="-1" xmp:MetadataDate="2024-01-01T00:00:00Z"
            photoshop:DateCreated="2022-07-15T12:30:45+02:00"
            """,
            list("lr:hierarchicalSubject", "Places|Rome") + list("dc:subject", "Rome")
        )
        try world.folder.write(lightroom, to: "source/LR.xmp")
        let digiKam = packet("xmp:Rating=\"3\"", title("Person") + list("digiKam:TagsList", "B/c"))
        try world.folder.write(digiKam, to: "source/DK.JPG.xmp")
        let version = packet("darktable:history_end=\"1\" xmp:Rating=\"1\"", title("Version"))
        try world.folder.write(version, to: "source/DK_01.JPG.xmp")
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(
            lines.outcomes == [
                "LR.JPG": "imported", "LR.xmp": "paired", "DK.JPG": "imported",
                "DK.JPG.xmp": "paired", "DK_01.JPG.xmp": "paired",
            ]
        )
        let first = try asset("LR.JPG", lines)
        #expect(first["rating"] == "rejected" && first["title"] == "Camera")
        #expect(first["creationDate"] == "2022-07-15T10:30:45Z")
        #expect(first.list("keywords").map(Set.init) == ["a", "Rome"])
        let second = try asset("DK.JPG", lines)
        #expect(second["rating"] == "three" && second["title"] == "Person")
        #expect(second["creationDate"] == "2023-07-15T12:30:45Z")
        #expect(second.list("keywords").map(Set.init) == ["a", "c"])
        #expect(try world.names("--predicate", "rating = -1") == ["LR.JPG"])
        #expect(try world.names("--deleted").isEmpty)
    }

    @Test("What a person set here stays when a sidecar comes later; the rest arrives")
    func handChangesStay() throws {
        var metadata = SampleMetadata(date: SampleDate(text: "2023:07:15 12:30:45"))
        metadata.title = "Camera"
        metadata.keywords = ["a", "b"]
        try world.photo("IMG.JPG", metadata: metadata)
        let lines = try world.objects("import", "--json", world.source.path)
        let id = try #require(lines.first?["localIdentifier"])
        _ = try world.objects(
            "set",
            "--json",
            id,
            "--title",
            "Mine",
            "--rating",
            "-1",
            "--remove-keyword",
            "a"
        )
        let text = "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">Caption</rdf:li>"
        let sidecar = packet(
            "xmp:Rating=\"5\" xmp:MetadataDate=\"2030-01-01T00:00:00Z\"",
            title("Person") + list("dc:subject", "a", "c") + text + "</rdf:Alt></dc:description>"
        )
        try world.folder.write(sidecar, to: "source/IMG.JPG.xmp")
        let later = try world.objects("import", "--json", world.source.path)
        #expect(later.outcomes == ["IMG.JPG": "duplicate", "IMG.JPG.xmp": "paired"])
        let asset = try asset("IMG.JPG", lines)
        #expect(asset["title"] == "Mine" && asset["rating"] == "rejected")
        #expect(asset["caption"] == "Caption")
        #expect(asset.list("keywords").map(Set.init) == ["b", "c"])
        let sheet = try world.run("show", id)
        #expect(sheet.text.contains("rejected"))
        _ = try world.objects("set", "--json", id, "--rating", "0")
        #expect(try self.asset("IMG.JPG", lines)["rating"] == "unset")
    }

    private func asset(_ name: String, _ lines: [JSONLine]) throws -> JSONLine {
        let id = try #require(lines.first { $0.name == name }?["localIdentifier"])
        return try #require(try world.objects("show", "--json", id).first)
    }
}
