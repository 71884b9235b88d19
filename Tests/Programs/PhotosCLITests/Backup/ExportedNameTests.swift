import Foundation
import SamplePhotos
import TestSupport
import Testing

/// The names that photos keep in repeated exports to one folder.
@Suite(.timeLimit(.minutes(5))) struct ExportedNameTests {
    private let world: CommandWorld
    private let out: URL
    /// The identifiers of two photos of one name and month, in the order of their export.
    private let ids: [String]

    init() throws {
        world = try CommandWorld()
        out = world.folder.file("out")
        for (index, folder) in ["a", "b"].enumerated() {
            let date = SampleDate(text: "2020:01:0\(index + 1) 12:00:00", offset: "+00:00")
            try world.photo(
                folder + "/IMG_1.JPG",
                seed: UInt64(index + 1),
                metadata: SampleMetadata(date: date)
            )
        }
        let lines = try world.objects("import", "--json", world.source.path)
        try #require(lines.count == 2)
        ids = try ["/a/", "/b/"].map { part in
            let line = lines.first { $0["path"]?.contains(part) == true }
            return try #require(line?["localIdentifier"])
        }
    }

    private var month: URL { out.appendingPathComponent("Photos/2020/2020-01") }

    @discardableResult
    private func export() throws -> [JSONLine] {
        try world.objects("export", "--all", "-o", out.path, "--json")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: month.path).sorted()
    }

    /// Returns the SHA-256 of the files in the month's folder, by name.
    private func sums() throws -> [String: String] {
        try names().reduce(into: [:]) { sums, name in
            sums[name] = try CommandWorld.sha256(of: month.appendingPathComponent(name))
        }
    }

    private func stale(_ lines: [JSONLine]) -> Set<String> {
        Set(lines.filter { $0["outcome"] == "stale" }.map(\.name))
    }

    /// Forgets the names, as in the export of an earlier version.
    private func removeLog() throws {
        let log = out.appendingPathComponent(".photos-export/names")
        try FileManager.default.removeItem(at: log)
    }

    /// Removes the first photo from later exports.
    private func leaveOut(_ step: String) throws {
        if step == "hide" {
            _ = try world.objects("set", ids[0], "--hidden", "true", "--json")
            return
        }
        _ = try world.objects("delete", ids[0], "--json")
        if step == "purge" { _ = try world.objects("purge", ids[0], "--yes", "--json") }
    }

    @Test(arguments: ["hide", "delete", "purge"], [true, false])
    func filesOfPhotosThatAreNoLongerExportedStay(step: String, hasLog: Bool) throws {
        let first = try export()
        let owners = Dictionary(
            first.map { ($0.name, $0["localIdentifier"] ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(owners["IMG_1.JPG"] == ids[0] && owners["IMG_1 (2).JPG"] == ids[1])
        let before = try sums()
        #expect(before["IMG_1.JPG"] != before["IMG_1 (2).JPG"])
        try leaveOut(step)
        if !hasLog { try removeLog() }
        let lines = try export()
        #expect(stale(lines) == ["IMG_1.JPG", "IMG_1.JPG.xmp"])
        #expect(Set(lines.compactMap { $0["outcome"] }) == ["unchanged", "stale"])
        #expect(try sums() == before)
        // A new photo of that name takes the next number.
        try world.photo(
            "c/IMG_1.JPG",
            seed: 3,
            metadata: SampleMetadata(date: SampleDate(text: "2020:01:03 12:00:00"))
        )
        let file = world.source.appendingPathComponent("c").path
        let added = try world.objects("import", "--json", file)
        let third = try export().first { $0.name == "IMG_1 (3).JPG" }
        #expect(third?["localIdentifier"] == added.first?["localIdentifier"])
        #expect(third?["outcome"] == "exported")
        #expect(try sums().filter { before[$0.key] != nil } == before)
        guard step != "purge" else { return }
        // It comes back to its place.
        let back = step == "hide" ? ["set", ids[0], "--hidden", "false"] : ["restore", ids[0]]
        _ = try world.objects(back + ["--json"])
        #expect(stale(try export()).isEmpty)
        #expect(try sums()["IMG_1.JPG"] == before["IMG_1.JPG"])
    }

    @Test func anEditStaysWithItsOriginal() throws {
        _ = try world.objects("edit", ids[0], "--filter", "Noir", "--json")
        try export()
        let before = try sums()
        #expect(before["IMG_1-edited.JPG"] != nil)
        try leaveOut("hide")
        #expect(stale(try export()).isSuperset(of: ["IMG_1.JPG", "IMG_1-edited.JPG"]))
        #expect(try sums() == before)
        let other = world.folder.file("Other.photolibrary").path
        let path = out.appendingPathComponent("Photos").path
        _ = try world.objects("import", "--json", path, "--library", other)
        let assets = try world.objects("list", "--json", "--library", other)
        let edited = Dictionary(
            assets.map { ($0["originalFilename"] ?? "", $0.flag("hasAdjustments")) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(edited == ["IMG_1.JPG": true, "IMG_1 (2).JPG": false])
    }

    @Test func aLaterEditReplacesTheEarlierOne() throws {
        _ = try world.objects("edit", ids[0], "--filter", "Noir", "--json")
        try export()
        let (before, first) = (try sums(), try names())
        _ = try world.objects("edit", ids[0], "--exposure", "0.5", "--json")
        #expect(stale(try export()).isEmpty)
        #expect(try names() == first)
        let after = try sums()
        #expect(after["IMG_1-edited.JPG"] != before["IMG_1-edited.JPG"])
        // The file of a reverted edit is stale, and still the photo's own.
        _ = try world.objects("revert", ids[0], "--json")
        #expect(stale(try export()).contains("IMG_1-edited.JPG"))
        _ = try world.objects("edit", ids[0], "--filter", "Noir", "--json")
        #expect(stale(try export()).isEmpty)
        #expect(try names() == first)
    }

    @Test func aDamagedOrMissingLogKeepsTheNames() throws {
        try export()
        let first = try names()
        let log = out.appendingPathComponent(".photos-export/names")
        let whole = try Data(contentsOf: log)
        let damages = [
            Data(), Data(whole.dropLast(5)), Data(count: 100), Data("a\tb\tc\td\n\t\t\n".utf8),
            whole + Data("../../x\t99999999999999999999\t../..\tx\n".utf8),
        ]
        for (index, damage) in damages.enumerated() {
            try damage.write(to: log)
            // A changed sidecar is recognized by its identifier.
            _ = try world.objects("set", ids[1], "--title", "Title \(index)", "--json")
            let lines = try export()
            let written = lines.filter { $0["outcome"] == "exported" }.map(\.name)
            #expect(written == ["IMG_1 (2).JPG.xmp"])
            #expect(try names() == first, "\(index)")
            #expect(stale(lines).isEmpty)
        }
    }

    /// Without the log, a file with other content may belong to another photo.
    @Test func aFileOfUnknownOriginIsNotReplaced() throws {
        try export()
        try removeLog()
        let file = month.appendingPathComponent("IMG_1.JPG")
        try Data("mine".utf8).write(to: file)
        let lines = try export()
        #expect(stale(lines) == ["IMG_1.JPG", "IMG_1.JPG.xmp"])
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        let moved = lines.first { $0["localIdentifier"] == ids[0] && $0["type"] != nil }
        #expect(moved?.name == "IMG_1 (3).JPG")
        #expect(Set(try export().compactMap { $0["outcome"] }) == ["unchanged", "stale"])
    }
}
