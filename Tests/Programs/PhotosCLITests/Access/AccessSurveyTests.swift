import Foundation
import Glibc
import TestSupport
import Testing

/// The visible data and permitted actions of a program at each status, through PhotoKit's own calls
/// (pains 24).
@Suite(.timeLimit(.minutes(5))) struct AccessSurveyTests {
    private static let formats = [
        "isFavorite == YES", "mediaType == 1 AND pixelWidth > 0", "NOT (title BEGINSWITH 'x')",
        "creationDate > CAST('2020-01-01', 'NSDate')", "filename CONTAINS[cd] 'A'",
        "mediaSubtypes & 8 != 0",
    ]

    /// The commands that set a status, and the positions of the assets that are then visible.
    private struct Case: Sendable {
        var name: String
        var choose: @Sendable (AccessWorld) throws -> Void
        var seen: [Int]
        /// The number of invisible assets that history reports as removed: selected ones that were
        /// hidden.
        var gone = 0
        var seesAlbums = false
        var variables: [String: String] = [:]
        /// The error codes of a fetch of everything and of a fetch of hidden assets.
        var refusal = 3311
        var hiddenRefusal = 3311
    }

    private static let cases = [
        Case(name: "not determined", choose: { _ in }, seen: []),
        Case(name: "denied", choose: { try $0.access("revoke", $0.program) }, seen: []),
        Case(
            name: "add-only",
            choose: { try $0.access("grant", $0.program, "--add-only") },
            seen: []
        ),
        Case(
            name: "limited",
            choose: { try $0.access("limit", $0.program, $0.ids[0], $0.ids[2]) },
            seen: [0, 2],
            refusal: 0
        ),
        Case(
            name: "limited to a hidden one",
            choose: { try $0.access("limit", $0.program, $0.ids[0], $0.ids[3]) },
            seen: [0],
            gone: 1,
            refusal: 0
        ),
        Case(
            name: "limited to a hidden one, which is permitted",
            choose: { try $0.access("limit", $0.program, $0.ids[0], $0.ids[3], "--hidden") },
            seen: [0, 3],
            refusal: 0,
            hiddenRefusal: 0
        ),
        Case(
            name: "authorized, hidden ones too",
            choose: { try $0.access("grant", $0.program) },
            seen: [0, 1, 2, 3],
            seesAlbums: true,
            refusal: 0,
            hiddenRefusal: 0
        ),
        Case(
            name: "authorized",
            choose: { try $0.access("grant", $0.program, "--no-hidden") },
            seen: [0, 1, 2],
            gone: 1,
            seesAlbums: true,
            refusal: 0
        ),
        Case(
            name: "authorized by the environment",
            choose: { try $0.access("revoke", $0.program) },
            seen: [0, 1, 2],
            gone: 1,
            seesAlbums: true,
            variables: ["PHOTOS_ACCESS": "authorized"],
            refusal: 0
        ),
        Case(
            name: "authorized by the environment, hidden ones too",
            choose: { _ in },
            seen: [0, 1, 2, 3],
            seesAlbums: true,
            variables: ["PHOTOS_ACCESS": "authorized,hidden"],
            refusal: 0,
            hiddenRefusal: 0
        ),
        Case(
            name: "restricted by the environment",
            choose: { try $0.access("grant", $0.program) },
            seen: [],
            variables: ["PHOTOS_ACCESS": "restricted"],
            refusal: 3310,
            hiddenRefusal: 3310
        ),
    ]

    /// Creates a library in which assets 0 and 1 are favorites and 3 is hidden; the album has 0, 1
    /// and 2.
    private func makeWorld() throws -> (AccessWorld, token: String) {
        let empty = try AccessWorld(names: [])
        let token = try #require(
            try ProcessRunner.run(
                BuiltProducts.executable("observing-client").path,
                ["token", empty.world.library.path],
                environment: empty.world.environment.mapValues { $0 as String? }
            ).lines.first
        )
        let names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
        let world = AccessWorld(world: empty.world, ids: try empty.world.library(of: names))
        let ids = world.ids
        _ = try world.world.objects("set", "--json", ids[0], ids[1], "--favorite", "true")
        _ = try world.world.objects("set", "--json", ids[3], "--hidden", "true")
        _ = try world.world.objects("album", "create", "--json", "Album")
        _ = try world.world.objects("album", "add", "--json", "Album", ids[0], ids[1], ids[2])
        return (world, token)
    }

    /// Returns the expected data of each API: the owner's, without those that are not permitted.
    private func expected(
        _ world: AccessWorld,
        _ item: Case,
        ownersFormats: [[String]]
    ) -> [String: [String]] {
        let permitted = item.seen.map { world.ids[$0] }
        let visible = item.seen.filter { $0 != 3 }.map { world.ids[$0] }
        let count = ["\(visible.count)"]
        let hidden = item.seen.contains(3) ? [world.ids[3]] : []
        // For a program without access to hidden assets, hiding is deleting.
        let known = item.seen.count + item.gone
        var rows: [String: [String]] = [
            "all": visible, "images": visible, "hidden": permitted,
            "limit1": Array(visible.prefix(1)), "newest": visible.reversed(), "block": visible,
            "count": count, "files": count, "data": count,
            "albums": [item.seesAlbums ? "1" : "0"], "top": [item.seesAlbums ? "1" : "0"],
            "members": [item.seesAlbums ? "3" : "0"],
            "history": [item.seen.isEmpty ? "-1" : "\(known)"],
            "hiddenAlbum": hidden, "hiddenCount": ["\(hidden.count)"],
            "checked": ["\(item.refusal)"], "checkedHidden": ["\(item.hiddenRefusal)"],
            "checkedAlbum": [item.seen.isEmpty ? "0" : "\(item.hiddenRefusal)"],
        ]
        for (index, owners) in ownersFormats.enumerated() {
            rows["format\(index)"] = owners.filter { visible.contains($0) }
        }
        return rows
    }

    @Test func everyDoorShowsWhatIsPermitted() throws {
        let (world, token) = try makeWorld()
        let owners = try Self.formats.map { format in
            try world.world.objects("list", "--json", "--predicate", format)
                .compactMap { $0["localIdentifier"] }
        }
        for item in Self.cases {
            try item.choose(world)
            let output = try world.run(
                ["survey", token] + Self.formats,
                variables: item.variables
            )
            var rows: [String: [String]] = [:]
            for line in output.text.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                rows[words[0]] = Array(words.dropFirst())
            }
            let expected = self.expected(world, item, ownersFormats: owners)
            #expect(rows.count == expected.count, "\(item.name): \(output.errorText)")
            for (door, sights) in expected {
                #expect(rows[door] == sights, "\(item.name): \(door)")
            }
        }
    }

    /// Behaviors 9, 12, 13 and 14.
    @Test func changesAreMadeAsPermitted() throws {
        let (world, _) = try makeWorld()
        let new = try world.world.photo("new.jpg", seed: 99).path
        // There is no user to prompt, and nothing was selected.
        #expect(try failure(world.run("create", new)) == 3311)
        try world.access("revoke", world.program)
        #expect(try failure(world.run("create", new)) == 3311)
        #expect(try world.run("change", "favorite", world.ids[2]).lines == ["found 0"])
        #expect(try failure(world.run("change", "album", "-")) == 3311)
        let restricted = ["PHOTOS_ACCESS": "restricted"]
        #expect(try failure(world.run("create", new, variables: restricted)) == 3310)

        try world.access("grant", world.program, "--add-only")
        #expect(try world.run("create", new).lines.first == "done")
        #expect(try world.run("survey", "-").lines.first == "all")
        #expect(try failure(world.run("change", "album", "-")) == 3311)

        try world.access("limit", world.program, world.ids[2])
        let other = try world.world.photo("other.jpg", seed: 98).path
        let created = try world.run("create", other).lines
        #expect(created.first == "done")
        let asset = try #require(created.last?.split(separator: " ").last).description
        // Behavior 13: the assets that it creates join the selection.
        let seen = try #require(try world.run("survey", "-").lines.first)
        #expect(Set(seen.split(separator: " ").map(String.init)) == ["all", world.ids[2], asset])
        #expect(try world.run("change", "favorite", asset).lines == ["found 1", "done"])
        #expect(try world.run("change", "favorite", world.ids[0]).lines == ["found 0"])
        #expect(try failure(world.run("change", "album", "-")) == 3311)
        #expect(try world.run("change", "delete", asset).lines == ["found 1", "done"])

        try world.access("grant", world.program)
        #expect(try world.run("change", "album", "-").lines == ["done"])
    }

    /// A program may not change an asset that it may not see, not even by its identifier.
    @Test func whatIsHiddenIsPermittedToEachProgramByItself() throws {
        let (world, _) = try makeWorld()
        try world.access("grant", world.program)
        #expect(try world.run("change", "favorite", world.ids[3]).lines == ["found 0"])
        let hidden = try world.run("change", "hide", world.ids[0]).lines
        // It may hide one, and then no longer sees it.
        #expect(hidden.prefix(2) == ["found 1", "done"])
        let refused = try #require(hidden.last)
        #expect(refused.hasPrefix("failed 3311 "), "\(refused)")
        #expect(refused.contains("photos access grant"), "\(refused)")
        #expect(refused.contains("--hidden"), "\(refused)")
        try world.access("grant", world.program, "--hidden")
        #expect(
            try world.run("change", "hide", world.ids[0]).lines == ["found 1", "done", "done"]
        )
        #expect(try world.run("change", "favorite", world.ids[3]).lines == ["found 1", "done"])
        // Revoking the permission undoes this.
        try world.access("revoke", world.program)
        try world.access("grant", world.program)
        #expect(try world.run("change", "favorite", world.ids[3]).lines == ["found 0"])
    }

    /// Returns the code of the error that the program printed.
    private func failure(_ output: ProcessRunner.Output) throws -> Int? {
        let line = try #require(output.lines.first)
        let words = line.split(separator: " ")
        #expect(words.first == "failed", "\(line)")
        // Errors name the program and the command to run.
        #expect(line.contains("access-client"), "\(line)")
        return words.count > 1 ? Int(words[1]) : nil
    }

    /// Choices take effect in a running program (pains 24): as a change for observers, and for
    /// later requests.
    @Test func choicesReachAProgramThatRuns() throws {
        let (world, _) = try makeWorld()
        let watch = try world.start("watch")
        #expect(watch.read(lines: 1, atMost: .seconds(60)))
        #expect(watch.lines.first == "sees 0 0 0")
        // Behavior 7: a result that was empty without permission grows when permission is granted.
        try world.access("grant", world.program)
        #expect(watch.read(lines: 2, atMost: .seconds(30)))
        let granted = try #require(watch.lines.last).split(separator: " ").map(String.init)
        #expect(granted.prefix(3) == ["told", "3", "1"])
        #expect((Int(granted.last ?? "") ?? 0) > 100)
        try world.access("limit", world.program, world.ids[0])
        #expect(watch.read(lines: 3, atMost: .seconds(30)))
        #expect(watch.lines.last?.hasPrefix("told 1 1 ") == true)
        // An asset that it retains reveals nothing more.
        try world.access("revoke", world.program)
        #expect(watch.read(lines: 4, atMost: .seconds(30)))
        #expect(watch.lines.last == "told 0 0 0")
        watch.kill(SIGKILL)
        _ = watch.wait()
    }
}
