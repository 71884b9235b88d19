import Foundation
import TestSupport
import Testing

/// The requests that the gallery rejects, made over raw sockets.
@Suite(.timeLimit(.minutes(5))) struct SafetyTests {
    @Test func nobodyComesInByAnotherWay() throws {
        let world = try GalleryWorld()
        // Without the link, only the door is available.
        for path in ["/api/state", "/api/timeline", "/page/script/main.js", "/api/events"] {
            let answer = try world.ask("GET", path)
            #expect(answer.status == 401, "\(path)")
            #expect(answer.code == "noSession")
        }
        for path in ["/", "/door", "/?token=\(world.token)"] {
            #expect(try world.ask("GET", path).text.contains("id=\"door-title\""), "\(path)")
        }
        let guess = String(repeating: "0", count: world.token.count)
        #expect(try world.exchange(guess).code == "noSession")
        #expect(
            try world.ask("GET", "/api/state", cookie: "photos-\(world.port)=\(guess)").status
                == 401
        )

        try world.enter()
        #expect(try world.ask("GET", "/api/state").status == 200)

        // A foreign server's name that resolves to this machine.
        for host in ["evil.example", "evil.example:\(world.port)", "127.0.0.1:1", ""] {
            let answer = try world.ask("GET", "/api/state", host: host)
            #expect([400, 403].contains(answer.status), "\(host)")
        }
        // Another site's page, including one on another port of this machine.
        for origin in ["http://evil.example", "http://127.0.0.1:1", "null"] {
            let answer = try world.ask("GET", "/api/state", headers: ["Origin": origin])
            #expect(answer.code == "crossSite", "\(origin)")
        }
        for site in ["cross-site", "same-site"] {
            let answer = try world.ask("GET", "/api/state", headers: ["Sec-Fetch-Site": site])
            #expect(answer.code == "crossSite", "\(site)")
        }
        // A change requires a header that another site's form cannot send.
        let order = Data("{\"action\":\"favorite\",\"ids\":[],\"value\":true}".utf8)
        let form = try world.ask(
            "POST",
            "/api/changes",
            headers: ["Content-Type": "application/json"],
            body: order
        )
        #expect(form.code == "crossSite")
        #expect(
            try world.change("POST", "/api/changes", "{}", type: "text/plain").code == "badRequest"
        )
    }

    @Test func answersProtectThePageAndNoPathLeavesIt() throws {
        let world = try GalleryWorld()
        try world.enter()
        for path in ["/", "/api/state", "/api/nothing", "/page/none"] {
            let headers = try world.ask("GET", path).headers
            #expect(headers["x-content-type-options"] == "nosniff", "\(path)")
            let policy = headers["content-security-policy"] ?? ""
            #expect(policy.contains("default-src 'none'"), "\(path)")
            #expect(!policy.contains("unsafe"), "\(path)")
        }
        #expect(try world.ask("GET", "/api/nothing").code == "notFound")
        let ways = [
            "/page/../../../../etc/passwd", "/page/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
            "/page//etc/passwd", "/page/..%2f..%2fetc%2fpasswd", "/page/%00", "/../etc/passwd",
            "/api/assets/..%2f..%2fetc%2fpasswd/resources/0",
            "/api/imports/..%2f..%2f/files/0",
            "/page/%252e%252e%252fetc%252fpasswd", "/page/..%5c..%5cetc%5cpasswd",
            "/page/%c0%ae%c0%ae/etc/passwd", "/page/.%2e/.%2e/etc/passwd", "/page/%2fetc%2fpasswd",
            "/page/script/../../../../../etc/passwd", "/page/index.html%00.js", "/page/",
            "/api/folders?path=../../etc", "/api/folders?path=etc", "/api/folders?path=/etc/passwd",
            "/api/assets/%2e%2e%2f%2e%2e/movie", "/api/assets/%00/picture?size=9",
            "/api/imports/%2e%2e/finish", "/api/timeline?source=import/..%2f..%2fetc",
            "/api/timeline?source=album/..%2fetc", "http://evil.example/../etc/passwd", "*",
        ]
        for way in ways {
            let answer = try world.ask("GET", way)
            #expect([400, 404, 405].contains(answer.status), "\(way)")
            #expect(!answer.text.contains("root:"), "\(way)")
        }
        let page = try world.ask("GET", "/api/timeline")
        let snapshot = try #require(page.object["snapshot"] as? String)
        let ids = try world.ask("GET", "/api/ids?snapshot=\(snapshot)&from=0&to=1")
        let id = try #require((ids.object["ids"] as? [String])?.first)
        for number in ["-1", "99", "0%2f..", "../0", "0x0", "9999999999999999999"] {
            let answer = try world.ask("GET", "/api/assets/\(id)/resources/\(number)")
            #expect(answer.status == 404, "\(number)")
        }
        // Unsupported methods of these addresses change nothing, and are answered under the same
        // policy.
        for method in ["TRACE", "OPTIONS", "PUT", "DELETE", "PATCH"] {
            let answer = try world.ask(method, "/page/index.html")
            #expect([404, 405].contains(answer.status), "\(method)")
            #expect(answer.headers["x-content-type-options"] == "nosniff", "\(method)")
        }
    }

    /// Text of files and users remains text: it is sent in JSON, and never becomes a part of a
    /// page, a header or an event.
    @Test func scriptInMetadataIsText() throws {
        let world = try GalleryWorld(photos: 2)
        try world.enter()
        let script = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
        let samples = world.folder.file("samples")
        let names = try #require(FileManager.default.enumerator(atPath: samples.path))
        let photo = try #require(
            names.compactMap { $0 as? String }.first { $0.lowercased().hasSuffix(".jpg") }
        )
        let name = "\"<img src=x onerror=alert(1)>\r\nSet-Cookie: a=b.jpg"
        let file = world.folder.file("hostile").appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(at: samples.appendingPathComponent(photo), to: file)
        let fields = [
            "Make", "Model", "Software", "Artist", "Copyright", "ImageDescription", "UserComment",
            "LensModel", "IPTC:Headline", "IPTC:Caption-Abstract", "IPTC:Keywords", "XMP-dc:Title",
            "XMP-dc:Description", "XMP-dc:Subject",
        ]
        let written = try ProcessRunner.run(
            "/usr/bin/exiftool",
            ["-q", "-overwrite_original"] + fields.map { "-\($0)=\(script)" } + [file.path]
        )
        try #require(written.status == 0, "\(written.errorText)")
        for verb in [
            ["import", file.path], ["album", "create", script], ["folder", "create", script],
        ] {
            let output = try ProcessRunner.run(
                BuiltProducts.photos.path,
                verb,
                environment: world.environment
            )
            try #require(output.status == 0, "\(output.errorText)")
        }
        let recents = try world.ask("GET", "/api/timeline?source=recents")
        let snapshot = try #require(recents.object["snapshot"] as? String)
        let page = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=9")
        let assets = try #require(page.object["assets"] as? [[String: Any]])
        let hostile = try #require(assets.first { $0["filename"] as? String == name })
        let id = try #require(hostile["id"] as? String)

        let listening = try RawConnection(port: world.port)
        let head =
            "GET /api/events?snapshot=\(snapshot) HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        listening.send(Data((head + "\(world.proof())\r\n").utf8))
        #expect(listening.read(until: ": welcome"))
        let breaking = "a\n\nevent: evil\ndata: {}\r\r" + script
        for action in ["title", "caption"] {
            let order: [String: Any] = ["action": action, "ids": [id], "value": breaking]
            let json = try JSONSerialization.data(withJSONObject: order)
            let answer = try world.change(
                "POST",
                "/api/changes",
                String(decoding: json, as: UTF8.self)
            )
            #expect(answer.status == 200, "\(answer.text)")
        }
        let order = try JSONSerialization.data(
            withJSONObject: ["action": "keywords", "ids": [id], "value": [script]] as [String: Any]
        )
        let tagged = try world.change(
            "POST",
            "/api/changes",
            String(decoding: order, as: UTF8.self)
        )
        #expect(tagged.status == 200, "\(tagged.text)")
        let events = listening.text(until: "event: changes\n", times: 1)
        #expect(events.contains("event: changes\n"))
        #expect(!events.contains("\nevent: evil"))
        #expect(!events.contains("\ndata: {}\n\n\n"))

        for way in [
            "/api/assets/\(id)", "/api/assets?snapshot=\(snapshot)&offset=0&count=9",
            "/api/collections", "/api/search/facets",
            "/api/search?text=\(script.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
        ] {
            let answer = try world.ask("GET", way)
            #expect(answer.headers["content-type"] == "application/json", "\(way)")
            #expect(answer.headers["x-content-type-options"] == "nosniff", "\(way)")
            #expect(!answer.object.isEmpty, "\(way)")
        }
        let info = try world.ask("GET", "/api/assets/\(id)").object
        #expect(info["title"] as? String == breaking)
        let texts = String(describing: info)
        #expect(texts.contains(script))
        // The page is the same for every library.
        #expect(try !world.ask("GET", "/").text.contains("alert(1)"))
        // A name with line breaks does not create a header.
        let download = try world.ask("GET", "/api/assets/\(id)/resources/0")
        #expect(download.status == 200)
        #expect(download.headers["set-cookie"] == nil)
        #expect(download.headers["content-type"] == "application/octet-stream")
        #expect(download.headers["content-disposition"]?.hasPrefix("attachment; ") == true)
        let missing = try world.ask("GET", "/<script>alert(1)</script>")
        #expect(missing.status != 200)
        #expect(missing.headers["content-type"] != "text/html")
    }

    @Test func sizesAreLimited() throws {
        let world = try GalleryWorld()
        try world.enter()
        let large = "{\"action\":\"" + String(repeating: "x", count: 2 << 20) + "\"}"
        #expect(try world.change("POST", "/api/changes", large).status == 413)
        let session = try world.change("POST", "/api/imports", "{}")
        let name = try #require(session.object["session"] as? String)
        let huge = try world.change(
            "POST",
            "/api/imports/\(name)/files",
            "{\"path\":\"a.jpg\",\"size\":9000000000000}"
        )
        #expect(huge.code == "tooLarge")
        let announced = try world.change(
            "POST",
            "/api/imports/\(name)/files",
            "{\"path\":\"../../../a.txt\",\"size\":3}"
        )
        #expect(announced.status == 200)
        let place = "/api/imports/\(name)/files/0"
        #expect(try world.change("PUT", place + "?offset=0", "four").code == "tooLarge")
        #expect(try world.change("PUT", place + "?offset=2", "x").code == "refused")
        let chunk = String(repeating: "x", count: (8 << 20) + 1)
        #expect(try world.change("PUT", place + "?offset=0", chunk).status == 413)
        // Paths that lead up stay inside: nothing is outside of the test's folders.
        let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
        #expect(Set(names) == ["A.photolibrary", "state", "cache", "tmp", "samples"])
    }

    @Test func theNetworkNeedsThePassword() throws {
        let world = try GalleryWorld(
            photos: 1,
            arguments: ["--lan"],
            environment: ["PHOTOS_GALLERY_PASSWORD": "correct horse"]
        )
        func login(_ password: String) throws -> RawAnswer {
            try world.change(
                "POST",
                "/login",
                "password=\(password)",
                type: "application/x-www-form-urlencoded"
            )
        }
        #expect(try world.ask("GET", "/api/state").status == 401)
        #expect(try login("wrong").code == "wrongPassword")
        #expect(try login("correct+horse").status == 200)
        var codes: [String?] = []
        for _ in 0..<12 { codes.append(try login("wrong").code) }
        #expect(codes.last == "tooMany")

        // A user with the password signs in, sees no files of the machine, and is prompted again
        // for hidden photos.
        try world.enter()
        #expect(try world.ask("GET", "/api/state").object["lan"] as? Bool == true)
        #expect(try world.ask("GET", "/api/folders?path=/").code == "refused")
        let folder = try world.change("POST", "/api/imports", "{\"folder\":\"/etc\"}")
        #expect(folder.code == "refused")
        // Attempts are counted here as well, so a stolen cookie does not help to guess.
        let guess = "{\"unlock\":true,\"password\":\"wrong\"}"
        var guesses: [String?] = []
        for _ in 0..<12 { guesses.append(try world.change("POST", "/api/hidden", guess).code) }
        #expect(guesses.prefix(10).allSatisfy { $0 == "wrongPassword" })
        #expect(guesses.last == "tooMany")
        #expect(try world.ask("GET", "/api/state", host: "evil.example").code == "wrongHost")
        // The output states the risks.
        let said = world.interruptAndListen()
        #expect(said.status == 0)
        #expect(said.errorText.contains("Every machine on your network"))
        #expect(said.errorText.contains("not encrypted"))
        #expect(!said.errorText.contains("correct horse"))
    }

    @Test func severalSlashesSkipNothing() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let order = Data("{\"action\":\"createAlbum\",\"title\":\"Forged\"}".utf8)
        for path in ["//api/changes", "/api//changes", "///api/changes"] {
            let answer = try world.ask(
                "POST",
                path,
                headers: ["Content-Type": "application/json"],
                body: order
            )
            #expect(answer.code == "crossSite" || answer.status == 404, "\(path)")
        }
        #expect(try !world.ask("GET", "/api/collections").text.contains("Forged"))
    }

    @Test func connectionsThatSayNothingAreClosed() throws {
        let world = try GalleryWorld(photos: 1)
        let silent = try RawConnection(port: world.port)
        let halting = try RawConnection(port: world.port)
        halting.send(Data("GET / HTTP/1.1\r\nHost: ".utf8))
        let start = ContinuousClock.now
        #expect(silent.receive() == nil)
        while halting.receive() != nil {}
        let waited = ContinuousClock.now - start
        #expect(waited > .seconds(5))
        #expect(waited < .seconds(40))
    }

    @Test func peopleWhoAreRefusedSeeAPage() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let navigation = ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        let foreign = navigation.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
        // A link from elsewhere leads to the door, which lets a signed-in user in.
        let link = try world.ask("GET", "/", cookie: "", headers: foreign)
        #expect(link.status == 200)
        #expect(link.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(link.text.contains("/page/script/door.js"))
        let deep = try world.ask("GET", "/api/state", cookie: "", headers: foreign)
        #expect(deep.status == 403)
        #expect(deep.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(deep.text.contains("<a href=\"/\">"))
        var frame = foreign
        frame["Sec-Fetch-Dest"] = "iframe"
        #expect(try world.ask("GET", "/", cookie: "", headers: frame).status == 403)
        let script = "/api/assets/%3Cscript%3Ealert(1)%3C%2Fscript%3E"
        let missing = try world.ask("GET", script, headers: ["Accept": "text/html,*/*;q=0.8"])
        #expect(missing.status == 404)
        #expect(missing.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(missing.headers["content-security-policy"]?.contains("script-src") == true)
        #expect(!missing.text.lowercased().contains("<script"))
        #expect(missing.text.contains("&lt;"))
        // Programs still receive JSON.
        #expect(try world.ask("GET", "/api/nothing").code == "notFound")
    }

    @Test func theNetworkFindsTheMachineByItsNames() throws {
        let world = try GalleryWorld(
            photos: 1,
            arguments: ["--lan", "--name", "photos.home.arpa"],
            environment: ["PHOTOS_GALLERY_PASSWORD": "correct horse"]
        )
        let own = ProcessInfo.processInfo.hostName
        for host in ["127.0.0.1", "localhost", own, own.uppercased(), "photos.home.arpa"] {
            let answer = try world.ask("GET", "/", host: "\(host):\(world.port)")
            #expect(answer.status == 200, "\(host)")
            #expect(answer.text.contains("type=\"password\""), "\(host)")
            // Browsers send the form's own origin, which no-referrer would replace by null.
            #expect(answer.headers["referrer-policy"] == "same-origin")
        }
        for host in ["evil.example", "\(own).evil.example", "photos.home.arpa.evil.example"] {
            let answer = try world.ask("GET", "/", host: "\(host):\(world.port)")
            #expect(answer.code == "wrongHost", "\(host)")
        }
        let said = world.interruptAndListen().errorText
        #expect(said.contains("http://\(own):\(world.port)/"))
    }
}
