import Foundation
import TestSupport
import Testing

/// The gallery's responses for undecodable pictures.
@Suite(.timeLimit(.minutes(2))) struct UnreadablePictureTests {
    /// A PNG of 1200 × 800 pixels without a valid deflate stream.
    private static let file = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAABLAAAAMgCAIAAAC8ggxVAA"
            + "AACklEQVRubyBkZWZsYXRl6p9z6QAAAABJRU5ErkJggg=="
    )

    @Test func theReasonIsSaidAndRemembered() throws {
        let world = try GalleryWorld(photos: 4)
        try world.add(file: "broken.png", try #require(Self.file))
        try world.enter()
        let assets = try world.assets()
        let broken = try #require(assets.first { $0["filename"] as? String == "broken.png" })
        let id = try #require(broken["id"] as? String)
        for size in [0, 192, 1_024] {
            let answer = try world.ask("GET", "/api/assets/\(id)/picture?size=\(size)")
            #expect(answer.status == 415, "\(answer.text)")
            #expect(answer.code == "unreadable")
            let error = try #require(answer.object["error"] as? [String: Any])
            #expect((error["message"] as? String)?.contains("broken.png") == true, "\(answer.text)")
            #expect((error["reason"] as? String)?.isEmpty == false, "\(answer.text)")
            #expect((error["recovery"] as? String)?.contains("download") == true, "\(answer.text)")
        }
        // Its bytes are now another picture, which is no longer requested.
        let info = try world.ask("GET", "/api/assets/\(id)")
        let resources = try #require(info.object["resources"] as? [[String: Any]])
        let path = try #require(resources.first?["path"] as? String)
        let library = world.folder.file("A.photolibrary")
        let stored = path.hasPrefix("/") ? URL(filePath: path) : library.appending(path: path)
        let samples = world.folder.file("samples")
        let names = try FileManager.default.subpathsOfDirectory(atPath: samples.path)
        let jpeg = try #require(names.first { $0.hasSuffix(".JPG") || $0.hasSuffix(".jpg") })
        try FileManager.default.removeItem(at: stored)
        try FileManager.default.copyItem(at: samples.appending(path: jpeg), to: stored)
        for quality in ["sharp", "fast"] {
            let way = "/api/assets/\(id)/picture?size=192&quality=\(quality)"
            #expect(try world.ask("GET", way).code == "unreadable", "\(quality)")
        }
        // The file is available, and the other pictures are unchanged.
        #expect(try world.ask("GET", "/api/assets/\(id)/resources/0").status == 200)
        let other = try #require(
            assets.first { $0["type"] as? String == "image" && $0["id"] as? String != id }
        )
        let whole = try #require(other["id"] as? String)
        #expect(try world.ask("GET", "/api/assets/\(whole)/picture?size=192").status == 200)
    }

    @Test func aFileThatIsOnlyInTheCloudIsAway() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let id = try #require(try world.assets().first?["id"] as? String)
        let library = world.folder.file("A.photolibrary")
        let database = library.appending(path: "database/library.sqlite").path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", database, "UPDATE resource SET presence = 1"]
        )
        #expect(output.status == 0, "\(output.errorText)")
        let originals = library.appending(path: "originals")
        for name in try FileManager.default.subpathsOfDirectory(atPath: originals.path)
        where name.contains(".") {
            try FileManager.default.removeItem(at: originals.appending(path: name))
        }
        let answer = try world.ask("GET", "/api/assets/\(id)/picture?size=0")
        #expect(answer.status == 502, "\(answer.text)")
        #expect(answer.code == "away")
        let error = try #require(answer.object["error"] as? [String: Any])
        // Nobody downloads files for this server.
        #expect((error["recovery"] as? String)?.contains("photolibraryd") == true, "\(error)")
    }

    @Test func listsSayWhichPhotosAreOnlyInTheCloud() throws {
        func states(_ sql: String) throws -> [String?] {
            let world = try GalleryWorld(photos: 2)
            let database = world.folder.file("A.photolibrary")
                .appending(path: "database/library.sqlite").path
            let output = try ProcessRunner.run(
                "sqlite3",
                ["-cmd", ".timeout 20000", database, sql]
            )
            #expect(output.status == 0, "\(output.errorText)")
            try world.enter()
            return try world.assets().map { $0["cloud"] as? String }
        }
        #expect(try states("UPDATE resource SET presence = 0").allSatisfy { $0 == nil })
        let join = "INSERT INTO setting (name, value) VALUES ('cloudLibrary', 'A');"
        let away = "UPDATE resource SET presence = 2 WHERE assetId = (SELECT min(id) FROM asset)"
        let joined = try states(join + away)
        #expect(joined.count { $0 == "away" } == 1)
        #expect(joined.count { $0 == "here" } == joined.count - 1)
    }

    @Test func aFileThatIsGoneIsNotFound() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let id = try #require(try world.assets().first?["id"] as? String)
        let originals = world.folder.file("A.photolibrary").appending(path: "originals")
        for name in try FileManager.default.subpathsOfDirectory(atPath: originals.path)
        where name.contains(".") {
            try FileManager.default.removeItem(at: originals.appending(path: name))
        }
        let answer = try world.ask("GET", "/api/assets/\(id)/picture?size=0")
        #expect(answer.status == 404, "\(answer.text)")
    }
}
