import Foundation
import TestSupport
import Testing

/// Smart albums on the command line.
@Suite(.timeLimit(.minutes(2))) struct SmartAlbumCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
        #expect(try world.run("set", ids[1], "--favorite", "true").status == 0)
        #expect(try world.run("set", ids[2], "--hidden", "true").status == 0)
        #expect(try world.run("album", "create", "Summer").status == 0)
    }

    @Test func allOfThemComeAsObjects() throws {
        let lines = try world.objects("albums", "--json")
        #expect(lines.first?["localizedTitle"] == "Summer")
        #expect(lines.first?["assetCollectionSubtype"] == "albumRegular")
        let smart = lines.filter { $0["assetCollectionType"] == "smartAlbum" }
        #expect(smart.count == 20 && lines.count == 21)
        func count(_ subtype: String) -> Double? {
            smart.first { $0["assetCollectionSubtype"] == subtype }?
                .number("estimatedAssetCount")
        }
        #expect(count("smartAlbumUserLibrary") == 2)
        #expect(count("smartAlbumFavorites") == 1)
        #expect(count("smartAlbumAllHidden") == 1)
        #expect(count("smartAlbumVideos") == 0)
        let own = try world.objects("albums", "--own", "--json")
        let others = try world.objects("albums", "--smart", "--json")
        #expect(own.map(\.text) + others.map(\.text) == lines.map(\.text))
    }

    @Test func peopleSeeThoseThatHoldSomething() throws {
        let lines = try world.run("albums").text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let titles = lines.map { $0.split(separator: "  ").first.map(String.init) ?? "" }
        #expect(
            titles == ["Summer", "", "Recents", "Recently Added", "Favorites", "Hidden", ""]
        )
        let smart = try world.run("albums", "--smart").text.split(separator: "\n")
        #expect(smart.count == 20)
        let german = try world.run("albums", "--smart", variables: ["LC_ALL": "de_DE.UTF-8"])
        #expect(german.text.contains("Favoriten"))
    }

    @Test func theyAreListedByTitleAndIdentifier() throws {
        #expect(try world.names("--album", "Favorites") == ["b.jpg"])
        #expect(try world.names("--album", "Hidden") == ["c.jpg"])
        let line = try #require(
            try world.objects("albums", "--smart", "--json").first {
                $0["assetCollectionSubtype"] == "smartAlbumUserLibrary"
            }
        )
        let identifier = try #require(line["localIdentifier"])
        #expect(try world.names("--album", identifier) == ["a.jpg", "b.jpg"])
    }

    /// The user's album comes first, because its title belongs to the user.
    @Test func anAlbumOfTheSameTitleComesFirst() throws {
        #expect(try world.run("album", "create", "Favorites").status == 0)
        #expect(try world.run("album", "add", "Favorites", ids[0]).status == 0)
        #expect(try world.names("--album", "Favorites") == ["a.jpg"])
    }

    /// Behaviors 131 and 145.
    @Test func theyCannotBeChanged() throws {
        let line = try #require(
            try world.objects("albums", "--smart", "--json").first {
                $0["assetCollectionSubtype"] == "smartAlbumFavorites"
            }
        )
        let identifier = try #require(line["localIdentifier"])
        for arguments in [
            ["album", "add", identifier, ids[0]], ["album", "rename", identifier, "T"],
            ["album", "delete", identifier],
        ] {
            let output = try world.run(arguments)
            #expect(output.status == 1, "\(arguments)")
            #expect(!output.errorText.isEmpty)
        }
        #expect(try world.run("album", "add", "Favorites", ids[0]).status == 1)
        #expect(try world.names("--album", "Favorites") == ["b.jpg"])
    }
}
