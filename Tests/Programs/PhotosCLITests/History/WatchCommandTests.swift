import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct WatchCommandTests {
    let world: CommandWorld

    init() throws {
        world = try CommandWorld()
        #expect(try world.run("create").status == 0)
    }

    private func token() throws -> String {
        try #require(try world.run("history", "--token").lines.first)
    }

    @Test func otherProcessesAreSeenAtOnce() throws {
        let watch = try world.start("watch", "--json", "--since", try token())
        let ids = try world.library(of: ["a.jpg", "b.jpg"])
        #expect(watch.read(lines: 2, atMost: .seconds(30)))
        let imported = try watch.lines.map(JSONLine.init)
        #expect(Set(imported.compactMap { $0["localIdentifier"] }) == Set(ids))
        #expect(imported.allSatisfy { $0["change"] == "inserted" })

        let clock = ContinuousClock()
        _ = try world.objects("set", "--json", ids[0], "--favorite", "true")
        let start = clock.now
        #expect(watch.read(lines: 3, atMost: .seconds(30)))
        // It takes milliseconds; most of the limit is slack for a busy machine.
        #expect(clock.now - start < .seconds(10))
        try #require(watch.lines.count == 3)
        let line = try JSONLine(watch.lines[2])
        #expect(line["localIdentifier"] == ids[0])
        #expect(line["change"] == "updated")
        #expect(line.list("properties")?.contains("isFavorite") == true)
        #expect(line["token"] == (try token()))
        watch.kill(SIGINT)
        watch.read()
        #expect(watch.wait().status == 0)
        #expect(watch.lines.count == 3)
    }

    /// The output of watching equals the later history, without repetitions or gaps.
    @Test func manyChangesComeOnceAndInOrder() throws {
        let ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
        let start = try token()
        let watch = try world.start("watch", "--json", "--since", start)
        let writers = try (0..<3).map { writer in
            let script = """
                for i in 1 2 3 4 5; do "$0" set --json "$1" --rating $i --title "t$i" || exit 1; done
                """
            return try ProcessRunner.start(
                "/bin/sh",
                ["-c", script, BuiltProducts.photos.path, ids[writer]],
                environment: world.environment.mapValues { $0 as String? }
            )
        }
        for writer in writers { #expect(writer.wait().status == 0) }
        let told = try world.run("history", "--json", "--since", start).lines
        #expect(told.count == 15)
        #expect(watch.read(lines: told.count, atMost: .seconds(60)))
        watch.kill(SIGTERM)
        watch.read()
        #expect(watch.wait().status == 0)
        #expect(watch.lines == told)
    }

    @Test func peopleGetColumnsAndAGreeting() throws {
        let ids = try world.library(of: ["a.jpg"])
        let watch = try world.startOnTerminal("watch")
        #expect(watch.read(until: "Watching \(world.library.path)"))
        #expect(try world.run("album", "create", "Holi\u{1B}days").status == 0)
        #expect(watch.read(until: "Holi\\u{1b}days"))
        #expect(try world.run("delete", ids[0]).status == 0)
        #expect(watch.read(until: "deleted"))
        watch.kill(SIGINT)
        watch.read()
        #expect(watch.wait().status == 0)
    }

    @Test func aReaderThatGoesEndsIt() throws {
        let ids = try world.library(of: ["a.jpg"])
        let watch = try world.start("watch", "--json", "--since", try token())
        watch.closeOutput()
        #expect(try world.run("set", ids[0], "--favorite", "true").status == 0)
        #expect(watch.wait().status == 128 + SIGPIPE)
    }

    @Test func missingLibraryIsNamed() throws {
        let output = try world.run("watch", "--library", "/nonexistent")
        #expect(output.status == 1)
        #expect(output.errorText.contains("/nonexistent"))
    }
}
