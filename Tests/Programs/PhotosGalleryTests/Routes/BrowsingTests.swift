import Foundation
import TestSupport
import Testing

/// The gallery's responses to raw requests over sockets.
@Suite(.timeLimit(.minutes(2))) struct BrowsingTests {
    private static func assets(_ world: GalleryWorld, _ query: String = "") throws -> (
        snapshot: String, assets: [[String: Any]], timeline: [String: Any]
    ) {
        let timeline = try world.ask("GET", "/api/timeline?" + query)
        let snapshot = try #require(timeline.object["snapshot"] as? String, "\(timeline.text)")
        let page = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=500")
        let assets = try #require(page.object["assets"] as? [[String: Any]], "\(page.text)")
        return (snapshot, assets, timeline.object)
    }

    @Test func listsPicturesAndFilesAreServed() throws {
        let world = try GalleryWorld(photos: 12)
        try world.enter()
        let (snapshot, assets, timeline) = try Self.assets(world)
        #expect(timeline["count"] as? Int == assets.count)
        let days = try #require(timeline["days"] as? [[Any]])
        #expect(days.compactMap { $0.last as? Int }.reduce(0, +) == assets.count)
        let names = days.compactMap { $0.first as? String }
        #expect(Set(names).count == names.count)
        let walls = assets.compactMap { $0["wallTime"] as? String }
        #expect(!walls.isEmpty)
        for asset in assets {
            guard let wall = asset["wallTime"] as? String else { continue }
            #expect(wall.prefix(10) == asset["day"] as? String ?? "")
        }
        let first = try #require(assets.first)
        let id = try #require(first["id"] as? String)
        let begun = try world.ask("GET", "/api/timeline?source=library&first=5")
        let firstAssets = try #require(begun.object["assets"] as? [[String: Any]])
        #expect(
            firstAssets.map { $0["id"] as? String } == assets.prefix(5).map { $0["id"] as? String }
        )
        #expect(try world.ask("GET", "/api/timeline?first=501").status == 400)

        let index = try world.ask("GET", "/api/assets/index?snapshot=\(snapshot)&id=\(id)")
        #expect(index.object["index"] as? Int == 0)
        let version = try #require(first["version"] as? Int)
        let picture = try world.ask("GET", "/api/assets/\(id)/picture?size=64&v=\(version)")
        #expect(picture.status == 200)
        #expect(picture.headers["content-type"] == "image/jpeg")
        // A browser revalidates each time, since the photo may be hidden by then.
        #expect(picture.headers["cache-control"] == "private, no-cache")
        let shown = try #require(picture.jpegSize)
        let width = try #require(first["width"] as? Int)
        let height = try #require(first["height"] as? Int)
        // The whole picture without borders, whatever its aspect; a square is cropped.
        let apart = abs(shown.width * height - shown.height * width)
        #expect(apart <= max(width, height), "\(shown)")
        let square = try world.ask("GET", "/api/assets/\(id)/picture?size=64&fit=fill")
        #expect(square.jpegSize?.width == 64)
        #expect(square.jpegSize?.height == 64)
        let tag = try #require(picture.headers["etag"])
        let again = try world.ask(
            "GET",
            "/api/assets/\(id)/picture?size=64&v=\(version)",
            headers: ["If-None-Match": tag]
        )
        #expect(again.status == 304)

        // The file is byte for byte the imported one, and so is a range of it.
        let info = try world.ask("GET", "/api/assets/\(id)")
        let resources = try #require(info.object["resources"] as? [[String: Any]])
        let size = try #require(resources.first?["fileSize"] as? Int)
        let whole = try world.ask("GET", "/api/assets/\(id)/resources/0")
        #expect(whole.body.count == size)
        #expect(whole.headers["content-disposition"]?.hasPrefix("attachment") == true)
        let part = try world.ask(
            "GET",
            "/api/assets/\(id)/resources/0",
            headers: ["Range": "bytes=2-5"]
        )
        #expect(part.status == 206)
        #expect(part.headers["content-range"] == "bytes 2-5/\(size)")
        #expect(part.body == whole.body[whole.body.startIndex + 2..<whole.body.startIndex + 6])
        // A browser that has the beginning of another version receives the whole file.
        let fileTag = try #require(whole.headers["etag"])
        for (tag, status) in [
            (fileTag, 206), ("\"other\"", 200), ("W/" + fileTag, 200),
            ("Sun, 01 Mar 2026 12:00:00 GMT", 200),
        ] {
            let answer = try world.ask(
                "GET",
                "/api/assets/\(id)/resources/0",
                headers: ["Range": "bytes=2-5", "If-Range": tag]
            )
            #expect(answer.status == status, "\(tag)")
            #expect(answer.body.count == (status == 206 ? 4 : size), "\(tag)")
        }
        let beyond = try world.ask(
            "GET",
            "/api/assets/\(id)/resources/0",
            headers: ["Range": "bytes=\(size)-"]
        )
        #expect(beyond.status == 416)
        for route in [
            "/api/collections", "/api/moments", "/api/duplicates", "/api/check",
            "/api/renditions", "/api/storage", "/api/access", "/api/search?text=video+2024",
            "/api/search/facets", "/api/imports", "/api/folders?path=/tmp",
        ] {
            let answer = try world.ask("GET", route)
            #expect(answer.status == 200, "\(route): \(answer.text)")
            #expect(!answer.object.isEmpty, "\(route): \(answer.text)")
        }
        let bad = try world.ask("GET", "/api/timeline?predicate=nonsense+%3D%3D")
        #expect(bad.code == "badRequest")
        #expect(try world.ask("GET", "/api/assets?snapshot=none.0&offset=0").code == "gone")
    }

    @Test func changesAreToldAndTakenBack() throws {
        let world = try GalleryWorld()
        try world.enter()
        let (snapshot, assets, _) = try Self.assets(world)
        let id = try #require(assets.first?["id"] as? String)
        let listening = try RawConnection(port: world.port)
        let head =
            "GET /api/events?snapshot=\(snapshot) HTTP/1.1\r\n"
            + "Host: 127.0.0.1:\(world.port)\r\n\(world.proof())\r\n"
        listening.send(Data(head.utf8))
        #expect(listening.read(until: ": welcome"))

        let done = try world.change(
            "POST",
            "/api/changes",
            "{\"action\":\"delete\",\"ids\":[\"\(id)\"]}"
        )
        #expect(done.status == 200, "\(done.text)")
        let undo = try #require(done.object["undo"] as? String)
        #expect(listening.read(until: "\"removed\":[0]"))
        #expect(try Self.assets(world).assets.count == assets.count - 1)
        // The browser's list remains as it was delivered.
        let old = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=500")
        #expect((old.object["assets"] as? [Any])?.count == assets.count)

        let undone = try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}")
        #expect(undone.status == 200, "\(undone.text)")
        #expect(try Self.assets(world).assets.count == assets.count)
        #expect(try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}").code == "refused")
        let redo = try #require(undone.object["redo"] as? String)
        #expect(try world.change("POST", "/api/redo", "{\"redo\":\"0\"}").code == "refused")
        let redone = try world.change("POST", "/api/redo", "{\"redo\":\"\(redo)\"}")
        #expect(redone.status == 200, "\(redone.text)")
        #expect(try Self.assets(world).assets.count == assets.count - 1)
        #expect(try world.change("POST", "/api/redo", "{}").code == "refused")
        let again = try #require(redone.object["undo"] as? String)
        let last = try world.change("POST", "/api/undo", "{\"undo\":\"\(again)\"}")
        #expect(last.status == 200, "\(last.text)")
        #expect(try Self.assets(world).assets.count == assets.count)

        // Another program's changes are visible too, and Ctrl-C ends the server despite a listener.
        let album = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["album", "create", "Sea", "--library", world.folder.file("A.photolibrary").path],
            environment: ["XDG_STATE_HOME": world.folder.file("state").path]
        )
        #expect(album.status == 0, "\(album.errorText)")
        #expect(listening.read(until: "event: collections"))
        let sidebar = try world.ask("GET", "/api/collections")
        #expect(sidebar.text.contains("\"Sea\""))
        #expect(world.interrupt() == 0)
    }

    @Test func filesThatAreSentInPartsAreImported() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let samples = world.folder.file("samples")
        let names = try #require(FileManager.default.enumerator(atPath: samples.path))
        let photo = try #require(
            names.compactMap { $0 as? String }
                .first { $0.lowercased().hasSuffix(".jpg") }
        )
        // New bytes: a comment after the first marker.
        var bytes = try Data(contentsOf: samples.appendingPathComponent(photo))
        bytes.insert(contentsOf: [0xFF, 0xFE, 0x00, 0x04, 0x61, 0x62], at: 2)
        let begun = try world.change("POST", "/api/imports", "{}")
        let name = try #require(begun.object["session"] as? String)
        let announcement = "{\"path\":\"../../<b>é.jpg\",\"size\":\(bytes.count),\"modified\":1e12}"
        let announced = try world.change("POST", "/api/imports/\(name)/files", announcement)
        #expect(announced.object["offset"] as? Int == 0, "\(announced.text)")
        let half = bytes.count / 2
        for range in [0..<half, half..<bytes.count] {
            // After any interruption, the same announcement returns the progress.
            let resumed = try world.change("POST", "/api/imports/\(name)/files", announcement)
            #expect(resumed.object["offset"] as? Int == range.lowerBound)
            let sent = try world.ask(
                "PUT",
                "/api/imports/\(name)/files/0?offset=\(range.lowerBound)",
                headers: ["Origin": "http://127.0.0.1:\(world.port)", "X-Photos-Gallery": "1"],
                body: bytes[range]
            )
            #expect(sent.object["offset"] as? Int == range.upperBound, "\(sent.text)")
        }
        #expect(try world.change("POST", "/api/imports/\(name)/finish", "{}").status == 202)
        let state = try world.importEnd(name)
        let files = try #require(state.object["files"] as? [[String: Any]])
        #expect(files.first?["outcome"] as? String == "imported", "\(state.text)")
        let id = try #require(files.first?["id"] as? String)
        let info = try world.ask("GET", "/api/assets/\(id)")
        #expect(info.object["originalFilename"] as? String == "<b>é.jpg")
        #expect(info.headers["content-type"] == "application/json")
    }
}
