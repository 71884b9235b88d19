import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Libraries of an earlier version, whose reader returned other values.
@Suite(.timeLimit(.minutes(3))) struct RefreshCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        let day = "2020:01:01 12:00:0"
        for (index, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
            var metadata = SampleMetadata(
                date: SampleDate(text: "\(day)\(index)", offset: "+00:00"),
                make: "Seagull"
            )
            metadata.title = "Camera"
            try world.photo(name, seed: UInt64(index), metadata: metadata)
        }
        let lines = try world.objects("import", "--json", world.source.path)
        ids = ["a.jpg", "b.jpg", "c.jpg"].compactMap { name in
            lines.first { $0.name == name }?["localIdentifier"]
        }
    }

    private func sql(_ statements: String) throws {
        let database = world.library.appendingPathComponent("database/library.sqlite").path
        let output = try ProcessRunner.run("sqlite3", [database, statements])
        #expect(output.status == 0, "\(output.errorText)")
    }

    /// Converts the library to an earlier version: its tables, and wrong places and titles, also in
    /// the journal.
    private func makeEarlier() throws {
        try sql(
            """
            UPDATE asset SET latitude = 0.0, longitude = 0.0, title = 'Wrong'
            WHERE modificationDate = addedDate;
            UPDATE asset SET latitude = 0.0, longitude = 0.0 WHERE modificationDate <> addedDate;
            UPDATE journalEntry SET newValues =
                json_set(newValues, '$.latitude', 0.0, '$.longitude', 0.0)
            WHERE kind = 1 AND change = 1;
            UPDATE journalEntry SET newValues = json_set(newValues, '$.title', 'Wrong')
            WHERE kind = 1 AND change = 1 AND objectId IN (SELECT id FROM asset WHERE title = 'Wrong');
            DROP INDEX asset_readerVersion;
            ALTER TABLE asset DROP COLUMN readerVersion;
            ALTER TABLE asset DROP COLUMN personFacts;
            DELETE FROM grdb_migrations WHERE identifier LIKE '7:%';
            DELETE FROM setting WHERE name = 'momentRule';
            """
        )
    }

    private func show(_ id: String) throws -> JSONLine {
        try #require(try world.objects("show", "--json", id).first)
    }

    @Test func statusCountsAssetsOfEarlierReaders() throws {
        func count() throws -> Double? {
            try world.objects("status", "--json").first?.number("assetsOfEarlierReaders")
        }
        #expect(try count() == 0)
        try makeEarlier()
        #expect(try count() == 3)
        let text = try world.run("status").text
        #expect(text.contains("3 assets read by an earlier version; run photos refresh --all"))
        #expect(try world.run("refresh", "--all").status == 0)
        #expect(try count() == 0)
        #expect(try !world.run("status").text.contains("photos refresh"))
    }

    @Test func earlierLibrariesAreBroughtUpToDate() throws {
        #expect(try world.run("set", ids[1], "--title", "Mine").status == 0)
        try makeEarlier()

        let planned = try world.objects("refresh", "--all", "--dry-run", "--json")
        #expect(planned.compactMap { $0["localIdentifier"] } == ids)
        #expect(planned.map { $0["outcome"] } == ["refreshed", "refreshed", "refreshed"])
        #expect(try show(ids[0])["title"] == "Wrong")

        let lines = try world.objects("refresh", "--all", "--json")
        #expect(lines.map(\.text) == planned.map(\.text))
        let first = try #require(lines.first)
        #expect(
            first.text.hasSuffix(
                #""reason":null,"changes":[{"property":"location","old":{"latitude":0,"longitude":0,"#
                    + #""altitude":null},"new":null},{"property":"title","old":"Wrong","new":"Camera"}]}"#
            ),
            "\(first.text)"
        )
        #expect(try ids.map { try show($0)["title"] } == ["Camera", "Mine", "Camera"])
        #expect(try show(ids[1]).values["location"] is NSNull)
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
        // It is one change, and nothing is left to do.
        let history = try world.objects("history", "--json", "--limit", "1")
        #expect(Set(history.map { $0["author"] }) == ["refresh"])
        #expect(history.count == 3)
        let again = try world.run("refresh", "--all")
        #expect(again.text == "")
        #expect(again.errorText.hasPrefix("Nothing to refresh"))
        // A named asset is read again.
        #expect(
            try world.objects("refresh", "--json", ids[0]).map { $0["outcome"] } == ["unchanged"]
        )

        #expect(try world.run("undo").status == 0)
        #expect(try ids.map { try show($0)["title"] } == ["Wrong", "Mine", "Wrong"])
        #expect(try world.run("redo").status == 0)
        #expect(try ids.map { try show($0)["title"] } == ["Camera", "Mine", "Camera"])
        #expect(try world.run("verify").status == 0)
    }

    @Test func missingOriginalsDoNotStopTheOthers() throws {
        try makeEarlier()
        let resources = try #require(try show(ids[1]).values["resources"] as? [[String: Any]])
        let path = try #require(resources.first?["path"] as? String)
        try FileManager.default.removeItem(at: world.library.appendingPathComponent(path))
        let output = try world.run("refresh", "--all")
        #expect(output.status == 1)
        let lines = output.text.split(separator: "\n")
        #expect(lines.map { $0.prefix(9) } == ["refreshed", "missing  ", "refreshed"])
        #expect(lines.first?.contains("title: Wrong → Camera") == true)
        #expect(lines.dropFirst().first?.contains("b.jpg is missing") == true)
        #expect(output.errorText.hasPrefix("2 refreshed, 1 missing."))
        let json = try world.objects("refresh", "--all", "--json", status: 1)
        #expect(json.map { $0["outcome"] } == ["missing"])
    }

    /// A picture that was stored as a sidecar, read by the real worker.
    @Test func wrongPairsAreSplit() throws {
        try sql(
            """
            UPDATE resource SET assetId = (SELECT assetId FROM resource
                WHERE originalFilename = 'a.jpg'), type = 1001, contentType = 'com.adobe.xmp'
            WHERE originalFilename = 'b.jpg';
            DELETE FROM asset WHERE originalFilename = 'b.jpg';
            """
        )
        let lines = try world.objects("refresh", "--json", ids[0])
        #expect(lines.map { $0["outcome"] } == ["refreshed"])
        #expect(
            lines.first?["reason"] == "b.jpg was attached as a sidecar, but is an asset of its own."
        )
        #expect(Set(try world.names()) == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(try show(ids[0]).text.contains("b.jpg") == false)
    }

    @Test(arguments: [["refresh"], ["refresh", "--all", "x"], ["refresh", "--dry-run"]])
    func whatToRefreshHasToBeSaid(arguments: [String]) throws {
        let output = try world.run(arguments)
        #expect(output.status == 2)
        #expect(output.text == "")
    }

    @Test func unknownIdentifiersFail() throws {
        let id = "5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11"
        #expect(try world.run("refresh", id).status == 1)
        let lines = try world.objects("refresh", "--json", id, status: 1)
        #expect(lines.map { $0["outcome"] } == ["failed"])
    }
}
