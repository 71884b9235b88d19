import Foundation
import TestSupport
import Testing

/// Movies as browsers play them: unchanged or converted, one at a time.
@Suite(.timeLimit(.minutes(5))) struct MovieTests {
    private let world: GalleryWorld

    init() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        self.world = world
    }

    /// Creates movies with FFmpeg, imports them, and returns their identifiers in order.
    private func movies(
        _ list: [(name: String, options: String)],
        in world: GalleryWorld? = nil
    ) throws -> [String] {
        let world = world ?? self.world
        let folder = world.folder.file("movies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, options) in list {
            let output = try ProcessRunner.run(
                "/usr/bin/ffmpeg",
                ["-v", "error"] + options.split(separator: " ").map(String.init)
                    + ["-y", folder.appendingPathComponent(name).path]
            )
            try #require(output.status == 0, "\(output.errorText)")
        }
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["import", "--json", folder.path],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
        var found: [String: String] = [:]
        for line in output.lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let path = object?["path"] as? String ?? ""
            found[String(path.split(separator: "/").last ?? "")] =
                object?["localIdentifier"] as? String
        }
        return try list.map { item in
            let identifier = try #require(found[item.name], "\(output.text)")
            return String(identifier.prefix { $0 != "/" })
        }
    }

    private func get(_ id: String, range: String? = nil) throws -> RawAnswer {
        try world.ask(
            "GET",
            "/api/assets/\(id)/movie?v=1",
            headers: range.map { ["Range": $0] } ?? [:]
        )
    }

    private func ready(_ id: String) throws -> RawAnswer {
        let answer = try world.value {
            let answer = try get(id)
            return answer.status == 202 ? nil : answer
        }
        return try #require(answer, "the movie is not converted")
    }

    private func probe(_ bytes: Data, _ entries: String) throws -> [String] {
        let file = world.folder.file("probed.mp4")
        try bytes.write(to: file)
        return try ProcessRunner.run(
            "/usr/bin/ffprobe",
            ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", file.path]
        ).lines
    }

    @Test func moviesComeInRangesAndConvertedOnesPlay() throws {
        let source = "-f lavfi -i testsrc=size=320x240:rate=15:duration=2"
        let sound = "-f lavfi -i sine=duration=2"
        let ids = try movies([
            ("plays.mp4", "\(source) \(sound) -c:v libx264 -pix_fmt yuv420p -c:a aac"),
            ("old.mov", "\(source) \(sound) -c:v mpeg4 -c:a pcm_s16le"),
            ("older.avi", "\(source) -c:v mjpeg -pix_fmt yuvj420p"),
        ])
        // Movies that browsers play are sent unchanged, also in ranges.
        let whole = try get(ids[0])
        #expect(whole.status == 200)
        #expect(whole.headers["content-type"] == "video/mp4")
        #expect(whole.headers["accept-ranges"] == "bytes")
        let file = try Data(contentsOf: world.folder.file("movies/plays.mp4"))
        #expect(whole.body == file)
        for (range, wanted) in [
            ("bytes=0-1", 0..<2), ("bytes=100-", 100..<file.count),
            ("bytes=-7", file.count - 7..<file.count), ("bytes=5-999999999", 5..<file.count),
        ] {
            let part = try get(ids[0], range: range)
            #expect(part.status == 206, "\(range)")
            #expect(part.body == file[wanted], "\(range)")
            #expect(
                part.headers["content-range"]
                    == "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(file.count)"
            )
        }
        #expect(try get(ids[0], range: "bytes=\(file.count)-").status == 416)
        #expect(try get(ids[0], range: "lines=1-2").status == 200)

        // Other movies are converted; the client and the listeners are notified.
        let listening = try RawConnection(port: world.port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        listening.send(Data((head + "\(world.proof())\r\n").utf8))
        #expect(listening.read(until: ": welcome"))
        let asked = try get(ids[1])
        #expect(asked.status == 202, "\(asked.text)")
        #expect(asked.object["state"] as? String == "converting")
        let movie = try ready(ids[1])
        #expect(movie.status == 200, "\(movie.text)")
        #expect(listening.read(until: "\"state\":\"ready\""))
        let streams = try probe(movie.body, "stream=codec_name,width,height")
        #expect(streams == ["h264,320,240", "aac"])
        let duration = try #require(
            try probe(movie.body, "format=duration").first.flatMap(Double.init)
        )
        #expect(abs(duration - 2) < 0.25)
        // Its index comes first, so that it plays before the download is complete.
        let index = try #require(movie.body.firstRange(of: Data("moov".utf8)))
        let media = try #require(movie.body.firstRange(of: Data("mdat".utf8)))
        #expect(index.lowerBound < media.lowerBound)
        let part = try get(ids[1], range: "bytes=10-19")
        #expect(part.status == 206)
        #expect(part.body == movie.body[10..<20])
        #expect(try probe(ready(ids[2]).body, "stream=codec_name") == ["h264"])
        // The original remains unchanged.
        let stored = try world.ask("GET", "/api/assets/\(ids[1])/resources/0")
        #expect(stored.body == (try Data(contentsOf: world.folder.file("movies/old.mov"))))
    }

    @Test func oneMovieIsConvertedAtATimeAndOnlyWhileItIsWanted() throws {
        let long = "-f lavfi -i testsrc2=size=960x540:rate=25:duration=40 -c:v mpeg4 -q:v 5"
        let short = "-f lavfi -i testsrc=size=160x120:rate=10:duration=1 -c:v mpeg4"
        let ids = try movies([
            ("long.mov", long), ("next.mov", short), ("last.mov", short + " -vf hflip"),
        ])
        let listening = try RawConnection(port: world.port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        listening.send(Data((head + "\(world.proof())\r\n").utf8))
        #expect(listening.read(until: ": welcome"))
        for id in ids { #expect(try get(id).status == 202) }
        // The first is being converted, and the others wait.
        #expect(listening.read(until: "\"id\":\"\(ids[0])\",\"state\":\"converting\""))
        #expect(try get(ids[1]).object["progress"] as? Double == 0)
        // No client needs the first and the last any more.
        func leave(_ id: String) throws {
            #expect(try world.change("DELETE", "/api/assets/\(id)/movie", "").status == 200)
        }
        try leave(ids[2])
        #expect(listening.read(until: "\"id\":\"\(ids[2])\",\"state\":\"cancelled\""))
        try leave(ids[0])
        #expect(listening.read(until: "\"id\":\"\(ids[0])\",\"state\":\"cancelled\""))
        #expect(listening.read(until: "\"id\":\"\(ids[1])\",\"state\":\"ready\""))
        #expect(try get(ids[1]).status == 200)
        // Abandoned conversions left nothing behind.
        let cache = world.folder.file("cache").path
        let kept = FileManager.default.enumerator(atPath: cache)?.compactMap { $0 as? String } ?? []
        #expect(kept.count { $0.contains(".mp4") } == 1, "\(kept)")
        // The gallery's end stops the current conversion.
        #expect(try get(ids[0]).status == 202)
        #expect(world.interrupt() == 0)
    }

    @Test func convertedCopiesOfPurgedMoviesAreRemoved() throws {
        let short = "-f lavfi -i testsrc=size=160x120:rate=10:duration=1 -c:v mpeg4"
        let ids = try movies([("gone.mov", short), ("kept.mov", short + " -vf hflip")])
        let cache = world.folder.file("cache").path
        func copies() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: cache)
                .filter { $0.hasSuffix(".mp4") }
        }
        func photos(_ arguments: String...) throws {
            let output = try ProcessRunner.run(
                BuiltProducts.photos.path,
                arguments,
                environment: world.environment
            )
            try #require(output.status == 0, "\(output.errorText)")
        }
        #expect(try ready(ids[0]).status == 200)
        let gone = try #require(try copies().first)
        #expect(try ready(ids[1]).status == 200)
        #expect(try copies().count == 2)
        // In Recently Deleted, a movie can still be played.
        try photos("delete", ids[0], "--yes")
        try photos("purge", ids[0], "--yes")
        let left = try world.value {
            let left = try copies()
            return left.contains(gone) ? nil : left
        }
        #expect(left?.count == 1)
        // The other one is played without another conversion.
        #expect(try get(ids[1]).status == 200)
    }

    @Test func theStartRemovesUnknownCopiesOfItsLibraryOnly() throws {
        let folder = try TemporaryFolder("photos-movie-cache")
        let template = try GalleryTemplate.of(1)
        let record = try String(
            contentsOf: template.file("A.photolibrary/database/changed"),
            encoding: .utf8
        )
        let own = try #require(record.split(whereSeparator: \.isWhitespace).first)
        let name = String(repeating: "0a", count: 32) + ".mp4"
        let movies = "swift-photos/gallery/movies"
        func write(_ place: String) throws -> String {
            let file = folder.file("\(movies)/\(place)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("copy".utf8).write(to: file)
            return file.path
        }
        // Versions without folders for libraries left the last one.
        let unknown = try write("\(own)/\(name)")
        let other = try write("\(UUID().uuidString)/\(name)")
        let former = try write(name)
        let world = try GalleryWorld(photos: 1, environment: ["XDG_CACHE_HOME": folder.path])
        try world.enter()
        let files = FileManager.default
        let isSwept = try world.value { files.fileExists(atPath: unknown) ? nil : true }
        #expect(isSwept == true)
        #expect(!files.fileExists(atPath: former))
        #expect(files.fileExists(atPath: other))
    }

    @Test func withoutACacheFolderOnlyConversionsAreRefused() throws {
        let world = try GalleryWorld(photos: 1, environment: ["XDG_CACHE_HOME": "/dev/null"])
        try world.enter()
        let source = "-f lavfi -i testsrc=size=160x120:rate=10:duration=1"
        let ids = try movies(
            [
                ("plays.mp4", "\(source) -c:v libx264 -pix_fmt yuv420p"),
                ("old.mov", "\(source) -c:v mpeg4"),
            ],
            in: world
        )
        #expect(try world.ask("GET", "/api/assets/\(ids[0])/movie?v=1").status == 200)
        for _ in 0..<2 {
            let refused = try world.ask("GET", "/api/assets/\(ids[1])/movie?v=1")
            #expect(refused.code == "failed", "\(refused.text)")
            #expect(refused.text.contains("XDG_CACHE_HOME"), "\(refused.text)")
        }
        let output = world.interruptAndListen()
        #expect(output.status == 0)
        let warning = "Movies cannot be converted for browsers."
        #expect(output.errorText.components(separatedBy: warning).count == 2)
    }
}
