import Foundation
import TestSupport
import Testing

/// Exports of whole libraries that are killed at the steps by which a file gets into the export,
/// and then continued.
@Suite(.timeLimit(.minutes(10))) struct ExportKillTests {
    private let world: CommandWorld
    private let command: KillableCommand

    init() throws {
        world = try CommandWorld()
        command = try KillableCommand(world)
    }

    /// Whether each kill has an export of its own; otherwise one export is killed at each point in
    /// turn, and continued at the end.
    private static let isLong = KillTests.kills >= 20

    private func arguments(_ out: URL) -> [String] {
        ["export", "--all", "--hidden", "--deleted", "--json", "-o", out.path]
    }

    /// Continues an export and compares it with one that was not killed.
    private func expectSame(_ out: URL, _ whole: URL, _ context: String) throws {
        let rest = try world.run(arguments(out))
        #expect(rest.status == 0, "\(context): \(rest.text)\(rest.errorText)")
        let compared = try ProcessRunner.run(
            "diff",
            ["-r", "--no-dereference", "--exclude=.photos-export", whole.path, out.path]
        )
        #expect(compared.status == 0, "\(context): \(compared.text)")
        let parts = out.path + "/.photos-export/parts"
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts) == [], "\(context)")
    }

    @Test func killedExportsContinue() throws {
        let seed = TestSeed()
        var random = seed.generator
        var library = AppleLibrary()
        library.assets = 12
        let source = world.folder.file("Mac.photoslibrary")
        try library.write(to: source)
        let imported = try world.run("import", source.path)
        try #require(imported.status == 0, "\(imported.errorText)")
        let (whole, out) = (world.folder.file("whole"), world.folder.file("out"))
        let log = world.folder.file("points")
        let output = try command.run(arguments(whole), log: log)
        #expect(output.status == 0, "\(output.text)\(output.errorText)")
        let (counts, all) = try KillableCommand.points(in: log)
        #expect(Set(all).isSuperset(of: KillPoint.exports), "\(counts)")
        var place = 0
        for point in KillPoint.exports {
            // What was done before a kill is not done again, so that few steps are left.
            let count = Self.isLong ? counts[point] ?? 1 : min(3, counts[point] ?? 1)
            let number = Int.random(in: 1...count, using: &random)
            let context = "\(seed), \(point) \(number)"
            let killed = try command.run(arguments(out), killedAt: point, number)
            #expect(killed.status == 128 + SIGKILL, "\(context)")
            // Nothing is said before the names are durable. What was said is there, under its
            // final name.
            let lines = try killed.lines.map(JSONLine.init)
            if point == .syncNames { #expect(lines.isEmpty, "\(context)") }
            for line in lines where ["exported", "unchanged"].contains(line["outcome"]) {
                place += 1
                #expect(access(try #require(line["path"]), F_OK) == 0, "\(context)")
            }
            let list = out.appendingPathComponent("library.jsonl").path
            #expect((access(list, F_OK) == 0) == (point == .listed), "\(context)")
            guard Self.isLong else { continue }
            try expectSame(out, whole, context)
            try FileManager.default.removeItem(at: out)
        }
        if !Self.isLong { try expectSame(out, whole, "\(seed)") }
        #expect(place > 0)
    }
}
