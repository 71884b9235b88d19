import Foundation
import TestSupport
import Testing

/// The gallery with `--lan` and behind a proxy, through raw requests over sockets.
@Suite(.timeLimit(.minutes(5))) struct NetworkTests {
    private static let password = ["PHOTOS_GALLERY_PASSWORD": "correct horse"]

    private static func serving(_ arguments: [String]) throws -> GalleryWorld {
        try GalleryWorld(photos: 1, arguments: arguments, environment: password)
    }

    /// Sends a password as the form does, and returns the cookie of a successful sign-in.
    private func login(
        _ world: GalleryWorld,
        _ password: String,
        host: String? = nil,
        origin: String? = nil,
        headers: [String: String] = [:],
        over connection: RawConnection? = nil
    ) throws -> (answer: RawAnswer, cookie: String) {
        let host = host ?? "127.0.0.1:\(world.port)"
        let all = [
            "Origin": origin ?? "http://\(host)",
            "Content-Type": "application/x-www-form-urlencoded",
        ].merging(headers) { $1 }
        let answer = try world.ask(
            "POST",
            "/login",
            cookie: "",
            host: host,
            headers: all,
            body: Data("password=\(password)".utf8),
            over: connection
        )
        return (answer, answer.status == 200 ? try world.keep(answer) : "")
    }

    @Test func wrongPasswordsLockOutNobodyElse() throws {
        let world = try Self.serving(["--lan"])
        let stranger = { try RawConnection(port: world.port, from: "127.0.0.2") }
        // A user at the stranger's address was signed in before.
        let inside = try login(world, "correct+horse", over: stranger())
        #expect(inside.answer.status == 200)
        var codes: [String?] = []
        for _ in 0..<12 {
            codes.append(try login(world, "battery+staple", over: stranger()).answer.code)
        }
        #expect(codes.prefix(10).allSatisfy { $0 == "wrongPassword" })
        #expect(codes.suffix(2).allSatisfy { $0 == "tooMany" })
        #expect(try login(world, "correct+horse", over: stranger()).answer.code == "tooMany")
        // Others sign in from other addresses of both kinds.
        #expect(try login(world, "correct+horse").answer.status == 200)
        let six = try RawConnection(port: world.port, to: "::1")
        let host = "[::1]:\(world.port)"
        #expect(try login(world, "correct+horse", host: host, over: six).answer.status == 200)
        // A signed-in user continues, and can unlock hidden photos.
        let unlocked = try world.ask(
            "POST",
            "/api/hidden",
            cookie: inside.cookie,
            headers: [
                "Origin": "http://127.0.0.1:\(world.port)", "X-Photos-Gallery": "1",
                "Content-Type": "application/json",
            ],
            body: Data("{\"unlock\":true,\"password\":\"correct horse\"}".utf8),
            over: stranger()
        )
        #expect(unlocked.status == 200, "\(unlocked.text)")
        // They are logged by address and count, without the typed text.
        let said = world.interruptAndListen().errorText
        let lines = said.split(separator: "\n").filter { $0.contains("wrong password") }
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.contains("client.address=127.0.0.2") })
        #expect(lines.last?.contains("client.attempts=10") == true)
        #expect(!said.contains("battery") && !said.contains("correct"))
    }

    @Test func theNetworkReachesItByIPv6() throws {
        let world = try Self.serving(["--lan"])
        for (address, host, status) in [
            ("::1", "[::1]:\(world.port)", 200), ("::1", "[0:0:0:0:0:0:0:1]:\(world.port)", 200),
            ("::1", "localhost:\(world.port)", 200), ("127.0.0.1", "127.0.0.1:\(world.port)", 200),
            ("127.0.0.1", "[::ffff:127.0.0.1]:\(world.port)", 200),
            ("::1", "[::1]:1", 403), ("::1", "[2001:db8::1]:\(world.port)", 403),
            ("::1", "127.0.0.1:\(world.port)", 403), ("127.0.0.1", "[::1]:\(world.port)", 403),
            ("::1", "::1:\(world.port)", 403), ("::1", "[::1", 403),
        ] {
            let connection = try RawConnection(port: world.port, to: address)
            let answer = try world.ask("GET", "/", host: host, over: connection)
            #expect(answer.status == status, "\(host) at \(address)")
        }
    }

    /// A container does not know the names of its host.
    @Test func namesOfTheEnvironmentAreAccepted() throws {
        let world = try GalleryWorld(
            photos: 1,
            arguments: ["--lan", "--name", "photos.example.org"],
            environment: Self.password.merging(["PHOTOS_GALLERY_NAMES": " NAS  192.0.2.5 "]) { $1 }
        )
        for (host, status) in [
            ("nas", 200), ("192.0.2.5", 200), ("photos.example.org", 200), ("192.0.2.6", 403),
            ("nas.example.org", 403),
        ] {
            let answer = try world.ask("GET", "/", host: "\(host):\(world.port)")
            #expect(answer.status == status, "\(host)")
        }
        #expect(try world.ask("GET", "/", host: "nas:1").code == "wrongHost")
        #expect(try login(world, "correct+horse", host: "nas:\(world.port)").answer.status == 200)
    }

    @Test(arguments: ["nas:8080", "nas http://nas", "::1"])
    func wrongNamesOfTheEnvironmentAreRefused(names: String) throws {
        let folder = try TemporaryFolder("photos-serve")
        let environment = [
            "PHOTOS_GALLERY_NAMES": names,
            "PHOTOS_LIBRARY": folder.file("A.photolibrary").path,
            "XDG_STATE_HOME": folder.file("state").path,
            "XDG_CACHE_HOME": folder.file("cache").path,
        ]
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["serve", "--lan"],
            environment: Self.password.merging(environment) { $1 }
        )
        #expect(output.status != 0)
        #expect(output.errorText.contains("$PHOTOS_GALLERY_NAMES"), "\(output.errorText)")
    }

    @Test func thisMachineAloneIsNotReachedByOthers() throws {
        let world = try GalleryWorld(photos: 1)
        #expect(throws: RawConnection.Refused.self) {
            try RawConnection(port: world.port, to: "::1")
        }
        let headers = [
            "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "photos.example.org",
            "X-Forwarded-Proto": "https",
        ]
        // Without a proxy, headers about one are ignored.
        let answer = try world.ask("GET", "/", host: "photos.example.org", headers: headers)
        #expect(answer.code == "wrongHost")
        try world.enter()
        #expect(try world.ask("GET", "/api/state", headers: headers).status == 200)
    }

    @Test func aProxyOnThisMachineNamesItsClients() throws {
        let world = try Self.serving(["--behind-proxy", "https://photos.example.org"])
        let (host, origin) = ("photos.example.org", "https://photos.example.org")
        func attempt(_ password: String, _ headers: [String: String]) throws -> RawAnswer {
            try login(world, password, host: host, origin: origin, headers: headers).answer
        }
        // A client of the proxy cannot lock out others, nor impersonate another client by its own
        // headers.
        for number in 0..<10 {
            let chain = "198.51.100.\(number), 203.0.113.9"
            #expect(try attempt("wrong", ["X-Forwarded-For": chain]).code == "wrongPassword")
        }
        #expect(try attempt("correct+horse", ["X-Forwarded-For": "203.0.113.9"]).code == "tooMany")
        let forged = ["X-Forwarded-For": "203.0.113.9", "Forwarded": "for=198.51.100.77"]
        #expect(try attempt("correct+horse", forged).code == "badRequest")
        let other = try attempt("correct+horse", ["X-Forwarded-For": "203.0.113.10"])
        #expect(other.status == 200)
        let cookie = try #require(other.headers["set-cookie"])
        #expect(cookie.hasSuffix("; Secure"))
        // IPv6 networks are counted, since their machines choose addresses freely.
        for number in 0..<10 {
            let answer = try attempt("wrong", ["Forwarded": "for=\"[2001:db8::\(number)]:4711\""])
            #expect(answer.code == "wrongPassword")
        }
        let last = ["Forwarded": "for=\"[2001:db8::99]\""]
        #expect(try attempt("correct+horse", last).code == "tooMany")
        let neighbor = ["Forwarded": "for=\"[2001:db8:0:1::99]\""]
        #expect(try attempt("correct+horse", neighbor).status == 200)

        // The page's only origin is that of the proxy.
        let session = String(cookie.prefix { $0 != ";" })
        func state(_ headers: [String: String], host: String = host) throws -> RawAnswer {
            try world.ask("GET", "/api/state", cookie: session, host: host, headers: headers)
        }
        #expect(try state(["Origin": origin]).status == 200)
        for wrong in ["http://photos.example.org", "https://photos.example.org:8443", "null"] {
            #expect(try state(["Origin": wrong]).code == "crossSite", "\(wrong)")
        }
        let own = "127.0.0.1:\(world.port)"
        let handed = ["X-Forwarded-Host": host, "X-Forwarded-Proto": "https", "Origin": origin]
        #expect(try state(handed, host: own).status == 200)
        #expect(try state(handed, host: "evil.example").code == "wrongHost")
        #expect(try state(["X-Forwarded-For": "203.0.113.9"], host: own).code == "wrongHost")
        #expect(try state(["X-Forwarded-Proto": "http"]).code == "wrongHost")
        #expect(try state(["X-Forwarded-Host": "evil.example"], host: own).code == "wrongHost")
        // The machine itself continues to use its link.
        #expect(try world.ask("GET", "/", cookie: "", host: own).status == 200)
        let said = world.interruptAndListen().errorText
        #expect(said.contains("https://photos.example.org/"))
        #expect(said.contains("client.address=203.0.113.9"))
    }

    @Test func aProxyFindsItAtASocket() throws {
        // The address of a socket has at most 107 bytes.
        let folder = try TemporaryFolder("s", in: URL(fileURLWithPath: "/tmp"))
        let path = folder.file("gallery.sock").path
        let world = try Self.serving([
            "--behind-proxy", "https://photos.example.org:8443", "--unix-socket", path,
        ])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o660)
        let host = "photos.example.org:8443"
        func enter(_ password: String, client: String) throws -> RawAnswer {
            try login(
                world,
                password,
                host: host,
                origin: "https://\(host)",
                headers: ["X-Forwarded-For": client],
                over: RawConnection(path: path)
            ).answer
        }
        for _ in 0..<11 { _ = try enter("wrong", client: "203.0.113.9") }
        #expect(try enter("correct+horse", client: "203.0.113.9").code == "tooMany")
        #expect(try enter("correct+horse", client: "203.0.113.10").status == 200)
        for wrong in ["localhost", "127.0.0.1", "photos.example.org", "evil.example"] {
            let answer = try world.ask("GET", "/", host: wrong, over: RawConnection(path: path))
            #expect(answer.code == "wrongHost", "\(wrong)")
        }
        // A second server does not take it away.
        let second = try ProcessRunner.run(
            BuiltProducts.photos.path,
            [
                "serve", "--behind-proxy", "https://photos.example.org", "--unix-socket", path,
            ],
            environment: world.environment
        )
        #expect(second.status != 0)
        #expect(second.errorText.contains("another program is listening at \(path)"))
        #expect(try enter("correct+horse", client: "203.0.113.10").status == 200)
        #expect(world.interrupt() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func filesForTLSAreLookedAtBeforeItListens() throws {
        let folder = try TemporaryFolder("photos-tls")
        func make(_ name: String) throws {
            let output = try ProcessRunner.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-keyout", folder.file("\(name).key").path, "-out",
                    folder.file("\(name).pem").path, "-days", "2", "-subj", "/CN=\(name)",
                    "-addext", "subjectAltName=DNS:\(name)",
                ]
            )
            try #require(output.status == 0, "\(output.errorText)")
        }
        try make("a.example")
        try make("b.example")
        let (certificate, key) = (
            folder.file("a.example.pem").path, folder.file("a.example.key").path
        )
        let text = folder.file("text").path
        try Data("nothing".utf8).write(to: folder.file("text"))
        chmod(text, 0o600)
        func serve(_ certificate: String, _ key: String) throws -> ProcessRunner.Output {
            try ProcessRunner.run(
                BuiltProducts.photos.path,
                ["serve", "--lan", "--tls-cert", certificate, "--tls-key", key],
                environment: Self.password.merging(
                    [
                        "PHOTOS_LIBRARY": folder.file("A.photolibrary").path,
                        "XDG_STATE_HOME": folder.file("state").path,
                        "XDG_CACHE_HOME": folder.file("cache").path,
                    ]
                ) { $1 }
            )
        }
        for mode: mode_t in [0o640, 0o604, 0o660, 0o644] {
            chmod(key, mode)
            let output = try serve(certificate, key)
            #expect(output.status != 0)
            #expect(output.errorText.contains("Other users can read the key"))
            #expect(output.errorText.contains("chmod 600 \(key)"))
        }
        chmod(key, 0o600)
        let others = folder.file("b.example.key").path
        chmod(others, 0o600)
        #expect(try serve(certificate, others).errorText.contains("does not belong to"))
        #expect(try serve(certificate, text).errorText.contains("no unencrypted private key"))
        #expect(try serve(text, key).errorText.contains("The certificate \(text) cannot be used"))
        let missing = folder.file("missing").path
        #expect(try serve(missing, key).errorText.contains("\(missing) cannot be read"))
        #expect(try serve(folder.path, key).errorText.contains("it is not a file"))
    }

    @Test(
        arguments: [
            (["--tls-cert", "a"], "given together"),
            (["--lan", "--tls-key", "a"], "given together"),
            (["--tls-cert", "a", "--tls-key", "b"], "require --lan"),
            (["--unix-socket", "a"], "requires --behind-proxy"),
            (["--lan", "--unix-socket", "a", "--behind-proxy", "http://a"], "without --lan"),
            (["--behind-proxy", "https://a.example/photos"], "is not a valid address for a proxy"),
            (["--behind-proxy", "photos"], "is not a valid address for a proxy"),
            (["--port", "1", "--unix-socket", "a", "--behind-proxy", "http://a"], "--port cannot"),
            (["--password-file", "a"], "requires --lan or --behind-proxy"),
            (["--new-link", "--lan"], "starts no gallery"),
            (["--new-link", "--idle-timeout", "9"], "starts no gallery"),
        ]
    ) func choicesThatMeanNothingAreRefused(arguments: [String], words: String) throws {
        let folder = try TemporaryFolder("photos-serve")
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["serve"] + arguments,
            environment: Self.password.merging(
                [
                    "PHOTOS_LIBRARY": folder.file("A.photolibrary").path,
                    "XDG_STATE_HOME": folder.file("state").path,
                    "XDG_CACHE_HOME": folder.file("cache").path,
                ]
            ) { $1 }
        )
        #expect(output.status != 0)
        #expect(output.errorText.contains(words), "\(output.errorText)")
    }
}
