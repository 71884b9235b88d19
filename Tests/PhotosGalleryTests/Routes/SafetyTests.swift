import Foundation
import TestSupport
import Testing

/// What the gallery refuses, asked by hand over sockets.
@Suite struct SafetyTests {
    @Test func nobodyComesInByAnotherWay() throws {
        let world = try GalleryWorld()
        // Without the link there is nothing but the door.
        for path in ["/api/state", "/api/timeline", "/page/script/main.js", "/api/events"] {
            let answer = try world.ask("GET", path)
            #expect(answer.status == 401, "\(path)")
            #expect(answer.code == "noSession")
        }
        #expect(try world.ask("GET", "/").status == 401)
        let guess = String(repeating: "0", count: world.token.count)
        #expect(try world.ask("GET", "/?token=\(guess)").status == 401)
        #expect(
            try world.ask("GET", "/api/state", cookie: "photos-\(world.port)=\(guess)").status
                == 401
        )

        let entered = try world.ask("GET", "/?token=\(world.token)")
        let cookie = try #require(entered.headers["set-cookie"])
        #expect(cookie.contains("HttpOnly"))
        #expect(cookie.contains("SameSite=Strict"))
        #expect(entered.headers["location"] == "/")
        try world.enter()
        #expect(try world.ask("GET", "/api/state").status == 200)

        // A name that somebody else's server resolves to this machine.
        for host in ["evil.example", "evil.example:\(world.port)", "127.0.0.1:1", ""] {
            let answer = try world.ask("GET", "/api/state", host: host)
            #expect([400, 403].contains(answer.status), "\(host)")
        }
        // Another site's page, also one of another port of this machine.
        for origin in ["http://evil.example", "http://127.0.0.1:1", "null"] {
            let answer = try world.ask("GET", "/api/state", headers: ["Origin": origin])
            #expect(answer.code == "crossSite", "\(origin)")
        }
        for site in ["cross-site", "same-site"] {
            let answer = try world.ask("GET", "/api/state", headers: ["Sec-Fetch-Site": site])
            #expect(answer.code == "crossSite", "\(site)")
        }
        // A change needs what a form of another site cannot send.
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
        let ways = [
            "/page/../../../../etc/passwd", "/page/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
            "/page//etc/passwd", "/page/..%2f..%2fetc%2fpasswd", "/page/%00", "/../etc/passwd",
            "/api/assets/..%2f..%2fetc%2fpasswd/resources/0",
            "/api/imports/..%2f..%2f/files/0",
        ]
        for way in ways {
            let answer = try world.ask("GET", way)
            #expect([400, 404, 405].contains(answer.status), "\(way)")
            #expect(!answer.text.contains("root:"), "\(way)")
        }
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
        // What leads up stays where it was put: nothing is beside the folders of the test.
        let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
        #expect(Set(names) == ["A.photolibrary", "state", "cache", "tmp", "samples"])
    }

    @Test func hiddenPhotosNeedTheirConfirmationEverywhere() throws {
        let world = try GalleryWorld()
        try world.enter()
        let timeline = try world.ask("GET", "/api/timeline")
        let snapshot = try #require(timeline.object["snapshot"] as? String)
        let page = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=1")
        let assets = try #require(page.object["assets"] as? [[String: Any]])
        let id = try #require(assets.first?["id"] as? String)
        let hide = "{\"action\":\"hide\",\"ids\":[\"\(id)\"],\"value\":true}"
        #expect(try world.change("POST", "/api/changes", hide).status == 200)
        let ways = [
            "/api/assets/\(id)", "/api/assets/\(id)/picture?size=64", "/api/assets/\(id)/movie",
            "/api/assets/\(id)/resources/0", "/api/assets/\(id)/burst",
            "/api/assets/\(id)/edit", "/api/assets/\(id)/auto", "/api/assets/\(id)/preview?size=64",
            "/api/timeline?source=hidden",
        ]
        for way in ways { #expect(try world.ask("GET", way).code == "hiddenLocked", "\(way)") }
        let edit = "/api/assets/\(id)/edit"
        #expect(try world.change("PUT", edit, "{\"exposure\":1}").code == "hiddenLocked")
        #expect(try world.change("DELETE", edit, "").code == "hiddenLocked")
        let title = "{\"action\":\"title\",\"ids\":[\"\(id)\"],\"value\":\"x\"}"
        #expect(try world.change("POST", "/api/changes", title).code == "hiddenLocked")

        let unlocked = try world.change("POST", "/api/hidden", "{\"unlock\":true}")
        let cookie = try #require(unlocked.headers["set-cookie"]?.split(separator: ";").first)
        world.add(cookie: String(cookie))
        let hidden = try world.ask("GET", "/api/timeline?source=hidden")
        #expect(hidden.object["count"] as? Int == 1)
        #expect(try world.ask("GET", ways[0]).status == 200)
        #expect(try world.change("POST", "/api/hidden", "{\"unlock\":false}").status == 200)
        #expect(try world.ask("GET", ways[0]).code == "hiddenLocked")
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
        #expect(try login("correct+horse").status == 303)
        var codes: [String?] = []
        for _ in 0..<12 { codes.append(try login("wrong").code) }
        #expect(codes.last == "tooMany")
    }
}
