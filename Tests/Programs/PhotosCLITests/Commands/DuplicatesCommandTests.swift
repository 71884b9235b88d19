import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DuplicatesCommandTests {
    let world: CommandWorld
    /// The identifiers by file name.
    let ids: [String: String]

    /// Imports one picture in three sizes, and two others.
    init() throws {
        world = try CommandWorld()
        let pictures: [(String, Picture, Int)] = [
            ("large.jpg", Picture(.hills, seed: 1), 640),
            ("small.jpg", Picture(.hills, seed: 1), 320),
            ("tiny.jpg", Picture(.hills, seed: 1), 160),
            ("sea.jpg", Picture(.sea, seed: 2), 320), ("other.jpg", Picture(.hills, seed: 9), 320),
        ]
        for (name, picture, width) in pictures {
            let photo = SamplePhoto(picture, size: .init(width: width, height: width * 3 / 4))
            try world.folder.write(SampleFile.jpeg(photo), to: "source/" + name)
        }
        var ids: [String: String] = [:]
        for line in try world.objects("import", "--json", world.source.path) {
            ids[line.name] = line["localIdentifier"]
        }
        self.ids = ids
    }

    @Test func theLargestIsSuggested() throws {
        let lines = try world.objects("duplicates", "--json")
        #expect(lines.map { $0["originalFilename"] } == ["large.jpg", "small.jpg", "tiny.jpg"])
        #expect(lines.map { $0.values["isSuggested"] as? Bool } == [true, false, false])
        #expect(lines.map { $0.number("group") } == [0, 0, 0])
        let text = try world.run("duplicates")
        #expect(text.status == 0)
        #expect(text.errorText == "1 group with 2 redundant photos.\n")
        #expect(text.lines.count == 3)
        #expect(text.lines.first?.hasPrefix("1  keep  640 × 480") == true)
        // The command requires a confirmation, but there is no user.
        let merge = try world.run("duplicates", "--merge")
        #expect(merge.status == 1)
        #expect(try world.names().count == 5)
    }

    @Test func mergingKeepsOneAndItsPlaces() throws {
        let (small, sea) = (try #require(ids["small.jpg"]), try #require(ids["sea.jpg"]))
        #expect(try world.run("set", small, "--favorite", "true").status == 0)
        #expect(try world.run("album", "create", "Album").status == 0)
        #expect(try world.run("album", "add", "Album", small, sea).status == 0)
        // More pixels outweigh a favorite.
        let lines = try world.objects("duplicates", "--merge", "--yes", "--json")
        #expect(lines.map { $0["outcome"] } == ["kept", "deleted", "deleted"])
        #expect(lines.first?["localIdentifier"] == ids["large.jpg"])
        #expect(try world.names("--album", "Album") == ["large.jpg", "sea.jpg"])
        let favorites = try world.names("--predicate", "isFavorite = YES")
        #expect(favorites == ["large.jpg"])
        #expect(Set(try world.names("--deleted")) == ["small.jpg", "tiny.jpg"])
        #expect(try world.objects("duplicates", "--json").isEmpty)
        #expect(try world.run("undo").status == 0)
        #expect(try world.names().count == 5)
        #expect(try world.names("--album", "Album") == ["small.jpg", "sea.jpg"])
    }

    @Test func whatIsHiddenOrDeletedIsNotLookedAt() throws {
        let (small, tiny) = (try #require(ids["small.jpg"]), try #require(ids["tiny.jpg"]))
        #expect(try world.run("set", small, "--hidden", "true").status == 0)
        #expect(try world.run("delete", tiny, "--yes").status == 0)
        #expect(try world.objects("duplicates", "--json").isEmpty)
        let none = try world.run("duplicates")
        #expect(none.errorText == "No duplicates found.\n")
        #expect(try world.run("duplicates", "--yes").status == 2)
    }
}
