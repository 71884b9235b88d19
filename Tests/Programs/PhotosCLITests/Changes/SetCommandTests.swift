import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct SetCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
    }

    private func asset(_ identifier: String) throws -> JSONLine {
        try #require(try world.objects("show", "--json", identifier).first)
    }

    @Test func everythingThatCanBeSetIs() throws {
        let lines = try world.objects(
            "set",
            "--json",
            ids[0],
            "--favorite",
            "true",
            "--hidden",
            "true",
            "--date",
            "1999-12-31T23:30:15.5-02:00",
            "--location",
            "-33.8568,151.2153,-4.5",
            "--title",
            "Title",
            "--caption",
            "Caption",
            "--rating",
            "4",
            "--add-keyword",
            "sea",
            "--add-keyword",
            "Ünïcode"
        )
        #expect(lines.map { $0["outcome"] } == ["changed"])
        #expect(lines.map { $0["localIdentifier"] } == [ids[0]])
        #expect(lines.first?.values["reason"] is NSNull)
        let asset = try asset(ids[0])
        #expect(asset.flag("isFavorite") == true)
        #expect(asset.flag("isHidden") == true)
        #expect(asset["creationDate"] == "2000-01-01T01:30:15.5Z")
        let place = try #require(asset.values["location"] as? [String: Any])
        #expect(place["latitude"] as? Double == -33.8568)
        #expect(place["longitude"] as? Double == 151.2153)
        #expect(place["altitude"] as? Double == -4.5)
        #expect(asset["title"] == "Title")
        #expect(asset["caption"] == "Caption")
        #expect(asset["rating"] == "four")
        #expect(asset.list("keywords").map(Set.init) == ["sea", "Ünïcode"])
        #expect(try world.names() == ["b.jpg", "c.jpg"])
        #expect(try world.names("--include-hidden").contains("a.jpg"))
    }

    @Test func valuesCanBeTakenAway() throws {
        _ = try world.objects(
            "set",
            "--json",
            ids[0],
            "--location",
            "1,2",
            "--title",
            "T",
            "--caption",
            "C",
            "--rating",
            "1",
            "--add-keyword",
            "one",
            "--add-keyword",
            "two"
        )
        _ = try world.objects(
            "set",
            "--json",
            ids[0],
            "--location",
            "none",
            "--title",
            "",
            "--caption",
            "",
            "--rating",
            "0",
            "--remove-keyword",
            "one",
            "--date",
            "none"
        )
        let asset = try asset(ids[0])
        for key in ["location", "title", "caption", "creationDate"] {
            #expect(asset.values[key] is NSNull, "\(key)")
        }
        #expect(asset["rating"] == "unset")
        #expect(asset.list("keywords") == ["two"])
    }

    @Test func datesWithoutOffsetAreLocal() throws {
        let output = try world.run(
            "set",
            ids[0],
            "--date",
            "2024-07-01 12:00",
            variables: ["TZ": "Europe/Paris"]
        )
        #expect(output.status == 0)
        #expect(output.text == "")
        #expect(output.errorText == "Changed 1 asset.\n")
        #expect(try asset(ids[0])["creationDate"] == "2024-07-01T10:00:00Z")
    }

    /// Bare UUIDs, in any case, and the same asset twice.
    @Test func identifiersMayBeWrittenInSeveralWays() throws {
        let bare = String(ids[1].prefix(36)).lowercased()
        let lines = try world.objects(
            "set",
            "--json",
            "--favorite",
            "true",
            ids[0],
            bare,
            ids[0].lowercased()
        )
        #expect(lines.map { $0["localIdentifier"] } == [ids[0], ids[1]])
        #expect(try world.names("--predicate", "isFavorite = YES") == ["a.jpg", "b.jpg"])
        #expect(
            try world.names("--predicate", "localIdentifier = '\(bare.uppercased())'") == ["b.jpg"]
        )
    }

    @Test func oneUnknownIdentifierStopsAll() throws {
        let unknown = "5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11"
        let output = try world.run("set", ids[0], unknown, "nonsense", "--favorite", "true")
        #expect(output.status == 1)
        #expect(
            output.errorText == """
                photos: There are no assets \(unknown), nonsense in the library. Run photos list \
                to see the identifiers.

                """
        )
        let lines = try world.objects(
            "set",
            "--json",
            ids[0],
            unknown,
            "--favorite",
            "true",
            status: 1
        )
        #expect(lines.map { $0["outcome"] } == ["failed", "failed"])
        #expect(lines.map { $0["localIdentifier"] } == [ids[0], unknown])
        #expect(lines.allSatisfy { $0["reason"]?.contains(unknown) == true })
        #expect(try world.names("--predicate", "isFavorite = YES") == [])
    }

    @Test(arguments: [
        [], ["--rating", "6"], ["--rating", "-2"], ["--date", "2023-02-29"],
        ["--date", "yesterday"], ["--date", "2024-05-01Z"], ["--date", "2024-05-01T25:00Z"],
        ["--location", "91,0"], ["--location", "0,-180.5"], ["--location", "1"],
        ["--location", "1,2,3,4"], ["--location", "nan,0"], ["--favorite", "perhaps"],
        ["--add-keyword", ""], ["--add-keyword", "a", "--remove-keyword", "a"],
    ])
    func mistakesEndWithTwo(options: [String]) throws {
        let output = try world.run(["set", ids[0]] + options)
        #expect(output.status == 2)
        #expect(output.text == "")
        #expect(output.errorText.contains("Usage: photos set"))
    }

    @Test func textsHaveToBeText() throws {
        let script = "exec \"$0\" set \"$1\" --title \"caf$(printf '\\351')\""
        let output = try ProcessRunner.run(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path, ids[0]],
            environment: world.environment.mapValues { $0 as String? }
        )
        #expect(output.status == 2)
        #expect(output.errorText.contains("The title is not valid UTF-8"))
        #expect(try asset(ids[0]).values["title"] is NSNull)
    }

    @Test func controlCharactersAreKeptAndShownHarmlessly() throws {
        let title = "one\ntwo\u{1B}[31m\u{202E}three"
        _ = try world.objects("set", "--json", ids[0], "--title", title)
        #expect(try asset(ids[0])["title"] == title)
        let sheet = try world.run("show", ids[0]).text
        #expect(sheet.contains("one\\u{a}two\\u{1b}[31m\\u{202e}three"))
        #expect(!sheet.contains("\u{1B}"))
    }
}
