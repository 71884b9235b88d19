import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The files that iPhones and Photos write next to an edited original, through the command.
@Suite(.timeLimit(.minutes(5))) struct EditedFileTests {
    let world: CommandWorld
    let target: URL

    init() throws {
        world = try CommandWorld()
        target = world.folder.file("out")
    }

    @discardableResult
    private func writeEdit(_ name: String, cutBy cut: Int = 0) throws -> Data {
        let photo = SamplePhoto(Picture(.sea, seed: 9), size: PixelSize(width: 32, height: 48))
        let data = try SampleFile.jpeg(photo)
        try world.folder.write(data.dropLast(cut), to: "source/" + name)
        return data
    }

    private func resources(_ identifier: String) throws -> [String] {
        let line = try #require(try world.objects("show", identifier, "--json").first)
        let resources = try #require(line.values["resources"] as? [[String: Any]])
        return resources.compactMap { $0["type"] as? String }
    }

    /// Returns the bytes of the only exported file.
    private func exported(_ identifier: String, _ version: String) throws
        -> (name: String, data: Data)
    {
        let output = try world.run("export", identifier, version, "-o", target.path)
        #expect(output.status == 0, "\(output.errorText)")
        let path = try #require(output.lines.first)
        #expect(output.lines.count == 1)
        return ((path as NSString).lastPathComponent, try Data(contentsOf: URL(filePath: path)))
    }

    @Test func editedPhotoIsOneAssetThatCanBeReverted() throws {
        let original = try Data(contentsOf: world.photo("IMG_1853.JPG"))
        try world.folder.write(SampleFile.aae(), to: "source/IMG_1853.AAE")
        let edit = try writeEdit("IMG_E1853.JPG")
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.map(\.name) == ["IMG_1853.JPG", "IMG_E1853.JPG", "IMG_1853.AAE"])
        #expect(lines.map { $0["outcome"] } == ["imported", "paired", "paired"])
        let id = try #require(lines.first?["localIdentifier"])
        #expect(lines.allSatisfy { $0["localIdentifier"] == id })
        #expect(try resources(id) == ["photo", "fullSizePhoto", "adjustmentData"])
        let shown = try #require(try world.objects("show", id, "--json").first)
        #expect(shown.flag("hasAdjustments") == true)
        #expect(shown["adjustmentFormatIdentifier"] == "com.apple.photo")
        #expect(shown.number("pixelWidth") == 32)

        let first = try exported(id, "--original")
        #expect(first.name == "IMG_1853.JPG" && first.data == original)
        let second = try exported(id, "--current")
        #expect(second.name == "IMG_E1853.JPG" && second.data == edit)
        let picture = world.folder.file("shown.png").path
        #expect(try world.run("image", id, "-o", picture).status == 0)
        let size = try ProcessRunner.run("exiftool", ["-s3", "-ImageSize", picture]).text
        #expect(size == "32x48\n")

        let again = try world.objects("import", "--json", world.source.path)
        #expect(again.map { $0["outcome"] } == ["duplicate", "duplicate", "duplicate"])

        #expect(try world.run("revert", id).status == 0)
        #expect(try resources(id) == ["photo"])
        #expect(try exported(id, "--current").data == original)
        // A revert made here is not undone by importing the same files.
        let late = try world.objects("import", "--json", world.source.path)
        #expect(late.map { $0["outcome"] } == ["duplicate", "duplicate", "duplicate"])
        #expect(try resources(id) == ["photo"])
        #expect(try world.run("undo").status == 0)
        #expect(try resources(id) == ["photo", "fullSizePhoto", "adjustmentData"])
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func copiesOfARevertedEditAreDuplicates() throws {
        try world.photo("X/IMG_1853.JPG")
        try world.folder.write(SampleFile.aae(), to: "source/X/IMG_1853.AAE")
        try writeEdit("X/IMG_E1853.JPG")
        let folder = world.source.appendingPathComponent("X")
        let lines = try world.objects("import", "--json", folder.path)
        let id = try #require(lines.first?["localIdentifier"])
        #expect(try world.run("revert", id).status == 0)
        let copy = world.source.appendingPathComponent("Y")
        try FileManager.default.copyItem(at: folder, to: copy)
        let later = try world.objects("import", "--json", folder.path, copy.path)
        #expect(later.count == 6)
        #expect(later.allSatisfy { $0["outcome"] == "duplicate" })
        #expect(later.allSatisfy { $0["localIdentifier"] == id })
        #expect(try resources(id) == ["photo"])
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func editThatIsMadeHereTakesTheImportedOnesPlace() throws {
        try world.photo("name.jpg")
        try world.folder.write(SampleFile.aae(), to: "source/name.AAE")
        try writeEdit("name_edited.jpg")
        let lines = try world.objects("import", "--json", world.source.path)
        let id = try #require(lines.first?["localIdentifier"])
        #expect(try world.run("edit", id, "--filter", "Noir").status == 0)
        #expect(try resources(id).count { $0 == "adjustmentData" } == 1)
        #expect(try resources(id).count { $0 == "fullSizePhoto" } == 1)
        #expect(try world.run("revert", id).status == 0)
        #expect(try resources(id) == ["photo"])
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    /// Files of one shot are in one batch only if they follow each other.
    @Test(arguments: ["name_edited.jpg", "name-edited.jpg"])
    func editIsImportedWithItsOriginal(name: String) throws {
        try world.photo("name.jpg")
        try world.photo("name (2).jpg", seed: 2)
        try world.folder.write(SampleFile.aae(), to: "source/name.AAE")
        try writeEdit(name)
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.map(\.name) == ["name.jpg", name, "name.AAE", "name (2).jpg"])
        #expect(lines.map { $0["outcome"] } == ["imported", "paired", "paired", "imported"])
    }

    /// Returns the names of an asset's resources.
    private func names(_ identifier: String) throws -> [String] {
        let line = try #require(try world.objects("show", identifier, "--json").first)
        let resources = try #require(line.values["resources"] as? [[String: Any]])
        return resources.compactMap { $0["originalFilename"] as? String }
    }

    @Test func adjustmentsAloneGiveWayToAnEditAndComeBack() throws {
        try world.photo("IMG_1.JPG")
        try world.folder.write(SampleFile.aae(), to: "source/IMG_1.AAE")
        let lines = try world.objects("import", "--json", world.source.path)
        let id = try #require(lines.first?["localIdentifier"])
        #expect(try world.run("edit", id, "--filter", "Noir").status == 0)
        let edited = ["IMG_1.JPG", "IMG_1-edited.JPG", "IMG_1.AAE"]
        #expect(try names(id) == edited)
        for (verb, wanted) in [
            ("undo", ["IMG_1.JPG", "IMG_1.AAE"]), ("redo", edited),
            ("undo", ["IMG_1.JPG", "IMG_1.AAE"]),
            ("redo", edited),
        ] {
            let output = try world.run(verb)
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try names(id) == wanted)
        }
        // The replaced file does not join the asset again.
        let again = try world.objects("import", "--json", world.source.path)
        #expect(again.map { $0["outcome"] } == ["duplicate", "duplicate"])
        #expect(try world.run("revert", id).status == 0)
        #expect(try names(id) == ["IMG_1.JPG"])
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    /// Exported by the names of the resources and imported into another library: one asset with its
    /// edit.
    @Test func exportsOfAnEditAreJoinedAgain() throws {
        try world.photo("IMG_1.JPG")
        let lines = try world.objects("import", "--json", world.source.path)
        let id = try #require(lines.first?["localIdentifier"])
        #expect(try world.run("edit", id, "--filter", "Noir").status == 0)
        let line = try #require(try world.objects("show", id, "--json").first)
        let resources = try #require(line.values["resources"] as? [[String: Any]])
        for resource in resources {
            let path = try #require(resource["path"] as? String)
            let name = try #require(resource["originalFilename"] as? String)
            let data = try Data(contentsOf: world.library.appendingPathComponent(path))
            try world.folder.write(data, to: "out/" + name)
        }
        let edit = try exported(id, "--current")
        #expect(edit.name == "IMG_1-edited (1).JPG")
        try FileManager.default.removeItem(at: target.appendingPathComponent(edit.name))
        let other = try CommandWorld()
        let joined = try other.objects("import", "--json", target.path)
        #expect(Set(joined.map { $0["localIdentifier"] }).count == 1)
        let shown = try #require(
            try other.objects("show", joined[0]["localIdentifier"] ?? "", "--json").first
        )
        #expect(shown.flag("hasAdjustments") == true)
        #expect(shown["adjustmentFormatIdentifier"] == "org.swift-photos.adjustments")
    }

    /// The current picture of an asset must be complete.
    @Test func editThatIsCutShortIsAnAssetOfItsOwn() throws {
        try world.photo("IMG_1853.JPG")
        try world.folder.write(SampleFile.aae(), to: "source/IMG_1853.AAE")
        try writeEdit("IMG_E1853.JPG", cutBy: 400)
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(
            lines.outcomes == [
                "IMG_1853.JPG": "imported", "IMG_E1853.JPG": "imported", "IMG_1853.AAE": "paired",
            ]
        )
    }

    @Test func undoOfAnImportTakesTheEditAwayThatJoined() throws {
        try world.photo("IMG_1853.JPG")
        try world.folder.write(SampleFile.aae(), to: "source/IMG_1853.AAE")
        let first = try world.objects("import", "--json", world.source.path)
        let id = try #require(first.first?["localIdentifier"])
        try writeEdit("IMG_E1853.JPG")
        let second = try world.objects("import", "--json", world.source.path)
        #expect(second.outcomes["IMG_E1853.JPG"] == "paired")
        #expect(try resources(id) == ["photo", "fullSizePhoto", "adjustmentData"])
        let undone = try world.run("undo")
        #expect(undone.status == 0, "\(undone.errorText)")
        #expect(try resources(id) == ["photo", "adjustmentData"])
        let shown = try #require(try world.objects("show", id, "--json").first)
        #expect(shown.flag("hasAdjustments") == false)
        let redone = try world.run("redo")
        #expect(redone.status == 0, "\(redone.errorText)")
        #expect(try resources(id) == ["photo", "fullSizePhoto", "adjustmentData"])
        #expect(try world.run("undo").status == 0)
        #expect(try resources(id) == ["photo", "adjustmentData"])
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }
}

/// Files of a real iPhone, and of Photos.
@Suite(.needsSharedData, .timeLimit(.minutes(5))) struct SharedEditedFileTests {
    @Test func realEditsAreOneAssetEach() throws {
        let world = try CommandWorld()
        let lines = try world.objects("import", "--json", SharedData.file("adjusted").path)
        #expect(Set(lines.map { $0["localIdentifier"] }).count == 2)
        #expect(lines.count { $0["outcome"] == "imported" } == 2)
        #expect(lines.count { $0["outcome"] == "paired" } == 4)
        let shown = try world.objects("list", "--json")
        let sizes = Dictionary(
            shown.map { ($0["originalFilename"] ?? "", $0.number("pixelWidth")) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(sizes == ["IMG_1853.HEIC": 3024, "wedding.jpg": 1526])
    }
}
