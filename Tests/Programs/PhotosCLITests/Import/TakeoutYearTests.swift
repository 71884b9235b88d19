import Foundation
import TestSupport
import Testing

/// Exports of Google Takeout whose folders of years are named in another language.
@Suite(.timeLimit(.minutes(10))) struct TakeoutYearTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// An export with the given beginning of the names of years.
    private func tree(_ beginning: String) throws -> TakeoutTree {
        var tree = TakeoutTree()
        for (index, name) in ["A.jpg", "B.jpg", "C.jpg"].enumerated() {
            let folder = "\(beginning) \(2018 + index / 2)/"
            var description = TakeoutTree.Description(title: name)
            description.isFavorite = true
            tree.add(folder + name, try TakeoutTree.picture(seed: UInt64(index + 1)))
            tree.add(folder + name + ".json", description.data)
        }
        for year in [2018, 2019] {
            let title = "\(beginning) \(year)"
            tree.add(title + "/metadata.json", Data("{\"title\": \"\(title)\"}".utf8))
        }
        return tree
    }

    private func importTree(_ beginning: String, _ folder: String) throws -> [JSONLine] {
        let url = try world.folder.folder(folder)
        try tree(beginning).write(to: url)
        return try world.objects("import", "--json", url.path)
    }

    private func identifier(_ name: String) throws -> String {
        let line = try world.objects("list", "--json").first { $0["originalFilename"] == name }
        return try #require(line?["localIdentifier"])
    }

    @Test func whatWasChangedHereStaysUnderTheOtherName() throws {
        _ = try importTree("Photos from", "first")
        let purged = try identifier("A.jpg")
        #expect(try world.run("delete", purged).status == 0)
        #expect(try world.run("purge", purged, "--yes").status == 0)
        let set = try world.run("set", try identifier("B.jpg"), "--favorite", "false")
        #expect(set.status == 0, "\(set.errorText)")
        for beginning in ["Fotos von", "Photos de"] {
            let again = try importTree(beginning, beginning)
            #expect(!again.contains { $0["outcome"] == "imported" })
            #expect(again.count { $0["reason"]?.contains("Deleted permanently") == true } == 1)
            #expect(try world.names().sorted() == ["B.jpg", "C.jpg"])
            #expect(
                try world.sql("SELECT isFavorite FROM asset ORDER BY originalFilename")
                    == ["0", "1"]
            )
            #expect(try world.sql("SELECT count(*) FROM albumAsset") == ["0"])
        }
        try world.expectClean()
    }
}
