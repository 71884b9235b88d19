import Foundation
import Glibc
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct ExportCommandTests {
    let world: CommandWorld
    let target: URL

    init() throws {
        world = try CommandWorld()
        target = world.folder.file("out")
    }

    @Test func aLibraryIsNoPlaceToExportTo() throws {
        try world.folder.write(SampleFile.jpeg(SamplePhoto()), to: "source/IMG_0001.JPG")
        let name = try identifier(of: "IMG_0001.JPG", in: importAll())
        let inside = world.library.path + "/originals/new"
        let result = try world.run("export", name, "-o", inside)
        #expect(result.status == 1)
        #expect(result.errorText.contains("It is in a photo library."))
        #expect(!FileManager.default.fileExists(atPath: inside))
    }

    @Test func aFileInTheWayIsCalledOne() throws {
        try world.folder.write(SampleFile.jpeg(SamplePhoto()), to: "source/IMG_0001.JPG")
        let name = try identifier(of: "IMG_0001.JPG", in: importAll())
        let file = try world.folder.write(Data("letter".utf8), to: "letter")
        let result = try world.run("export", name, "-o", file.path)
        #expect(result.status == 1)
        #expect(result.errorText.contains("is a file, not a folder"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "letter")
        let below = try world.run("export", name, "-o", file.path + "/sub")
        #expect(below.errorText.contains("Not a directory"))
    }

    private func importAll() throws -> [JSONLine] {
        try world.objects("import", "--json", world.source.path)
    }

    private func identifier(of name: String, in lines: [JSONLine]) throws -> String {
        try #require(lines.first { $0.name == name }?["localIdentifier"])
    }

    @Test func bytesAndTimeAreThoseOfTheOriginal() throws {
        let date = SampleDate(text: "2011:12:13 14:15:16", offset: "+00:00")
        let file = try world.photo("a photo.jpg", metadata: SampleMetadata(date: date))
        let id = try identifier(of: "a photo.jpg", in: importAll())
        let output = try world.run("export", id, "-o", "out")
        let exported = target.appendingPathComponent("a photo.jpg")
        #expect(output.text == exported.path + "\n")
        #expect(output.status == 0)
        #expect(try Data(contentsOf: exported) == Data(contentsOf: file))
        let attributes = try FileManager.default.attributesOfItem(atPath: exported.path)
        #expect(
            attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_323_785_716)
        )
    }

    @Test func livePhotoComesWhole() throws {
        var metadata = SampleMetadata()
        metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-000000000002"
        try world.photo("IMG_0007.JPG", metadata: metadata)
        var movie = SampleMovie()
        movie.metadata = metadata
        try world.folder.write(SampleFile.quickTime(movie), to: "source/IMG_0007.MOV")
        let id = try identifier(of: "IMG_0007.JPG", in: importAll())
        let lines = try world.objects("export", id, "--json", "-o", target.path)
        #expect(lines.map { $0["type"] } == ["photo", "pairedVideo"])
        #expect(lines.map(\.name) == ["IMG_0007.JPG", "IMG_0007.MOV"])
        for name in ["IMG_0007.JPG", "IMG_0007.MOV"] {
            #expect(
                try Data(contentsOf: target.appendingPathComponent(name))
                    == Data(contentsOf: world.source.appendingPathComponent(name))
            )
        }
        // Exported and imported again: nothing is new.
        let again = try world.objects("import", "--json", target.path)
        #expect(again.map { $0["outcome"] } == ["duplicate", "duplicate"])
    }

    @Test func takenNamesGetANumber() throws {
        try world.photo("one/IMG.JPG", seed: 1)
        try world.photo("two/IMG.JPG", seed: 2)
        let ids = try importAll().compactMap { $0["localIdentifier"] }
        try world.folder.write(Data("mine".utf8), to: "out/IMG.JPG")
        let output = try world.run(["export"] + ids + ["-o", target.path])
        #expect(
            output.lines.map { ($0 as NSString).lastPathComponent } == [
                "IMG (1).JPG", "IMG (2).JPG",
            ]
        )
        #expect(
            try String(contentsOf: target.appendingPathComponent("IMG.JPG"), encoding: .utf8)
                == "mine"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).count == 3)
    }

    @Test func unknownIdentifierFailsAndTheRestIsWritten() throws {
        try world.photo("a.jpg")
        let id = try identifier(of: "a.jpg", in: importAll())
        let lines = try world.objects(
            "export",
            "nonsense",
            id,
            "--json",
            "-o",
            target.path,
            status: 1
        )
        #expect(lines.map { $0["outcome"] } == ["failed", "exported"])
        #expect(lines.first?["reason"]?.contains("nonsense") == true)
    }

    @Test func missingOriginalLeavesNothingBehind() throws {
        try world.photo("a.jpg")
        let id = try identifier(of: "a.jpg", in: importAll())
        let resources = try #require(
            try world.objects("show", id, "--json").first?.values["resources"] as? [[String: Any]]
        )
        let path = try #require(resources.first?["path"] as? String)
        try FileManager.default.removeItem(at: world.library.appendingPathComponent(path))
        let output = try world.run("export", id, "-o", target.path)
        #expect(output.status == 1)
        #expect(output.errorText.hasPrefix("photos: "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
    }

    // MARK: - Names of a set

    /// Returns the names of files in the folder, or nil if the command did not end in time.
    private func namesAfterExport(of identifiers: String...) throws -> [String]? {
        let process = try LiveProcess(
            BuiltProducts.photos.path,
            ["export"] + identifiers + ["-o", target.path],
            environment: world.environment
        )
        guard !process.read(atMost: .seconds(60)) else { return nil }
        #expect(process.wait().status == 0)
        return try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
    }

    private func sidecar(_ title: String) throws -> Data {
        var metadata = SampleMetadata()
        metadata.title = title
        return SampleFile.xmp(metadata)
    }

    @Test func sidecarsOfOneExtensionKeepTheirNames() throws {
        try world.photo("IMG_1.jpg")
        try world.folder.write(sidecar("one"), to: "source/IMG_1.jpg.xmp")
        try world.folder.write(sidecar("two"), to: "source/IMG_1.xmp")
        let lines = try importAll()
        #expect(lines.map { $0["outcome"] } == ["imported", "paired", "paired"])
        let id = try identifier(of: "IMG_1.jpg", in: lines)
        #expect(try namesAfterExport(of: id) == ["IMG_1.jpg", "IMG_1.jpg.xmp", "IMG_1.xmp"])
        // A number precedes all suffixes, so that the files of the set can be matched again.
        #expect(
            try namesAfterExport(of: id)?.filter { $0.contains("(1)") }
                == ["IMG_1 (1).jpg", "IMG_1 (1).jpg.xmp", "IMG_1 (1).xmp"]
        )
        let again = try world.objects("import", "--json", target.path)
        #expect(again.allSatisfy { $0["outcome"] == "duplicate" })
    }

    @Test func sidecarsOfBothHalvesOfALivePhotoComeOut() throws {
        var metadata = SampleMetadata()
        metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-000000000003"
        try world.photo("IMG_7.JPG", metadata: metadata)
        var movie = SampleMovie()
        movie.metadata = metadata
        try world.folder.write(SampleFile.quickTime(movie), to: "source/IMG_7.MOV")
        try world.folder.write(sidecar("still"), to: "source/IMG_7.JPG.xmp")
        try world.folder.write(sidecar("movie"), to: "source/IMG_7.MOV.xmp")
        let id = try identifier(of: "IMG_7.JPG", in: importAll())
        #expect(
            try namesAfterExport(of: id)
                == ["IMG_7.JPG", "IMG_7.JPG.xmp", "IMG_7.MOV", "IMG_7.MOV.xmp"]
        )
    }

    /// A volume that ignores letter case would accept only one of the two.
    @Test func namesOfASetDifferInMoreThanLetterCase() throws {
        try world.photo("IMG_1.jpg")
        try world.folder.write(sidecar("lower"), to: "source/IMG_1.xmp")
        try world.folder.write(sidecar("upper"), to: "source/IMG_1.XMP")
        let id = try identifier(of: "IMG_1.jpg", in: importAll())
        let names = try #require(try namesAfterExport(of: id))
        #expect(names.count == 3)
        #expect(Set(names.map { $0.lowercased() }).count == 3, "\(names)")
        #expect(names.allSatisfy { $0.hasPrefix("IMG_1") })
    }

    @Test func signalStopsTheCopyingOfAFile() throws {
        try world.photo("small.jpg")
        try world.photos(["large.jpg"], padding: 96 << 20)
        let lines = try importAll()
        let process = try world.start(
            "export",
            try identifier(of: "small.jpg", in: lines),
            try identifier(of: "large.jpg", in: lines),
            "-o",
            target.path
        )
        process.read(lines: 1, atMost: .seconds(60))
        process.kill(SIGTERM)
        process.read(atMost: .seconds(60))
        #expect(process.wait().status == 128 + SIGTERM)
        let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
        // The file may have been written and reported before the signal arrived.
        #expect(Set(names) == Set(process.lines.map { ($0 as NSString).lastPathComponent }))
        #expect(names.contains("small.jpg"))
    }
}
