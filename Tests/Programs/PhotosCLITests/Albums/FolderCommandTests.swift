import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct FolderCommandTests {
    let world: CommandWorld

    init() throws {
        world = try CommandWorld()
        #expect(try world.run("create").status == 0)
    }

    /// Runs a subcommand that creates an object.
    @discardableResult
    private func make(_ arguments: String...) throws -> String {
        let output = try world.run(arguments)
        #expect(output.status == 0, "\(arguments): \(output.errorText)")
        return try #require(output.lines.first)
    }

    /// Returns the tree as users see it, without counts and identifiers.
    private func tree() throws -> [String] {
        try world.run("albums", "--own").text.split(separator: "\n").map { line in
            let indent = line.prefix { $0 == " " }
            let title = line.dropFirst(indent.count).split(separator: "  ").first ?? ""
            return String(indent + title)
        }
    }

    @Test func albumsAndFoldersAreATree() throws {
        let holidays = try make("folder", "create", "Holidays")
        let year = try make("folder", "create", "2024", "--in", "Holidays")
        let summer = try make("album", "create", "Summer", "--in", "2024")
        try make("album", "create", "Winter", "--in", holidays)
        try make("album", "create", "Family")
        #expect(holidays.hasSuffix("/L0/020"))
        #expect(try tree() == ["Holidays/", "  2024/", "    Summer", "  Winter", "Family"])
        let lines = try world.objects("albums", "--own", "--json")
        #expect(
            lines.map { $0["localizedTitle"] } == [
                "Holidays", "2024", "Summer", "Winter", "Family",
            ]
        )
        let parents = lines.map { $0["parentLocalIdentifier"] }
        #expect(parents == [nil, holidays, year, holidays, nil])
        #expect(lines[0]["objectType"] == "collectionList")
        #expect(lines[0].values["estimatedAssetCount"] is NSNull)
        #expect(lines[2]["localIdentifier"] == summer)
    }

    @Test func collectionsGoIntoFoldersAndOut() throws {
        for title in ["A", "B", "C"] { try make("album", "create", title) }
        try make("folder", "create", "F")
        try make("folder", "create", "G")
        let lines = try world.objects("folder", "add", "--json", "F", "B", "G", "A")
        #expect(lines.map { $0["outcome"] } == ["added", "added", "added"])
        #expect(try tree() == ["C", "F/", "  B", "  G/", "  A"])
        #expect(try world.run("folder", "add", "F", "C", "--at", "1").status == 0)
        #expect(try tree() == ["F/", "  B", "  C", "  G/", "  A"])
        let output = try world.run("folder", "add", "/", "A", "B", "--at", "0")
        #expect(output.errorText == "Added 2 albums to the top level.\n")
        #expect(try tree() == ["A", "B", "F/", "  C", "  G/"])
    }

    @Test func collectionsMove() throws {
        try make("folder", "create", "F")
        for title in ["A", "B", "C"] { try make("album", "create", title, "--in", "F") }
        try make("album", "create", "D")
        #expect(try world.run("folder", "move", "F", "C", "A", "--to", "0").status == 0)
        #expect(try tree() == ["F/", "  C", "  A", "  B", "D"])
        #expect(try world.run("folder", "move", "/", "D", "--to", "0").status == 0)
        #expect(try tree() == ["D", "F/", "  C", "  A", "  B"])
        let far = try world.run("folder", "move", "F", "A", "--to", "3")
        #expect(far.status == 1)
        #expect(far.errorText.contains("There is no position 3 in the folder “F”."))
        let other = try world.run("folder", "move", "F", "D", "--to", "0")
        #expect(other.status == 1)
        #expect(other.errorText.contains("The folder “F” does not contain the album “D”."))
    }

    @Test func foldersAreRenamedAndDeletedWithWhatTheyHold() throws {
        try make("folder", "create", "Old")
        try make("folder", "create", "Inner", "--in", "Old")
        try make("album", "create", "A", "--in", "Inner")
        #expect(
            try world.objects("folder", "rename", "--json", "Old", "New").first?["localizedTitle"]
                == "New"
        )
        #expect(try tree() == ["New/", "  Inner/", "    A"])
        #expect(try world.run("folder", "delete", "New").status == 0)
        #expect(try tree() == [])
        #expect(try world.run("undo").status == 0)
        #expect(try tree() == ["New/", "  Inner/", "    A"])
    }

    @Test func aFolderDoesNotGoIntoItself() throws {
        try make("folder", "create", "Outer")
        try make("folder", "create", "Inner", "--in", "Outer")
        for name in ["Outer", "Inner"] {
            let output = try world.run("folder", "add", name, "Outer")
            #expect(output.status == 1)
            #expect(output.errorText.hasPrefix("photos: "))
        }
        #expect(try tree() == ["Outer/", "  Inner/"])
    }

    @Test func kindsAreToldApart() throws {
        let album = try make("album", "create", "Same")
        let folder = try make("folder", "create", "Same")
        #expect(try world.run("album", "rename", "Same", "Album").status == 0)
        #expect(try world.run("album", "rename", "Album", "Same").status == 0)
        try make("folder", "create", "F")
        let output = try world.run("folder", "add", "F", "Same")
        #expect(output.status == 1)
        #expect(output.errorText.contains("More than one album or folder is called “Same”."))
        #expect(output.errorText.contains(album))
        #expect(output.errorText.contains(folder))
        #expect(try world.run("folder", "delete", album).status == 1)
        #expect(try world.run("album", "delete", folder).status == 1)
        #expect(try world.run("folder", "add", "F", "Nothing").errorText.contains("“Nothing”"))
        #expect(try world.run("folder", "delete", "/").status == 1)
    }
}
