import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ListCommandTests {
    let world: CommandWorld

    init() throws {
        world = try CommandWorld()
        try world.photo(
            "old.jpg",
            seed: 1,
            metadata: SampleMetadata(
                date: SampleDate(text: "2001:02:03 04:05:06", subseconds: "25", offset: "+01:00"),
                location: .init(latitude: 48.5, longitude: -2.25, altitude: 12)
            )
        )
        try world.photo(
            "new.jpg",
            seed: 2,
            metadata: SampleMetadata(
                date: SampleDate(text: "2020:12:31 23:59:59", offset: "+00:00")
            )
        )
        var movie = SampleMovie()
        movie.created = Date(timeIntervalSince1970: 1_300_000_000)
        movie.duration = 2
        try world.folder.write(SampleFile.quickTime(movie), to: "source/movie.mov")
        #expect(try world.run("import", world.source.path).status == 0)
    }

    private func names(_ arguments: String...) throws -> [String?] {
        let output = try world.run(["list", "--json"] + arguments)
        #expect(output.status == 0, "\(output.errorText)")
        return try output.lines.map { try JSONLine($0)["originalFilename"] }
    }

    @Test func oldestComesFirst() throws {
        #expect(try names() == ["old.jpg", "movie.mov", "new.jpg"])
    }

    @Test func theCloudStateIsThatOfACloudLibraryOnly() throws {
        func states() throws -> [String?] {
            let output = try world.run("list", "--json")
            return try output.lines.map { try JSONLine($0)["cloud"] }
        }
        #expect(try states() == [nil, nil, nil])
        try world.sql("INSERT INTO setting (name, value) VALUES ('cloudLibrary', 'A')")
        #expect(try states() == ["here", "here", "here"])
        try world.sql("UPDATE resource SET presence = 1 WHERE originalFilename = 'new.jpg'")
        #expect(try states() == ["here", "here", "away"])
        let line = try #require(try world.run("list", "--json").lines.last)
        let id: String = try #require(try JSONLine(line)["localIdentifier"])
        let shown = try world.run("show", id)
        #expect(shown.text.contains("the original is only in the cloud"), "\(shown.text)")
        let json = try #require(try world.run("show", id, "--json").lines.first)
        #expect(try JSONLine(json)["cloud"] == "away")
    }

    @Test func sortLimitAndPredicate() throws {
        #expect(try names("--sort", "creationDate:desc") == ["new.jpg", "movie.mov", "old.jpg"])
        #expect(
            try names("--sort", "mediaType:desc", "--sort", "creationDate:desc", "--limit", "2")
                == ["movie.mov", "new.jpg"]
        )
        #expect(try names("--predicate", "mediaType = 2") == ["movie.mov"])
        #expect(
            try names("--predicate", "duration < 1 AND isFavorite = NO") == ["old.jpg", "new.jpg"]
        )
    }

    @Test func keysAreThoseOfPHAsset() throws {
        let line = try #require(try world.objects("list", "--json").first)
        #expect(line["mediaType"] == "image")
        #expect(line["creationDate"] == "2001-02-03T03:05:06.25Z")
        #expect(line.number("pixelWidth") == 64)
        #expect(line.number("pixelHeight") == 48)
        #expect(line.number("duration") == 0)
        #expect(line.values["mediaSubtypes"] as? [String] == [])
        #expect(line.values["burstIdentifier"] is NSNull)
        #expect(line["playbackStyle"] == "image")
        #expect(line.values["sourceType"] as? [String] == ["typeUserLibrary"])
        #expect(line.values["isHidden"] as? Bool == false)
        let place = try #require(line.values["location"] as? [String: Any])
        #expect(place["latitude"] as? Double == 48.5)
        #expect(place["longitude"] as? Double == -2.25)
        #expect(place["altitude"] as? Double == 12)
        #expect(!line.text.contains("\\/"))
    }

    @Test func peopleGetColumns() throws {
        let lines = try world.run("list").lines
        #expect(lines.count == 3)
        #expect(
            lines[0].wholeMatch(
                of:
                    /2001-02-03 04:05:06  image        64 x 48            [0-9A-F-]{36}\/L0\/001  old\.jpg/
            ) != nil
        )
        #expect(lines[1].contains("  video      320 x 240      0:02  "))
    }

    @Test("Times are those of the camera's clock, of a movie without one this computer's")
    func timesAreWallTimes() throws {
        let lines = try world.run(["list"], variables: ["TZ": "Asia/Tokyo"]).lines
        #expect(
            lines.map { $0.prefix(19) } == [
                "2001-02-03 04:05:06", "2011-03-13 16:06:40", "2020-12-31 23:59:59",
            ]
        )
    }

    @Test(arguments: [
        ("--predicate", "mediaType ==", "mediaType =="), ("--predicate", "colour = 1", "colour"),
        ("--sort", "colour", "colour"),
    ])
    func whatCannotBeAnsweredIsNamed(option: String, value: String, name: String) throws {
        let output = try world.run("list", option, value)
        #expect(output.status == 2)
        #expect(output.text == "")
        #expect(output.errorText.hasPrefix("photos: "))
        #expect(output.errorText.contains(name))
    }

    @Test func readerMayStopEarly() throws {
        try world.photos((0..<600).map { "many/\($0).jpg" }, padding: 0)
        #expect(try world.run("import", world.source.path).status == 0)
        let list = try world.start("list", "--json")
        list.read(lines: 1)
        list.closeOutput()
        let end = list.wait()
        // Terminated by the signal of a closed pipe, or finished before it mattered.
        #expect(end.status == 128 + SIGPIPE || end.status == 0)
    }
}
