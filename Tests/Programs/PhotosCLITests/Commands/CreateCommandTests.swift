import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CreateCommandTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test func libraryIsMadeAndSaid() throws {
        let output = try world.run("create")
        #expect(output.text == "Created \(world.library.path)\n")
        #expect(output.errorText == "")
        #expect(output.status == 0)
        #expect(try world.run("verify").errorText == "No problems found.\n")
    }

    @Test func jsonNamesThePath() throws {
        let output = try world.run("create", "--json")
        #expect(output.text == "{\"path\":\"\(world.library.path)\"}\n")
    }

    @Test func nothingIsOverwritten() throws {
        try world.folder.write(Data("mine".utf8), to: "Test.photolibrary/keep.txt")
        let output = try world.run("create")
        #expect(output.status == 1)
        #expect(output.errorText.hasPrefix("photos: "))
        #expect(output.errorText.contains(world.library.path))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: world.library.path) == ["keep.txt"]
        )
    }

    @Test func libraryOptionStandsBeforeAndAfterTheVerb() throws {
        let first = world.folder.file("first").path
        let second = world.folder.file("second").path
        #expect(try world.run("--library", first, "create").text == "Created \(first)\n")
        #expect(try world.run("create", "--library", second).text == "Created \(second)\n")
        #expect(try world.run("--library=\(first)", "list").status == 0)
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
    }
}
