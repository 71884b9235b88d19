import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Folders with exports of Google Takeout among other files, imported by the command.
@Suite(.timeLimit(.minutes(10))) struct MixedSourceTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// Writes a different photo, below the source.
    private func write(_ seed: UInt64, to path: String) throws {
        try world.folder.write(try TakeoutTree.picture(seed: seed), to: "source/" + path)
    }

    private func names() throws -> [String] {
        try world.objects("list", "--json").compactMap { $0["originalFilename"] }.sorted()
    }

    @Test("An export in a folder of photos is imported as one, and nothing else is")
    func exportBesidePhotosAndLibraries() throws {
        let other = try CommandWorld()
        try other.photo("hidden.jpg")
        _ = try other.objects("import", "--json", other.source.path)
        let hidden = try #require(try other.objects("list", "--json").first?["localIdentifier"])
        let export = world.source.path + "/An export of ours"
        for arguments in [["set", hidden, "--hidden", "true"], ["export", "--all", "-o", export]] {
            let output = try other.run(arguments)
            #expect(output.status == 0, "\(output.errorText)")
        }
        try FileManager.default.moveItem(
            atPath: other.library.path,
            toPath: world.source.path + "/Own library"
        )
        var library = AppleLibrary()
        library.assets = 3
        try library.write(to: world.source.appendingPathComponent("Mac library"))
        try TakeoutTree(count: 3).write(to: world.source)
        try write(11, to: "loose.jpg")
        try write(12, to: "Beach/beach.jpg")
        try write(13, to: "Beach/beach-bw.jpg")
        let output = try world.run("import", "--json", world.source.path)
        #expect(output.status == 0, "\(output.errorText)")
        for name in ["An export of ours", "Own library", "Mac library"] {
            #expect(output.errorText.contains("/\(name). It is "), "\(output.errorText)")
        }
        let expected = ["IMG_1000.jpg", "IMG_1001.jpg", "IMG_1002.jpg"]
        #expect(try names() == expected + ["beach-bw.jpg", "beach.jpg", "loose.jpg"])
        let assets = try world.objects("list", "--json")
        #expect(assets.count { $0["caption"]?.hasPrefix("Caption ") ?? false } == 3)
        #expect(assets.count { $0.flag("hasAdjustments") ?? false } == 1)
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.allSatisfy { $0["outcome"] != "failed" })
        let again = try world.objects("import", "--json", world.source.path)
        #expect(again.count == lines.count && !again.contains { $0["outcome"] == "imported" })
    }

    @Test("An export without Google's folder names is found among folders of photos")
    func exportOfAnotherName() throws {
        var photo = TakeoutTree.Description(title: "a.jpg")
        photo.caption = "From the phone"
        try write(1, to: "Phone/a.jpg")
        try world.folder.write(photo.data, to: "source/Phone/a.jpg.json")
        for (seed, name) in [(2, "2019/b"), (3, "2020/c"), (4, "2020/c-bw")] as [(UInt64, String)] {
            try write(seed, to: name + ".jpg")
        }
        _ = try world.objects("import", "--json", world.source.path)
        let assets = try world.objects("list", "--json")
        #expect(
            assets.compactMap { $0["originalFilename"] }.sorted() == [
                "a.jpg", "b.jpg", "c-bw.jpg", "c.jpg",
            ]
        )
        #expect(assets.compactMap { $0["caption"] } == ["From the phone"])
        #expect(!assets.contains { $0.flag("hasAdjustments") ?? false })
    }

    @Test("Files beside an export get their outcomes, too")
    func filesBesideAnExport() throws {
        let tree = try TakeoutTree(count: 2)
        try tree.write(to: world.source)
        // None of them alone makes a folder one of photos.
        let others = ["archive_browser.html", ".hidden", "Notes/list.json"]
        for name in others { try world.folder.write(Data("{}".utf8), to: "source/" + name) }
        let lines = try world.objects("import", "--json", world.source.path)
        let outcomes = lines.reduce(into: [:]) { $0[$1["path"] ?? ""] = $1["outcome"] }
        for name in others {
            #expect(outcomes[world.source.path + "/" + name] == "unsupported", "\(name)")
        }
        #expect(lines.count == tree.files.count + others.count)
        #expect(try names() == ["IMG_1000.jpg", "IMG_1001.jpg"])
    }

    @Test("Libraries inside of an export are not entered")
    func libraryInAnExport() throws {
        try TakeoutTree(count: 2).write(to: world.source)
        var library = AppleLibrary()
        library.assets = 2
        try library.write(to: world.source.appendingPathComponent("Takeout/Mac library"))
        let export = world.source.appendingPathComponent("Takeout")
        let lines = try world.objects("import", "--json", export.path)
        #expect(try names() == ["IMG_1000.jpg", "IMG_1001.jpg"])
        let line = try #require(lines.first { $0["path"]?.hasSuffix("/Mac library") ?? false })
        #expect(line["outcome"] == "unsupported")
        #expect(line["reason"]?.contains("It is an Apple Photos library") ?? false)
    }

    @Test("JSON files of other programs make no export and no album", arguments: [false, true])
    func descriptionsOfOthers(isBesideAnExport: Bool) throws {
        try write(1, to: "Saved/a.jpg")
        let json = Data("{\"title\": \"A post\", \"description\": \"Its text\"}".utf8)
        try world.folder.write(json, to: "source/Saved/a.jpg.json")
        if isBesideAnExport { try TakeoutTree(count: 5).write(to: world.source) }
        let lines = try world.objects("import", "--json", world.source.path)
        let outcomes = lines.reduce(into: [:]) { $0[$1["path"] ?? ""] = $1["outcome"] }
        let folder = world.source.path + "/Saved/a.jpg"
        #expect(outcomes[folder] == "imported" && outcomes[folder + ".json"] == "unsupported")
        let albums = try world.objects("albums", "--json")
            .filter { $0["assetCollectionType"] == "album" }.compactMap { $0["localizedTitle"] }
        #expect(albums == (isBesideAnExport ? ["Summer 2015: the best"] : []))
        #expect(try names().count == (isBesideAnExport ? 6 : 1))
    }

    @Test("Long texts are kept up to their limits, and cuts are reported")
    func longTexts() throws {
        var tree = TakeoutTree()
        let lengths = [20_000, 40_000]
        for (index, length) in lengths.enumerated() {
            var photo = TakeoutTree.Description(title: "IMG_\(index).jpg")
            photo.caption = String(repeating: "é", count: length / 2)
            if index == 1 { photo.people = (0..<201).map { "Person \($0)" } }
            tree.add("A/IMG_\(index).jpg", try TakeoutTree.picture(seed: UInt64(index + 1)))
            tree.add("A/IMG_\(index).jpg.json", photo.data)
        }
        let title = String(repeating: "t", count: 5_000)
        tree.add("A/metadata.json", Data("{\"title\": \"\(title)\"}".utf8))
        try tree.write(to: world.source)
        let lines = try world.objects("import", "--json", world.source.path)
        let notes = lines.flatMap { $0.values["notes"] as? [[String: String]] ?? [] }
            .filter { $0["code"] == "textTooLong" }.compactMap { $0["text"] }.sorted()
        try #require(notes.count == 2)
        #expect(notes[0].hasSuffix("was cut: description, people."))
        #expect(notes[1].hasSuffix("was cut: title."))
        let captions = try world.objects("list", "--json")
            .compactMap { $0["caption"]?.utf8.count }
        #expect(captions.sorted() == [20_000, 32_768])
    }
}
