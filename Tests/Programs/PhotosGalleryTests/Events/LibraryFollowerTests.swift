import Foundation
import SamplePhotos
import TestSupport
import Testing

/// The events that a browser receives for other programs' changes while the gallery was paused.
@Suite(.timeLimit(.minutes(2))) struct LibraryFollowerTests {
    let world: GalleryWorld
    let listening: RawConnection

    init() throws {
        world = try GalleryWorld(photos: 2)
        try world.enter()
        listening = try RawConnection(port: world.port)
        let head =
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
            + "\(world.proof())\r\n"
        listening.send(Data(head.utf8))
        #expect(listening.read(until: ": welcome"))
    }

    @Test func manyChangesAreAllReported() throws {
        try photos("album", "create", "Sea")
        // The event of this change arrives before the pause.
        #expect(listening.read(until: "event: collections"))
        world.pause()
        let version = try #require(
            Int(query("SELECT max(version) FROM journalVersion").trimmingCharacters(in: .newlines))
        )
        let changes = try ProcessRunner.run(
            BuiltProducts.folder.appendingPathComponent("change-hammer").path,
            ["changes", library, "hammer", "70", "\(version + 70)", "1"],
            environment: world.environment.mapValues { $0 as String? }
        )
        try #require(changes.status == 0, "\(changes.errorText)")
        let file = world.folder.file("late.jpg")
        try SampleFile.jpeg(SamplePhoto(Picture(.hills, seed: 99))).write(to: file)
        let line = try photos("import", "--json", file.path)
        let id = try #require(line.split(separator: "localIdentifier\":\"").last?.prefix(36))
        world.resume()
        let heard = listening.text(until: "event: collections", times: 1)
        #expect(heard.contains(id), "\(heard)")
    }

    @Test func streamsBeginWithTheLastChange() throws {
        func beginning() throws -> String {
            let stream = try RawConnection(port: world.port)
            stream.send(
                Data(
                    ("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
                        + "\(world.proof())\r\n").utf8
                )
            )
            return stream.text(until: "\"version\":", times: 1)
        }
        func version() throws -> Int {
            let text = try query("SELECT max(version) FROM journalVersion")
            return try #require(Int(text.trimmingCharacters(in: .newlines)))
        }
        let before = try version()
        #expect(try beginning().contains("event: begin\ndata: {\"version\":\(before)}"))
        try photos("album", "create", "Sea")
        let heard = listening.text(until: "event: collections", times: 1)
        let after = try version()
        #expect(after == before + 1)
        let announced = "data: {\"version\":\(after)}"
        #expect(heard.contains("event: collections\n" + announced), "\(heard)")
        #expect(try beginning().contains("event: begin\n" + announced))
        let sidebar = try world.ask("GET", "/api/collections").object
        #expect(sidebar["version"] as? Int == after)
    }

    @Test func expiredHistoryIsReportedOnce() throws {
        world.pause()
        try photos("album", "create", "Sea")
        try query(
            """
            INSERT OR REPLACE INTO setting
            SELECT 'historyStart', max(version) FROM journalVersion;
            """
        )
        world.resume()
        let heard = listening.text(until: "event: collections", times: 1)
        #expect(heard.contains("{\"ids\":null}"), "\(heard)")
        // From here on the individual changes are known again.
        let id = try query("SELECT uuid FROM asset LIMIT 1").trimmingCharacters(in: .newlines)
        try photos("set", "\(id)/L0/001", "--favorite", "true")
        let next = listening.text(until: "event: collections", times: 1)
        #expect(next.contains("{\"ids\":[\"\(id)\"]}"), "\(next)")
    }

    private var library: String { world.folder.file("A.photolibrary").path }

    @discardableResult
    private func photos(_ arguments: String...) throws -> String {
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            arguments,
            environment: world.environment.mapValues { $0 as String? }
        )
        try #require(output.status == 0, "\(output.errorText)")
        return output.text
    }

    @discardableResult
    private func query(_ sql: String) throws -> String {
        let database = library + "/database/library.sqlite"
        let output = try ProcessRunner.run("sqlite3", ["-cmd", ".timeout 20000", database, sql])
        try #require(output.status == 0, "\(output.errorText)")
        return output.text
    }
}
