import Foundation
import TestSupport
import Testing

/// The access that a session's cookie alone gives, and the start and end of sessions.
@Suite(.timeLimit(.minutes(5))) struct SessionsTests {
    /// Returns every route below `/api/` in the sources as a request: method, and an address with
    /// `ID` for an asset.
    private static func routes() throws -> [(method: String, path: String)] {
        try GalleryRoutes.all().filter { $0.contains(" /api/") }.sorted().map { route in
            let parts = route.split(separator: " ")
            let path = parts[1].replacing(":id", with: "ID").replacing(":number", with: "0")
            return (parts[0].uppercased(), String(path.replacing(":session", with: "none")))
        }
    }

    private static func status(_ answer: RawAnswer) -> String {
        "\(answer.status) \(answer.code ?? "")"
    }

    @Test func theCookieAloneOpensNothing() throws {
        let world = try GalleryWorld()
        try world.enter()
        let id = try #require(try world.assets().first?["id"] as? String)
        let page = try #require(world.page(of: world.cookie))
        let guess = String(repeating: "0", count: page.secret.count)
        let routes = try Self.routes()
        #expect(routes.count > 40)
        for (method, path) in routes where path != "/api/session" {
            let path = path.replacing("ID", with: id)
            for secret in ["", guess] {
                // The address of a picture may contain a key, which cannot be guessed.
                for tail in ["", "?key=\(guess.prefix(32))", "?key="] {
                    let answer = try world.change(
                        method,
                        path + tail,
                        "{}",
                        headers: ["X-Photos-Secret": secret]
                    )
                    #expect(Self.status(answer) == "401 noSession", "\(method) \(path)\(tail)")
                }
            }
        }
        // The responses for a cookie alone are the same for all users, and contain no secret.
        for path in ["/", "/door", "/page/script/main.js"] {
            let answer = try world.ask("GET", path, headers: ["X-Photos-Secret": ""])
            #expect(answer.status == 200, "\(path)")
            let all = answer.text + answer.headers.values.joined()
            for secret in [page.secret] + page.keys.values {
                #expect(!all.contains(secret), "\(path)")
            }
        }
        #expect(try world.ask("GET", "/api/state").status == 200)
    }

    @Test func aKeyOpensItsFamilyForItsSession() throws {
        let world = try GalleryWorld()
        try world.enter()
        let id = try #require(try world.assets().first?["id"] as? String)
        let keys = try #require(world.page(of: world.cookie)?.keys)
        let other = try world.enterElsewhere()
        let foreign = try #require(world.page(of: other)?.keys)
        #expect(Set(keys.values).count == 4)
        #expect(Set(keys.values).isDisjoint(with: foreign.values))
        let ways = [
            "picture": "/api/assets/\(id)/picture?size=64", "movie": "/api/assets/\(id)/movie?v=1",
            "file": "/api/assets/\(id)/resources/0?a=b",
        ]
        func ask(_ path: String, _ key: String?, cookie: String? = nil, _ method: String = "GET")
            throws -> Int
        {
            try world.ask(
                method,
                path + "&key=\(key ?? "")",
                cookie: cookie,
                headers: ["X-Photos-Secret": "", "X-Photos-Gallery": "1", "Origin": world.origin]
            ).status
        }
        for (family, path) in ways {
            for (name, key) in keys {
                let status = try ask(path, key)
                #expect((status == 401) == (name != family), "\(family): \(name): \(status)")
            }
            #expect(try ask(path, foreign[family]) == 401, "\(family)")
            #expect(try ask(path, keys[family], cookie: "") == 401, "\(family)")
            #expect(try ask(path, keys[family], "DELETE") == 401, "\(family)")
            #expect(try ask("/api/timeline?source=library", keys[family]) == 401, "\(family)")
        }
        #expect(try ask("/api/assets/\(id)/picture?size=64", keys["picture"]) == 200)
        let listening = try RawConnection(port: world.port)
        let path = "/api/events?key=\(keys["events"] ?? "")"
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        listening.send(Data((head + "Cookie: \(world.cookie)\r\n\r\n").utf8))
        #expect(listening.read(until: ": welcome"))
        // Addresses with keys do not appear in a log.
        let said = world.interruptAndListen()
        for secret in Array(keys.values) + Array(foreign.values) {
            #expect(!(said.errorText + said.text).contains(secret))
        }
    }

    @Test func aLinkWorksOnceAndTheServerGivesOthers() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        #expect(try world.exchange(world.token).code == "noSession")
        let token = try world.newToken()
        #expect(token != world.token)
        #expect(try world.exchange(token).status == 200)
        #expect(try world.exchange(token).code == "noSession")
        // Other users cannot request one.
        let folder =
            try #require(world.environment["XDG_STATE_HOME"])
            + "/swift-photos/galleries"
        let manager = FileManager.default
        let sockets = try manager.contentsOfDirectory(atPath: folder)
        #expect(sockets.count == 1)
        func mode(_ path: String) throws -> Int {
            let found = try manager.attributesOfItem(atPath: path)[.posixPermissions]
            return try #require(found as? NSNumber).intValue
        }
        #expect(try mode(folder) == 0o700)
        #expect(try mode(folder + "/" + sockets[0]) == 0o600)
        func ask(_ arguments: String...) throws -> ProcessRunner.Output {
            try ProcessRunner.run(
                BuiltProducts.photos.path,
                ["serve", "--new-link"] + arguments,
                environment: world.environment
            )
        }
        let json = try ask("--json")
        let line = try JSONSerialization.jsonObject(with: json.standardOutput) as? [String: Any]
        #expect(line?["port"] as? Int == world.port)
        let another = try #require(line?["token"] as? String)
        #expect(try world.exchange(another).status == 200)
        let elsewhere = try ask("--library", world.folder.file("B.photolibrary").path)
        #expect(elsewhere.status == 1)
        #expect(elsewhere.errorText.contains("No gallery"))
        #expect(try ask("--port", "1").errorText.contains("on port 1"))
        #expect(world.interrupt() == 0)
        #expect(try manager.contentsOfDirectory(atPath: folder) == [])
        let late = try ask()
        #expect(late.status == 1)
        #expect(late.errorText.contains("photos serve"))
        // A killed server leaves a socket without a listener.
        let killed = try GalleryWorld(photos: 1)
        let state = try #require(killed.environment["XDG_STATE_HOME"])
        killed.end()
        let after = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["serve", "--new-link"],
            environment: killed.environment
        )
        #expect(after.errorText.contains("No gallery"))
        #expect(try manager.contentsOfDirectory(atPath: state + "/swift-photos/galleries") == [])
    }

    @Test func theBrowserGetsAFileAndNoToken() throws {
        let folder = try TemporaryFolder("photos-open-test")
        let told = folder.file("told").path
        let program = folder.file("xdg-open")
        let script = "#!/bin/sh\necho \"$@\" >'\(told).new'\nmv '\(told).new' '\(told)'\n"
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: program.path
        )
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let world = try GalleryWorld(
            photos: 1,
            arguments: ["--open"],
            environment: ["PATH": folder.url.path + ":" + path]
        )
        let manager = FileManager.default
        #expect(
            FileEvents.wait(in: URL(fileURLWithPath: told).deletingLastPathComponent()) {
                manager.contents(atPath: told)?.isEmpty == false
            }
        )
        let words = try String(contentsOfFile: told, encoding: .utf8)
        #expect(!words.contains("token"))
        let file = try #require(URL(string: words.trimmingCharacters(in: .newlines)))
        #expect(file.scheme == "file")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let text = try String(contentsOf: file, encoding: .utf8)
        let token = try #require(text.firstMatch(of: /#token=([0-9a-f]+)/)?.output.1)
        // It differs from the printed one, which remains valid.
        #expect(String(token) != world.token)
        #expect(try world.exchange(String(token)).status == 200)
        #expect(
            FileEvents.wait(in: file.deletingLastPathComponent()) {
                !manager.fileExists(atPath: file.path)
            }
        )
        try world.enter()
    }

    @Test func sessionsAreListedAndEnd() throws {
        let world = try GalleryWorld(photos: 1)
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
        try world.enter()
        let other = try world.enterElsewhere(agent: firefox)
        let third = try world.enterElsewhere(agent: "curl/8.5.0")
        func list(_ cookie: String? = nil) throws -> [[String: Any]] {
            let answer = try world.ask("GET", "/api/sessions", cookie: cookie)
            return try #require(answer.object["sessions"] as? [[String: Any]], "\(answer.text)")
        }
        let seen = try list(other)
        #expect(seen.count == 3)
        #expect(seen.filter { $0["current"] as? Bool == true }.count == 1)
        let text = String(describing: seen)
        for cookie in [world.cookie, other, third] {
            let page = try #require(world.page(of: cookie))
            #expect(!text.contains(page.secret))
            #expect(!text.contains(String(cookie.drop { $0 != "=" }.dropFirst())))
        }
        // Of all sessions, only the requesting page's names no program.
        let mine = try list()
        let curl = try #require(mine.first { $0["browser"] as? String == "curl" })
        #expect(curl["address"] is NSNull)
        #expect(curl["begun"] is String)
        #expect(curl["used"] is String)
        let listening = try RawConnection(port: world.port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        listening.send(Data((head + world.proof(third) + "Connection: close\r\n\r\n").utf8))
        #expect(listening.read(until: ": welcome"))
        let identifier = try #require(curl["id"] as? String)
        let ended = try world.change("DELETE", "/api/sessions/\(identifier)", "")
        #expect((ended.object["sessions"] as? [Any])?.count == 2)
        // The stream reports this, and ends.
        var rest = ""
        while let part = listening.receive() { rest += String(decoding: part, as: UTF8.self) }
        #expect(rest.contains("event: ended\n"))
        #expect(try world.ask("GET", "/api/state", cookie: third).code == "noSession")
        #expect(try world.ask("GET", "/", cookie: third).text.contains("id=\"door-title\""))
        #expect(try world.change("DELETE", "/api/sessions/\(identifier)", "").status == 404)
        // All other sessions, then the own one.
        #expect(try world.change("DELETE", "/api/sessions", "").status == 200)
        #expect(try world.ask("GET", "/api/state", cookie: other).code == "noSession")
        #expect(try list().count == 1)
        let own = try #require(try list().first?["id"] as? String)
        let left = try world.change("DELETE", "/api/sessions/\(own)", "")
        #expect(left.headers["set-cookie"]?.contains("Max-Age=0") == true)
        #expect(try world.ask("GET", "/api/state").code == "noSession")
    }

    @Test func aDownloadEndsWithItsSession() throws {
        let world = try GalleryWorld(photos: 1)
        let samples = world.folder.file("samples")
        let names = try #require(FileManager.default.enumerator(atPath: samples.path))
        let photo = try #require(
            names.compactMap { $0 as? String }.first { $0.lowercased().hasSuffix(".jpg") }
        )
        // Bytes after a JPEG's end do not belong to a picture, and are more than the send buffer
        // holds.
        let length = 96 << 20
        let bytes = try Data(contentsOf: samples.appendingPathComponent(photo))
        try world.add(file: "long.jpg", bytes + Data(count: length))
        try world.enter()
        let asset = try #require(
            try world.assets().first { $0["filename"] as? String == "long.jpg" }
        )
        let id = try #require(asset["id"] as? String)
        let other = try world.enterElsewhere()
        let download = try RawConnection(port: world.port)
        let path = "/api/assets/\(id)/resources/0"
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        download.send(Data((head + world.proof(other) + "\r\n").utf8))
        var count = try #require(download.receive()).count
        #expect(try world.change("DELETE", "/api/sessions", "").status == 200)
        while let part = download.receive() { count += part.count }
        #expect(count < length)
    }

    @Test func whoComesInAnewLeavesNoOldSession() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let page = try #require(world.page(of: world.cookie))
        let again = try world.change(
            "POST",
            "/api/session",
            "{\"token\":\"\(try world.newToken())\"}",
            headers: ["X-Photos-Secret": page.secret]
        )
        let cookie = try world.keep(again)
        // Other windows continue to work until the page receives its data.
        #expect(try world.ask("GET", "/api/timeline").status == 200)
        #expect(try world.ask("GET", "/api/state", cookie: cookie).status == 200)
        #expect(try world.ask("GET", "/api/timeline").code == "noSession")
        let answer = try world.ask("GET", "/api/sessions", cookie: cookie)
        #expect((answer.object["sessions"] as? [Any])?.count == 1)
        // A client with only the cookie does not end the session by signing in.
        #expect(try world.exchange(try world.newToken(), cookie: cookie).status == 200)
        #expect(try world.ask("GET", "/api/state", cookie: cookie).status == 200)
    }
}
