import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Photos that are edited again in Google Photos after an import.
@Suite(.timeLimit(.minutes(5))) struct TakeoutEditTests {
    let world: CommandWorld
    private let original: Data

    init() throws {
        world = try CommandWorld()
        original = try TakeoutTree.picture(seed: 3)
    }

    private func edited(_ text: String) throws -> Data {
        try TakeoutTree.picture(seed: 4) + Data(text.utf8)
    }

    /// Imports an export with a photo, its edited copy and another photo.
    private func importing(_ edited: Data, _ name: String, folders: [String] = ["P"]) throws
        -> [JSONLine]
    {
        var tree = TakeoutTree()
        for folder in folders {
            tree.add(folder + "/A.jpg", original)
            tree.add(folder + "/A.jpg.json", TakeoutTree.Description(title: "A.jpg").data)
            tree.add(folder + "/A-edited.jpg", edited)
        }
        for index in 0..<4 {
            tree.add("P/\(index).jpg", original + Data("other \(index)".utf8))
        }
        let folder = try world.folder.folder(name)
        try tree.write(to: folder)
        return try world.objects("import", "--json", folder.path)
    }

    private func photo() throws -> JSONLine {
        let lines = try world.objects("list", "--json")
        #expect(lines.count == 5)
        return try #require(lines.first { $0["originalFilename"] == "A.jpg" })
    }

    private func shown() throws -> Data {
        let id = try #require(try photo()["localIdentifier"])
        let output = try world.folder.folder("shown \(UUID().uuidString)")
        #expect(try world.run("export", id, "-o", output.path, "--current").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: output.path)
        let name = try #require(names.first { $0.hasSuffix(".jpg") })
        return try Data(contentsOf: output.appendingPathComponent(name))
    }

    private func codes(_ lines: [JSONLine]) -> [String] {
        lines.flatMap(\.codes)
    }

    @Test func laterEditReplacesTheFormerOne() throws {
        _ = try importing(edited("one"), "one")
        #expect(try shown() == edited("one"))
        // Back to an earlier edit, too.
        for text in ["two", "three", "one"] {
            let lines = try importing(edited(text), text)
            #expect(!lines.contains { $0["outcome"] == "imported" }, "\(text)")
            #expect(!codes(lines).contains("keptYours"))
            #expect(try shown() == edited(text), "\(text)")
            let again = try importing(edited(text), text)
            #expect(again.allSatisfy { ["duplicate", "paired"].contains($0["outcome"]) })
            #expect(try shown() == edited(text), "\(text)")
        }
        let id = try #require(try photo()["localIdentifier"])
        #expect(try world.run("revert", id).status == 0)
        #expect(try shown() == original)
        try world.expectClean()
    }

    /// A word that is not Google's is a guess, which the description and the shot have to support.
    @Test(arguments: [
        (true, "2020:05:01 12:00:00", true), (true, "2020:05:01 18:03:07", false),
        (false, "2020:05:01 12:00:00", false),
    ])
    func guessedEditShowsTheSameShot(hasJSON: Bool, time: String, isEdit: Bool) throws {
        func picture(_ seed: UInt64, at time: String) throws -> Data {
            try TakeoutTree.picture(seed: seed, date: SampleDate(text: time), camera: "One")
        }
        var tree = TakeoutTree()
        tree.add("P/beach.jpg", try picture(1, at: "2020:05:01 12:00:00"))
        tree.add("P/beach-sunset.jpg", try picture(2, at: time))
        if hasJSON {
            var description = TakeoutTree.Description(title: "beach.jpg")
            // 2020-05-01 12:00:00 UTC.
            description.taken = 1_588_334_400
            description.caption = "Lunch"
            tree.add("P/beach.jpg.json", description.data)
        }
        let folder = try world.folder.folder("export")
        try tree.write(to: folder)
        let lines = try world.objects("import", "--json", folder.path)
        let copy = try #require(lines.first { $0.item?.hasSuffix("/beach-sunset.jpg") == true })
        #expect(copy["outcome"] == (isEdit ? "paired" : "imported"))
        #expect(copy.codes == [isEdit ? "guessedMatch" : "noMetadata"])
        let captions = try world.sql(
            "SELECT originalFilename || ' ' || coalesce(caption, '') FROM asset ORDER BY 1"
        )
        let caption = "beach.jpg " + (hasJSON ? "Lunch" : "")
        #expect(captions == (isEdit ? [] : ["beach-sunset.jpg "]) + [caption])
        let again = try world.objects("import", "--json", folder.path)
        #expect(again.allSatisfy { ["duplicate", "paired"].contains($0["outcome"]) })
        try world.expectClean()
    }

    /// What was deleted in Google Photos does not return as a photo of its own.
    @Test(arguments: [("2020:05:01 12:00:00", 1), ("2020:05:01 18:03:07", 2)])
    func guessedEditsInTheTrashStayThere(time: String, photos: Int) throws {
        var tree = TakeoutTree()
        for (seed, name, time) in [
            (1, "beach", "2020:05:01 12:00:00"), (2, "beach-sunset", time),
        ] {
            let picture = try TakeoutTree.picture(
                seed: UInt64(seed),
                date: SampleDate(text: time),
                camera: "One"
            )
            tree.add("Trash/\(name).jpg", picture)
        }
        var description = TakeoutTree.Description(title: "beach.jpg")
        // 2020-05-01 12:00:00 UTC.
        description.taken = 1_588_334_400
        description.isTrashed = true
        tree.add("Trash/beach.jpg.json", description.data)
        let folder = try world.folder.folder("export")
        try tree.write(to: folder)
        _ = try world.objects("import", "--json", folder.path)
        #expect(try world.sql("SELECT count(*) FROM asset") == ["\(photos)"])
        #expect(try world.sql("SELECT uuid FROM asset WHERE trashedDate IS NULL") == [])
        try world.expectClean()
    }

    @Test func editsOfThisLibraryStay() throws {
        _ = try importing(edited("one"), "one")
        let id = try #require(try photo()["localIdentifier"])
        #expect(try world.run("edit", id, "--filter", "Noir").status == 0)
        let mine = try shown()
        for (index, text) in ["two", "three"].enumerated() {
            let lines = try importing(edited(text), text)
            #expect(!lines.contains { $0["outcome"] == "imported" })
            #expect(codes(lines).filter { $0 == "keptYours" }.count == 1, "\(index)")
            #expect(try shown() == mine)
            // It is said once.
            #expect(!codes(try importing(edited(text), text)).contains("keptYours"))
        }
        try world.expectClean()
    }

    @Test func revertsOfThisLibraryStay() throws {
        _ = try importing(edited("one"), "one")
        let id = try #require(try photo()["localIdentifier"])
        #expect(try world.run("revert", id).status == 0)
        let lines = try importing(edited("two"), "two")
        #expect(codes(lines).filter { $0 == "keptYours" }.count == 1)
        #expect(try photo().flag("hasAdjustments") == false)
        #expect(try shown() == original)
        try world.expectClean()
    }

    @Test func eachCopyOfADeclinedEditIsReported() throws {
        _ = try importing(edited("one"), "one")
        let id = try #require(try photo()["localIdentifier"])
        #expect(try world.run("revert", id).status == 0)
        let lines = try importing(edited("two"), "two", folders: ["P", "Q"])
        #expect(!lines.contains { $0["outcome"] == "failed" })
        #expect(try photo().flag("hasAdjustments") == false)
        #expect(try shown() == original)
        try world.expectClean()
    }
}
