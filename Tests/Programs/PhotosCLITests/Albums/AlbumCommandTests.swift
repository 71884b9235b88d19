import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct AlbumCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    }

    /// Creates an album.
    @discardableResult
    private func album(_ title: String, holding members: [String] = []) throws -> String {
        let line = try #require(try world.objects("album", "create", "--json", title).first)
        let identifier = try #require(line["localIdentifier"])
        if !members.isEmpty {
            #expect(try world.run(["album", "add", identifier] + members).status == 0)
        }
        return identifier
    }

    @Test func anAlbumIsMade() throws {
        let output = try world.run("album", "create", "Summer 2024")
        #expect(output.status == 0)
        #expect(output.errorText == "Created the album “Summer 2024”.\n")
        let identifier = try #require(output.lines.first)
        #expect(identifier.hasSuffix("/L0/040"))
        let line = try #require(try world.objects("albums", "--own", "--json").first)
        #expect(line["localIdentifier"] == identifier)
        #expect(line["objectType"] == "assetCollection")
        #expect(line["localizedTitle"] == "Summer 2024")
        #expect(line.values["parentLocalIdentifier"] is NSNull)
        #expect(line.number("estimatedAssetCount") == 0)
        #expect(line.values["startDate"] is NSNull)
        #expect(line["modificationDate"] != nil)
        let made = try #require(try world.objects("album", "create", "--json", "Second").first)
        #expect(made["outcome"] == "created")
        #expect(made["localizedTitle"] == "Second")
        #expect(made.values["reason"] is NSNull)
    }

    @Test func anAlbumIsMadeOnlyWhereItIsAbsent() throws {
        let first = try world.objects("album", "create", "--if-absent", "--json", "Album")
        let second = try world.objects("album", "create", "--if-absent", "--json", "Album")
        #expect(first.map { $0["outcome"] } == ["created"])
        #expect(second.map { $0["outcome"] } == ["present"])
        #expect(first.first?["localIdentifier"] == second.first?["localIdentifier"])
        #expect(try world.objects("albums", "--own", "--json").count == 1)
        #expect(try world.run("album", "create", "--if-absent", "A", "--in", "/").status == 2)
    }

    @Test func assetsAreAddedInOrderAndOnlyOnce() throws {
        let identifier = try album("Album")
        let lines = try world.objects("album", "add", "--json", "Album", ids[2], ids[0])
        #expect(lines.map { $0["outcome"] } == ["added", "added"])
        #expect(lines.map { $0["localIdentifier"] } == [ids[2], ids[0]])
        #expect(try world.names("--album", "Album") == ["c.jpg", "a.jpg"])
        let again = try world.objects("album", "add", "--json", identifier, ids[0], ids[1])
        #expect(again.map { $0["outcome"] } == ["present", "added"])
        #expect(try world.names("--album", identifier) == ["c.jpg", "a.jpg", "b.jpg"])
        let uuid = String(identifier.prefix(36)).lowercased()
        #expect(try world.names("--album", uuid, "--sort", "creationDate").first == "a.jpg")
        let line = try #require(try world.objects("albums", "--own", "--json").first)
        #expect(line.number("estimatedAssetCount") == 3)
        #expect(line["startDate"] == "2020-01-01T12:00:00Z")
        #expect(line["endDate"] == "2020-01-03T12:00:00Z")
    }

    @Test func assetsGoToAPlace() throws {
        try album("Album", holding: [ids[0], ids[1]])
        #expect(try world.run("album", "add", "Album", ids[3], ids[2], "--at", "1").status == 0)
        #expect(try world.names("--album", "Album") == ["a.jpg", "d.jpg", "c.jpg", "b.jpg"])
        let moved = try world.objects("album", "add", "--json", "Album", ids[1], "--at", "0")
        #expect(moved.map { $0["outcome"] } == ["moved"])
        #expect(try world.names("--album", "Album") == ["b.jpg", "a.jpg", "d.jpg", "c.jpg"])
    }

    /// Behavior 129: positions do not count the moved assets.
    @Test func assetsMove() throws {
        try album("Album", holding: ids)
        #expect(try world.run("album", "move", "Album", ids[2], ids[0], "--to", "1").status == 0)
        #expect(try world.names("--album", "Album") == ["b.jpg", "c.jpg", "a.jpg", "d.jpg"])
        #expect(try world.run("album", "move", "Album", ids[1], "--to", "3").status == 0)
        #expect(try world.names("--album", "Album") == ["c.jpg", "a.jpg", "d.jpg", "b.jpg"])
        let far = try world.run("album", "move", "Album", ids[1], "--to", "4")
        #expect(far.status == 1)
        #expect(far.errorText.contains("There is no position 4 in the album “Album”."))
        #expect(try world.run("album", "move", "Album", ids[1], "--to", "-1").status == 2)
        #expect(try world.names("--album", "Album") == ["c.jpg", "a.jpg", "d.jpg", "b.jpg"])
    }

    @Test func assetsAreTakenOut() throws {
        try album("Album", holding: ids)
        let lines = try world.objects("album", "remove", "--json", "Album", ids[1], ids[3])
        #expect(lines.map { $0["outcome"] } == ["removed", "removed"])
        #expect(try world.names("--album", "Album") == ["a.jpg", "c.jpg"])
        #expect(try world.names().count == 4)
        for verb in [["remove"], ["move", "--to", "0"]] {
            let output = try world.run(["album"] + verb + ["Album", ids[0], ids[1]])
            #expect(output.status == 1)
            #expect(output.errorText.contains("The album “Album” does not contain \(ids[1])."))
        }
        #expect(try world.names("--album", "Album") == ["a.jpg", "c.jpg"])
    }

    @Test func albumsAreRenamedAndDeleted() throws {
        let identifier = try album("Old", holding: [ids[0]])
        let line = try #require(
            try world.objects("album", "rename", "--json", "Old", "New").first
        )
        #expect(line["outcome"] == "renamed")
        #expect(line["localizedTitle"] == "New")
        #expect(line["localIdentifier"] == identifier)
        let deleted = try world.objects("album", "delete", "--json", "New")
        #expect(deleted.map { $0["localIdentifier"] } == [identifier])
        #expect(try world.objects("albums", "--own", "--json").isEmpty)
        #expect(try world.names().count == 4)
    }

    @Test func showNamesTheAlbums() throws {
        let one = try album("One", holding: [ids[0], ids[1]])
        let two = try album("Two", holding: [ids[0]])
        let line = try #require(try world.objects("show", "--json", ids[0]).first)
        let albums = try #require(line.values["albums"] as? [[String: Any]])
        #expect(Set(albums.compactMap { $0["localIdentifier"] as? String }) == [one, two])
        #expect(Set(albums.compactMap { $0["localizedTitle"] as? String }) == ["One", "Two"])
        #expect(try world.run("show", ids[0]).text.contains("\nAlbums\n  One  \(one)\n"))
        #expect(!(try world.run("show", ids[2]).text.contains("\nAlbums\n")))
    }

    @Test func deletedAssetsLeaveAlbumsAndComeBackInPlace() throws {
        try album("Album", holding: ids)
        #expect(try world.run("delete", ids[1]).status == 0)
        #expect(try world.names("--album", "Album") == ["a.jpg", "c.jpg", "d.jpg"])
        let line = try #require(try world.objects("albums", "--own", "--json").first)
        #expect(line.number("estimatedAssetCount") == 3)
        #expect(try world.run("restore", ids[1]).status == 0)
        #expect(try world.names("--album", "Album") == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    }

    // MARK: - Ambiguous titles

    @Test func aTitleOfSeveralIsNotEnough() throws {
        let first = try album("Same")
        let second = try album("Same")
        for arguments in [
            ["album", "add", "Same", ids[0]], ["album", "rename", "Same", "Other"],
            ["album", "delete", "Same"], ["list", "--album", "Same"],
        ] {
            let output = try world.run(arguments)
            #expect(output.status == 1)
            #expect(output.text == "")
            #expect(output.errorText.contains("More than one album is called “Same”."))
            #expect(output.errorText.contains(first))
            #expect(output.errorText.contains(second))
        }
        #expect(try world.run("album", "add", second, ids[0]).status == 0)
        #expect(try world.names("--album", second) == ["a.jpg"])
        #expect(try world.names("--album", first) == [])
    }

    @Test func unknownAlbumsAreNamed() throws {
        let unknown = "5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11/L0/040"
        for name in ["Nowhere", unknown] {
            let output = try world.run("album", "add", name, ids[0])
            #expect(output.status == 1)
            #expect(
                output.errorText == """
                    photos: There is no album “\(name)” in the library. Run photos albums to see \
                    titles and identifiers.

                    """
            )
        }
        let lines = try world.objects("album", "delete", "--json", "Nowhere", status: 1)
        #expect(lines.map { $0["outcome"] } == ["failed"])
        #expect(lines.first?["reason"]?.contains("Nowhere") == true)
    }

    @Test func oneUnknownAssetStopsAll() throws {
        try album("Album")
        let output = try world.run("album", "add", "Album", ids[0], "nonsense")
        #expect(output.status == 1)
        #expect(output.errorText.contains("nonsense"))
        #expect(try world.names("--album", "Album") == [])
    }

    /// A title is free text: quotes, slashes, percent signs, other scripts, control characters.
    @Test(arguments: [
        "it's \"quoted\"", "100 % @ %K", "50/50", "été ☀️", "*?\\", "line\nbreak\u{1B}[2J",
    ])
    func titlesAreFreeText(title: String) throws {
        try album(title, holding: [ids[0]])
        #expect(try world.names("--album", title) == ["a.jpg"])
        let line = try #require(try world.objects("albums", "--own", "--json").first)
        #expect(line["localizedTitle"] == title)
        let text = try world.run("albums", "--own").text
        #expect(text.split(separator: "\n").count == 1)
        #expect(!text.contains("\u{1B}"))
        #expect(try world.run("album", "delete", title).status == 0)
    }

    @Test func titlesHaveToBeText() throws {
        let script = "exec \"$0\" album create \"caf$(printf '\\351')\""
        let output = try ProcessRunner.run(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path],
            environment: world.environment.mapValues { $0 as String? }
        )
        #expect(output.status == 2)
        #expect(output.errorText.contains("The title is not valid UTF-8"))
        #expect(try world.run("album", "create", "").status == 2)
        #expect(try world.objects("albums", "--own", "--json").isEmpty)
    }
}
