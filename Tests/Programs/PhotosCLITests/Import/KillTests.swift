import Foundation
import SamplePhotos
import TestSupport
import Testing

/// The state after an import was killed or interrupted at any moment.
@Suite(.timeLimit(.minutes(30))) struct KillTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// The number of kills: `PHOTOS_KILLS`, otherwise a few.
    static let kills = ProcessInfo.processInfo.environment["PHOTOS_KILLS"].flatMap(Int.init) ?? 8

    @Test func nothingThatWasSaidIsLost() throws {
        let seed = TestSeed()
        var random = seed.generator
        let names = (0..<240).map { "\($0 / 40)/IMG_\($0).JPG" }
        try world.photos(names)
        var said: Set<String> = []
        var longest = Duration.milliseconds(1500)
        for round in 0..<Self.kills {
            let clock = ContinuousClock()
            let start = clock.now
            let process = try world.start("import", "--json", world.source.path)
            let time = longest * Double.random(in: 0...1, using: &random)
            let isRunning = process.read(atMost: time)
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            for text in process.lines {
                let line = try JSONLine(text)
                if line["outcome"] == "imported" {
                    said.insert(try #require(line["localIdentifier"]))
                }
            }
            let context = "round \(round), \(seed), killed after \(time)"
            guard FileManager.default.fileExists(atPath: world.library.path) else { continue }
            let verify = try world.run("verify", "--json")
            #expect(verify.status == 0, "\(context): \(verify.text)\(verify.errorText)")
            let there = Set(
                try world.objects("list", "--json").compactMap { $0["localIdentifier"] }
            )
            #expect(said.isSubset(of: there), "\(context)")
            if !isRunning {
                // Everything is imported, so the test starts again with an empty library.
                longest = clock.now - start
                #expect(there.count == names.count)
                try FileManager.default.removeItem(at: world.library)
                try FileManager.default.removeItem(at: world.folder.file("state"))
                said = []
            }
        }
        let rest = try world.objects("import", "--json", world.source.path)
        #expect(rest.count == names.count)
        #expect(rest.allSatisfy { ["imported", "duplicate"].contains($0["outcome"]) })
        let verify = try world.run("verify", "--full", "--json")
        #expect(verify.status == 0)
        // The next writer removed the remains of the killed ones.
        #expect(verify.text == "")
        #expect(try world.objects("list", "--json").count == names.count)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func interruptedImportEndsCleanlyAndContinues(signal: Int32) throws {
        let names = (0..<400).map { "IMG_\($0).JPG" }
        try world.photos(names)
        let process = try world.start("import", "--json", world.source.path)
        process.read(lines: 1)
        process.kill(signal)
        process.read()
        #expect(process.wait().status == 128 + signal)
        let told = try process.lines.map(JSONLine.init)
        #expect(told.allSatisfy { $0["outcome"] == "imported" })
        #expect(told.count < names.count)
        #expect(try world.objects("list", "--json").count == told.count)
        // An orderly end leaves nothing to remove.
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n")
        let rest = try world.objects("import", "--json", world.source.path)
        #expect(rest.count == names.count)
        #expect(rest.count { $0["outcome"] == "duplicate" } == told.count)
        #expect(try world.objects("list", "--json").count == names.count)
    }
}
