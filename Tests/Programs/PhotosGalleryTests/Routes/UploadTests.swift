import Foundation
import TestSupport
import Testing

/// Uploads: limits, and interrupted connections.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    private static func begin(_ world: GalleryWorld) throws -> String {
        let begun = try world.change("POST", "/api/imports", "{}")
        return try #require(begun.object["session"] as? String, "\(begun.text)")
    }

    private static func put(_ world: GalleryWorld, _ path: String, _ bytes: Data) throws
        -> RawAnswer
    {
        try world.ask(
            "PUT",
            path,
            headers: ["Origin": "http://127.0.0.1:\(world.port)", "X-Photos-Gallery": "1"],
            body: bytes
        )
    }

    /// Returns the head of a request that sends so many bytes of the first file of an import.
    private static func head(_ world: GalleryWorld, _ name: String, length: Int) -> Data {
        let head = """
            PUT /api/imports/\(name)/files/0?offset=0 HTTP/1.1\r
            Host: 127.0.0.1:\(world.port)\r
            Cookie: \(world.cookie)\r
            X-Photos-Secret: \(world.page(of: world.cookie)?.secret ?? "")\r
            Origin: http://127.0.0.1:\(world.port)\r
            X-Photos-Gallery: 1\r
            Content-Length: \(length)\r
            \r

            """
        return Data(head.utf8)
    }

    /// Returns a photo that the library lacks: a sample with a comment after the first marker.
    private static func photo(_ world: GalleryWorld) throws -> Data {
        let samples = world.folder.file("samples")
        let names = try #require(FileManager.default.enumerator(atPath: samples.path))
        let name = names.compactMap { $0 as? String }.sorted()
            .first { $0.lowercased().hasSuffix(".jpg") }
        var bytes = try Data(contentsOf: samples.appendingPathComponent(try #require(name)))
        bytes.insert(contentsOf: [0xFF, 0xFE, 0x00, 0x04, 0x63, 0x64], at: 2)
        return bytes
    }

    /// Returns the folder in which the server stores an uploaded file.
    private static func spool(of name: String, in world: GalleryWorld) -> URL? {
        let folder = world.folder.file("tmp")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let file = files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name }
        return file?.deletingLastPathComponent()
    }

    private static func size(of name: String, in folder: URL) -> Int? {
        let path = folder.appendingPathComponent(name).path
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    private static func sha256(_ bytes: Data, in folder: URL) throws -> String {
        let file = folder.appendingPathComponent(UUID().uuidString)
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try ProcessRunner.run("/usr/bin/sha256sum", [file.path])
        return String(output.text.prefix(64))
    }

    @Test func anUploadThatWasCutGoesOnWhereItWas() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let bytes = try Self.photo(world)
        let name = try Self.begin(world)
        let announcement = "{\"path\":\"trip/cut.jpg\",\"size\":\(bytes.count),\"modified\":1e12}"
        func announce() throws -> Int {
            let answer = try world.change("POST", "/api/imports/\(name)/files", announcement)
            return try #require(answer.object["offset"] as? Int, "\(answer.text)")
        }
        #expect(try announce() == 0)
        // A file that never arrives is reported as failed.
        let other = "{\"path\":\"never.jpg\",\"size\":10}"
        #expect(
            try world.change("POST", "/api/imports/\(name)/files", other).object["file"] as? Int
                == 1
        )

        // The whole file is announced, a third is sent, and the connection is lost.
        let third = bytes.count / 3
        do {
            let connection = try RawConnection(port: world.port)
            connection.send(Self.head(world, name, length: bytes.count) + bytes.prefix(third))
        }
        // The received part is kept, and data at another offset are rejected.
        let spool = try #require(Self.spool(of: "cut.jpg", in: world))
        #expect(FileEvents.wait(in: spool) { Self.size(of: "cut.jpg", in: spool) == third })
        // The server records the offset right after it closed the file.
        let deadline = ContinuousClock.now + .seconds(60)
        var offset = try announce()
        while offset < third, ContinuousClock.now < deadline { offset = try announce() }
        #expect(offset == third)
        let place = "/api/imports/\(name)/files/0?offset="
        let wrong = try Self.put(world, place + "\(third + 1)", bytes.dropFirst(third + 1))
        #expect(wrong.code == "refused")
        #expect((wrong.object["error"] as? [String: Any])?["offset"] as? Int == third)
        let rest = try Self.put(world, place + "\(third)", bytes.dropFirst(third))
        #expect(rest.object["done"] as? Bool == true, "\(rest.text)")

        #expect(try world.change("POST", "/api/imports/\(name)/finish", "{}").status == 202)
        #expect(try world.change("POST", "/api/imports/\(name)/finish", "{}").code == "refused")
        #expect(try Self.put(world, place + "\(bytes.count)", Data([1])).code == "refused")
        let state = try world.importEnd(name)
        let files = try #require(state.object["files"] as? [[String: Any]])
        #expect(files.map { $0["outcome"] as? String } == ["imported", "failed"], "\(state.text)")
        #expect((files.last?["reason"] as? String)?.isEmpty == false)
        // The library contains exactly the sent bytes.
        let id = try #require(files.first?["id"] as? String)
        let stored = try world.ask("GET", "/api/assets/\(id)/resources/0")
        let wanted = try Self.sha256(bytes, in: world.folder.url)
        #expect(try Self.sha256(stored.body, in: world.folder.url) == wanted)
        let info = try world.ask("GET", "/api/assets/\(id)")
        let resources = try #require(info.object["resources"] as? [[String: Any]])
        #expect(resources.first?["sha256"] as? String == wanted)
        #expect(try Self.leftovers(world).isEmpty)
    }

    @Test func anUploadIsResumedBeforeItsBrokenConnectionIsNoticed() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let bytes = try Self.photo(world)
        let name = try Self.begin(world)
        let files = "/api/imports/\(name)/files"
        let announcement = "{\"path\":\"trip/stuck.jpg\",\"size\":\(bytes.count)}"
        #expect(try world.change("POST", files, announcement).status == 200)
        // A third arrives over a connection that stays open.
        let third = bytes.count / 3
        let stuck = try RawConnection(port: world.port)
        stuck.send(Self.head(world, name, length: bytes.count) + bytes.prefix(third))
        let spool = try #require(Self.spool(of: "stuck.jpg", in: world))
        #expect(FileEvents.wait(in: spool) { Self.size(of: "stuck.jpg", in: spool) == third })
        let sent = try Self.put(world, files + "/0?offset=0", bytes)
        #expect(sent.object["done"] as? Bool == true, "\(sent.text)")
        // What arrives over the former connection afterward is not written.
        stuck.send(bytes.dropFirst(third))
        #expect(stuck.read(until: "\"refused\""))
        #expect(try world.change("POST", "/api/imports/\(name)/finish", "{}").status == 202)
        let state = try world.importEnd(name)
        let imported = try #require(state.object["files"] as? [[String: Any]])
        #expect(imported.map { $0["outcome"] as? String } == ["imported"], "\(state.text)")
        let id = try #require(imported.first?["id"] as? String)
        #expect(try world.ask("GET", "/api/assets/\(id)/resources/0").body == bytes)
    }

    /// Returns uploaded files that still exist.
    private static func leftovers(_ world: GalleryWorld) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: world.folder.file("tmp").path)
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".jpg") }
    }

    @Test func importsAreLimitedInSizeNumberAndName() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        var names: [String] = []
        for _ in 0..<8 { names.append(try Self.begin(world)) }
        #expect(try world.change("POST", "/api/imports", "{}").code == "tooMany")
        let files = "/api/imports/\(names[0])/files"
        func announce(_ path: String, _ size: String = "1") throws -> RawAnswer {
            let text = try String(
                decoding: JSONSerialization.data(withJSONObject: [path]),
                as: UTF8.self
            ).dropFirst().dropLast()
            return try world.change("POST", files, "{\"path\":\(text),\"size\":\(size)}")
        }
        for path in ["", ".", "../..", "/", "\\..\\", String(repeating: "a/", count: 40) + "b"] {
            #expect(try announce(path).code == "badRequest", "\(path)")
        }
        #expect(try announce("a.jpg", "-1").code == "tooLarge")
        #expect(try announce("a.jpg", "\(Int64.max)").code == "tooLarge")
        #expect(try announce("a.jpg", "1.5").code == "badRequest")
        #expect(try announce("a.jpg", "null").code == "badRequest")
        // Names that lead elsewhere, or that no file system accepts, stay inside of the import's
        // folder.
        for path in ["/etc/passwd", "..\\..\\b.jpg", "C:\\c.jpg", "d\0.jpg", "e\n.jpg"] {
            #expect(try announce(path).status == 200, "\(path)")
        }
        #expect(try announce(String(repeating: "é", count: 2_000) + ".jpg").status == 200)
        let state = try world.ask("GET", "/api/imports/\(names[0])")
        let paths = (state.object["files"] as? [[String: Any]] ?? []).compactMap {
            $0["path"] as? String
        }
        #expect(paths.prefix(5) == ["etc/passwd", "b.jpg", "C:/c.jpg", "d_.jpg", "e_.jpg"])
        #expect(paths.last?.utf8.count ?? 999 <= 200)
        let inside = try FileManager.default.contentsOfDirectory(
            atPath: world.folder.file("tmp").path
        )
        #expect(inside.count == 1)

        for path in ["/api/imports/none", "/api/imports/\(names[0])x"] {
            #expect(try world.ask("GET", path).code == "notFound")
        }
        #expect(try Self.put(world, files + "/99?offset=0", Data([1])).code == "notFound")
        #expect(try Self.put(world, files + "/-1?offset=0", Data([1])).code == "notFound")
        #expect(try Self.put(world, files + "/0?offset=-1", Data([1])).code == "badRequest")
        #expect(try Self.put(world, files + "/0", Data([1])).code == "badRequest")
        // A stopped import makes room for another, and accepts no more data.
        #expect(try world.change("DELETE", "/api/imports/\(names[0])", "").status == 200)
        #expect(try Self.put(world, files + "/0?offset=0", Data([1])).code == "refused")
        #expect(try announce("late.jpg").code == "refused")
        _ = try Self.begin(world)
        #expect(try Self.leftovers(world).isEmpty)
        #expect(world.interrupt() == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: world.folder.file("tmp").path
            ).isEmpty
        )
    }
}
