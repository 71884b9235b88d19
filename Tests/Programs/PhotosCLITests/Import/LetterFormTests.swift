import Foundation
import Glibc
import TestSupport
import Testing

/// Files whose names look alike but have other bytes: an accent may be a letter of its own.
@Suite(.timeLimit(.minutes(2))) struct LetterFormTests {
    private let world: CommandWorld

    init() throws {
        world = try CommandWorld()
    }

    @Test func aFileThatOnlyLooksLikeANamedOneIsReported() throws {
        let name = "caf\u{E9}.jpg"
        let stray = "cafe\u{301}.jpg"
        try world.photo(name, seed: 3)
        try #require(try world.run("import", world.source.path).status == 0)
        let out = world.folder.file("out")
        let exported = try world.run("export", "--all", "-o", out.path)
        try #require(exported.status == 0, "\(exported.errorText)")
        let walk = FileManager.default.enumerator(atPath: out.path)
        let paths = (walk?.allObjects as? [String]) ?? []
        let path = try #require(
            paths.first { $0.utf8.suffix(name.utf8.count).elementsEqual(name.utf8) }
        )
        let place = out.appending(path: path).deletingLastPathComponent()
        let unnamed = Array((place.path + "/" + stray).utf8)
        // By its bytes: Foundation may change the form of letters.
        let file = open(place.path + "/" + stray, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0 && write(file, "stray", 5) == 5)
        close(file)
        let other = world.folder.file("Other.photolibrary")
        let lines = try world.run("import", "--json", out.path, "--library", other.path).lines
            .map(JSONLine.init)
        let orphans = lines.filter { $0.codes.contains("orphanFile") }
        #expect(orphans.compactMap { $0["path"].map { Array($0.utf8) } } == [unnamed])
        #expect(lines.count { $0["outcome"] == "imported" } == 1)
    }
}
