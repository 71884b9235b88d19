import Foundation
import TestSupport
import Testing

/// The rights of a browser that signed in with the view-only password.
@Suite(.timeLimit(.minutes(5))) struct ViewOnlyTests {
    private static let owner = "correct horse"
    private static let guest = "just looking"

    /// The routes that are open to it; all others are closed.
    private static let open: Set = [
        "get /", "get /door", "get /page/**", "get /favicon.ico", "post /login",
        "post /api/session", "get /api/sessions", "delete /api/sessions/:session",
        "get /api/state", "get /api/events", "get /api/collections", "get /api/moments",
        "get /api/search", "get /api/search/facets", "get /api/timeline", "get /api/assets",
        "get /api/assets/index", "get /api/ids", "get /api/assets/:id",
        "get /api/assets/:id/burst", "get /api/assets/:id/picture",
        "get /api/assets/:id/resources/:number", "get /api/assets/:id/movie",
        "delete /api/assets/:id/movie",
    ]
    private static let closed: Set = [
        "delete /api/sessions", "post /api/hidden", "post /api/changes", "post /api/undo",
        "post /api/redo", "get /api/assets/:id/edit", "put /api/assets/:id/edit",
        "delete /api/assets/:id/edit", "get /api/assets/:id/auto", "get /api/assets/:id/preview",
        "get /api/duplicates", "post /api/duplicates", "post /api/imports", "get /api/imports",
        "get /api/imports/:session", "get /api/imports/:session/items",
        "get /api/imports/:session/report", "post /api/imports/:session/finish",
        "delete /api/imports/:session", "post /api/imports/:session/files",
        "put /api/imports/:session/files/:number", "get /api/folders", "get /api/access",
        "put /api/access", "get /api/check", "post /api/check", "delete /api/check",
        "get /api/renditions", "post /api/renditions", "get /api/storage",
    ]

    private static func serving(photos: Int = 6) throws -> GalleryWorld {
        try GalleryWorld(
            photos: photos,
            arguments: ["--lan"],
            environment: [
                "PHOTOS_GALLERY_PASSWORD": owner, "PHOTOS_GALLERY_VIEW_PASSWORD": guest,
            ]
        )
    }

    /// Signs in as the page's form does, and returns the cookie.
    private static func signIn(_ password: String, to world: GalleryWorld) throws -> String {
        let answer = try world.ask(
            "POST",
            "/login",
            cookie: "",
            headers: [
                "Origin": world.origin, "Content-Type": "application/x-www-form-urlencoded",
            ],
            body: Data("password=\(password.replacing(" ", with: "+"))".utf8)
        )
        try #require(answer.status == 200, "\(answer.text)")
        return try world.keep(answer)
    }

    @Test func everyRouteIsThoughtOf() throws {
        #expect(try GalleryRoutes.all() == Self.open.union(Self.closed))
        #expect(Self.open.isDisjoint(with: Self.closed))
    }

    @Test func whatIsNotForViewingIsClosed() throws {
        let world = try Self.serving()
        try world.enter()
        let before = try world.ask("GET", "/api/collections").text
        let asset = try #require(try world.assets().first)
        let id = try #require(asset["id"] as? String)
        let guest = try Self.signIn(Self.guest, to: world)
        func ask(_ route: String) throws -> RawAnswer {
            let parts = route.split(separator: " ").map(String.init)
            let path = parts[1].replacing(":id", with: id).replacing(":number", with: "0")
                .replacing(":session", with: "none").replacing("**", with: "icon.svg")
            let body =
                route == "post /api/changes"
                ? "{\"action\":\"favorite\",\"ids\":[\"\(id)\"],\"value\":true}"
                : "{\"unlock\":true,\"password\":\"\(Self.owner)\",\"action\":\"find\"}"
            return try world.change(
                parts[0].uppercased(),
                path,
                parts[0] == "get" ? "" : body,
                cookie: guest
            )
        }
        for route in Self.closed.sorted() {
            let answer = try ask(route)
            #expect(answer.status == 403 && answer.code == "viewOnly", "\(route): \(answer.status)")
        }
        // An event stream does not end, another user's session is not its own, and the sign-in is
        // for clients without a session.
        let others: Set = [
            "get /api/events", "delete /api/sessions/:session", "post /login", "post /api/session",
        ]
        for route in Self.open.subtracting(others).sorted() {
            let answer = try ask(route)
            #expect(answer.code != "viewOnly", "\(route): \(answer.text)")
            #expect(answer.status < 500 && answer.status != 401, "\(route): \(answer.status)")
        }
        // Other spellings of an address.
        for path in ["//api//storage", "/api/storage/", "/api/%73torage", "/api/assets/../storage"]
        {
            let answer = try world.ask("GET", path, cookie: guest)
            #expect([403, 404].contains(answer.status), "\(path): \(answer.text)")
        }
        #expect(try world.ask("HEAD", "/api/storage", cookie: guest).status == 403)
        #expect(try world.ask("GET", "/api/collections").text == before)
    }

    @Test func photosAreShownAndNothingElse() throws {
        let world = try Self.serving()
        try world.enter()
        let ids = try world.assets().compactMap { $0["id"] as? String }
        try #require(ids.count > 2)
        for (verb, id) in [(["set", "--hidden", "true"], ids[0]), (["delete"], ids[1])] {
            let output = try ProcessRunner.run(
                BuiltProducts.photos.path,
                verb + [id],
                environment: world.environment
            )
            try #require(output.status == 0, "\(output.errorText)")
        }
        let deleted = try world.ask("GET", "/api/timeline?source=deleted").object
        #expect(deleted["count"] as? Int == 1)
        let snapshot = try #require(deleted["snapshot"] as? String)
        let guest = try Self.signIn(Self.guest, to: world)

        let state = try world.ask("GET", "/api/state", cookie: guest).object
        #expect(state["viewOnly"] as? Bool == true)
        #expect(state["count"] as? Int == ids.count - 2)
        #expect(state["libraryPath"] is NSNull)
        #expect(try world.ask("GET", "/api/state").object["viewOnly"] as? Bool == false)
        let sidebar = try world.ask("GET", "/api/collections", cookie: guest).object
        for list in ["hidden", "deleted", "duplicates"] {
            #expect((sidebar[list] as? [String: Any])?["count"] is NSNull, "\(list)")
        }
        for source in ["hidden", "deleted", "duplicates"] {
            let answer = try world.ask("GET", "/api/timeline?source=\(source)", cookie: guest)
            #expect(answer.code == "viewOnly", "\(source)")
        }
        for path in [
            "assets?snapshot=\(snapshot)&offset=0&count=9", "ids?snapshot=\(snapshot)&from=0&to=9",
            "assets/index?snapshot=\(snapshot)&id=\(ids[1])", "events?snapshot=\(snapshot)",
        ] {
            let answer = try world.ask("GET", "/api/" + path, cookie: guest)
            #expect(answer.code == "viewOnly", "\(path)")
        }
        for id in ids[...1] {
            for tail in ["", "/picture?size=64", "/resources/0", "/movie"] {
                let answer = try world.ask("GET", "/api/assets/\(id)\(tail)", cookie: guest)
                #expect(answer.status == 404, "\(id)\(tail)")
            }
        }
        for tail in ["", "/picture?size=64", "/resources/0"] {
            let answer = try world.ask("GET", "/api/assets/\(ids[2])\(tail)", cookie: guest)
            #expect(answer.status == 200, "\(tail)")
        }
    }

    @Test func eventsTellOfPhotosAlone() throws {
        let world = try Self.serving()
        try world.enter()
        let guest = try Self.signIn(Self.guest, to: world)
        let listening = try RawConnection(port: world.port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        listening.send(Data((head + world.proof(guest) + "\r\n").utf8))
        #expect(listening.read(until: ": welcome"))
        #expect(try world.change("POST", "/api/check", "{}").status == 202)
        let hasEnded = try world.value {
            try world.ask("GET", "/api/check").object["running"] as? Bool == true ? nil : true
        }
        #expect(hasEnded == true)
        let album = "{\"action\":\"createAlbum\",\"title\":\"The last\"}"
        #expect(try world.change("POST", "/api/changes", album).status == 200)
        var heard = ""
        while !heard.contains("event: collections"), let part = listening.receive() {
            heard += String(decoding: part, as: UTF8.self)
        }
        #expect(heard.contains("event: collections"))
        #expect(!heard.contains("event: check"))
    }

    @Test func itSeesAndEndsItsOwnSessionAlone() throws {
        let world = try Self.serving(photos: 1)
        let owner = try Self.signIn(Self.owner, to: world)
        let guest = try Self.signIn(Self.guest, to: world)
        func sessions(_ cookie: String) throws -> [[String: Any]] {
            let answer = try world.ask("GET", "/api/sessions", cookie: cookie)
            return try #require(answer.object["sessions"] as? [[String: Any]], "\(answer.text)")
        }
        let all = try sessions(owner)
        #expect(all.count == 2)
        #expect(all.count { $0["viewOnly"] as? Bool == true } == 1)
        let own = try sessions(guest)
        #expect(own.count == 1)
        let mine = try #require(own.first?["id"] as? String)
        let others = try #require(
            all.first { $0["viewOnly"] as? Bool == false }?["id"] as? String
        )
        let refused = try world.change("DELETE", "/api/sessions/\(others)", "", cookie: guest)
        #expect(refused.code == "viewOnly")
        #expect(
            try world.change("DELETE", "/api/sessions/\(mine)", "", cookie: guest).status == 200
        )
        #expect(try world.ask("GET", "/api/state", cookie: guest).status == 401)
        #expect(try sessions(owner).count == 1)
    }

    @Test func bothPasswordsAreLimitedTogether() throws {
        let world = try Self.serving(photos: 1)
        func attempt(_ password: String) throws -> RawAnswer {
            try world.ask(
                "POST",
                "/login",
                headers: [
                    "Origin": world.origin, "Content-Type": "application/x-www-form-urlencoded",
                ],
                body: Data("password=\(password)".utf8)
            )
        }
        for _ in 0..<10 { #expect(try attempt("wrong").code == "wrongPassword") }
        #expect(try attempt("just+looking").status == 429)
        #expect(try attempt("correct+horse").status == 429)
    }

    @Test(
        arguments: [
            (["--lan"], owner, "must differ"), (["--lan"], "short", "8 characters"),
            (["--lan", "--view-password-file", "/nowhere/file"], "", "/nowhere/file"),
            (["--view-password-file", "/nowhere/file"], "", "requires --lan or --behind-proxy"),
        ]
    ) func badPasswordsAreRefused(arguments: [String], password: String, words: String) throws {
        let folder = try TemporaryFolder("photos-view-only")
        var environment = [
            "PHOTOS_LIBRARY": folder.file("A.photolibrary").path,
            "XDG_STATE_HOME": folder.file("state").path,
            "XDG_CACHE_HOME": folder.file("cache").path, "PHOTOS_GALLERY_PASSWORD": Self.owner,
        ]
        if !password.isEmpty { environment["PHOTOS_GALLERY_VIEW_PASSWORD"] = password }
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["serve"] + arguments,
            environment: environment
        )
        #expect(output.status != 0)
        #expect(output.errorText.contains(words), "\(output.errorText)")
    }

    @Test func aFileGivesThePassword() throws {
        let folder = try TemporaryFolder("photos-view-only")
        let file = folder.file("password")
        try Data("\(Self.guest)\nand more\n".utf8).write(to: file)
        let world = try GalleryWorld(
            photos: 1,
            arguments: ["--lan", "--view-password-file", file.path],
            environment: ["PHOTOS_GALLERY_PASSWORD": Self.owner]
        )
        let guest = try Self.signIn(Self.guest, to: world)
        let state = try world.ask("GET", "/api/state", cookie: guest).object
        #expect(state["viewOnly"] as? Bool == true)
        #expect(world.interruptAndListen().errorText.contains("or view it with the view password"))
    }
}
