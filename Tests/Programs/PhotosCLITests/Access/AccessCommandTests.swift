import Foundation
import TestSupport
import Testing

/// The command `photos access`, and its effect on a program.
@Suite(.timeLimit(.minutes(2))) struct AccessCommandTests {
    @Test func choicesReachTheProgram() throws {
        let world = try AccessWorld(names: [])
        #expect(try world.status() == "status notDetermined notDetermined notDetermined")
        try world.access("grant", world.program)
        #expect(try world.status() == "status authorized authorized authorized")
        try world.access("revoke", world.program)
        #expect(try world.status() == "status denied denied denied")
        try world.access("grant", world.program, "--add-only")
        #expect(try world.status() == "status denied authorized denied")
        // Behavior 2: programs that predate limited libraries treat it as full access.
        try world.access("limit", world.program)
        #expect(try world.status() == "status limited authorized authorized")
        try world.access("revoke", world.program, "--ask-again")
        #expect(try world.status() == "status notDetermined notDetermined notDetermined")
    }

    @Test func programsThatWereNeverSeenAreKept() throws {
        let world = try CommandWorld()
        #expect(try world.run("create").status == 0)
        let ids = try world.library(of: ["a.jpg", "b.jpg"])
        _ = try world.objects("access", "grant", "--json", "org.example.Frames")
        _ = try world.objects("access", "revoke", "--json", "org.example.Other")
        let limited = try world.objects(
            "access",
            "limit",
            "--json",
            "org.example.Some",
            ids[0],
            ids[1]
        )
        #expect(limited.first?.number("selectedAssetCount") == 2)
        let list = try world.objects("access", "list", "--json")
        #expect(
            list.compactMap { $0["program"] } == [
                "org.example.Frames", "org.example.Other", "org.example.Some",
            ]
        )
        #expect(list.compactMap { $0["readWrite"] } == ["authorized", "denied", "limited"])
        #expect(list.compactMap { $0["addOnly"] } == ["authorized", "denied", "authorized"])
        let text = try world.run("access", "list").text
        #expect(text.contains("org.example.Frames"))
        #expect(text.contains("may see and change everything"))
        #expect(text.contains("2 selected items"))
    }

    /// A use is recorded if it was permitted, by day.
    @Test func lastUseIsShown() throws {
        let world = try AccessWorld(names: ["a.jpg"])
        func lastUse() throws -> String? {
            try world.world.objects("access", "list", "--json")
                .first { $0["program"] == world.program }?["lastUsed"]
        }
        try world.access("revoke", world.program)
        _ = try world.run("survey", "-")
        #expect(try lastUse() == nil)
        #expect(try world.world.run("access", "list").text.contains("never used"))
        try world.access("grant", world.program)
        #expect(try lastUse() == nil)
        #expect(try world.run("survey", "-").lines.first == "all \(world.ids[0])")
        let used = try #require(try lastUse())
        let time = try #require(ISO8601DateFormatter().date(from: used))
        #expect(abs(time.timeIntervalSinceNow) < 600)
        #expect(try world.world.run("access", "list").text.contains("used 2"))
        // Not recorded again on the same day.
        _ = try world.run("survey", "-")
        #expect(try lastUse() == used)
    }

    @Test func unknownAssetsAreRefused() throws {
        let world = try CommandWorld()
        #expect(try world.run("create").status == 0)
        let output = try world.run("access", "limit", "org.example.Some", UUID().uuidString)
        #expect(output.status == 1)
        #expect(output.errorText.contains("There is no asset"))
        #expect(try world.run("access", "list").text == "")
    }

    /// Several real processes: none loses the choices of another.
    @Test func manyProcessesChooseAtOnce() throws {
        let world = try CommandWorld()
        let script = """
            for i in 1 2 3 4 5; do "$0" access grant --json "org.example.P$1.$i" || exit 1; done
            """
        let writers = try (0..<6).map { writer in
            try ProcessRunner.start(
                "/bin/sh",
                ["-c", script, BuiltProducts.photos.path, "\(writer)"],
                environment: world.environment.mapValues { $0 as String? }
            )
        }
        for writer in writers { #expect(writer.wait().status == 0) }
        let expected = (0..<6).flatMap { writer in
            (1...5).map { "org.example.P\(writer).\($0)" }
        }
        let list = try world.objects("access", "list", "--json")
        #expect(list.compactMap { $0["program"] } == expected.sorted())
    }

    @Test func damagedChoicesPermitNothing() throws {
        let world = try AccessWorld(names: ["a.jpg"])
        try world.access("grant", world.program)
        let file = "state/swift-photos/access/choices.json"
        try world.world.folder.write(Data("{\"version\":1,".utf8), to: file)
        #expect(try world.run("survey", "-").lines.first == "all")
        let output = try world.world.run("access", "list")
        #expect(output.status == 1)
        #expect(output.errorText.contains("choices.json"))
        #expect(output.errorText.contains("Move the file away"))
    }

    @Test(arguments: [
        ("authorized", "status authorized authorized authorized"),
        ("add-only", "status denied authorized denied"),
        ("denied", "status denied denied denied"),
        ("restricted", "status restricted restricted restricted"),
        ("everything", "status notDetermined notDetermined notDetermined"),
    ])
    func theEnvironmentDecidesWhereNobodyCan(_ value: String, _ status: String) throws {
        let world = try AccessWorld(names: [])
        #expect(try world.status(variables: ["PHOTOS_ACCESS": value]) == status)
    }
}
