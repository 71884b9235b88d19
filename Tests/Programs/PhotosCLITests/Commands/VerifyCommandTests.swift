import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct VerifyCommandTests {
    let world: CommandWorld
    let original: URL

    init() throws {
        world = try CommandWorld()
        try world.photo("a.jpg")
        let line = try #require(
            try world.objects("import", "--json", world.source.path).first
        )
        let id = try #require(line["localIdentifier"])
        let resources = try #require(
            try world.objects("show", id, "--json").first?.values["resources"] as? [[String: Any]]
        )
        original = world.library.appendingPathComponent(
            try #require(resources.first?["path"] as? String)
        )
    }

    @Test func wholeLibraryHasNoFindings() throws {
        for arguments in [["verify"], ["verify", "--full"]] {
            let output = try world.run(arguments)
            #expect(output.text == "")
            #expect(output.errorText == "No problems found.\n")
            #expect(output.status == 0)
        }
    }

    @Test func missingFileIsDamage() throws {
        try FileManager.default.removeItem(at: original)
        let lines = try world.objects("verify", "--json", status: 1)
        #expect(lines.map { $0["severity"] } == ["damage"])
        let line = try #require(lines.first)
        #expect(line["message"]?.isEmpty == false)
        #expect(line["advice"]?.isEmpty == false)
        #expect(line["localIdentifier"] != nil)
    }

    @Test func changedByteIsFoundByReadingEverything() throws {
        var data = try Data(contentsOf: original)
        let middle = data.count / 2
        data[middle] ^= 0xFF
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: original.path
        )
        try data.write(to: original)
        #expect(try world.run("verify").status == 0)
        let output = try world.run("verify", "--full")
        #expect(output.status == 1)
        #expect(output.text.hasPrefix("damage    "))
    }

    @Test func leftoverIsANote() throws {
        let stray = original.deletingLastPathComponent()
            .appendingPathComponent("00000000-0000-4000-8000-000000000000.jpg")
        try Data("left over".utf8).write(to: stray)
        let lines = try world.objects("verify", "--json")
        #expect(lines.map { $0["severity"] } == ["note"])
    }
}
