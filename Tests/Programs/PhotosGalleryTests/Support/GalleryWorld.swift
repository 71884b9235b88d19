import Foundation
import TestSupport
import Testing

/// A library of sample photos and a real `photos serve` process on it, which ends with its owner.
final class GalleryWorld {
    let folder: TemporaryFolder
    let port: Int
    /// The token of the printed link, which works once.
    let token: String
    /// The environment of the server.
    let environment: [String: String]
    /// The cookie of a signed-in browser.
    private(set) var cookie = ""
    /// By session cookie, the data that the session's page holds.
    private var pages: [String: Page] = [:]
    private var isTokenUsed = false
    private let server: RunningProcess

    /// The data that a page receives in addition to the cookie.
    struct Page: Decodable {
        var secret: String
        var keys: [String: String]
    }

    init(photos: Int = 6, arguments: [String] = [], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder("photos-gallery-test")
        var own = [
            "PHOTOS_LIBRARY": folder.file("A.photolibrary").path,
            "XDG_STATE_HOME": try folder.folder("state").path,
            "XDG_CACHE_HOME": try folder.folder("cache").path,
            "TMPDIR": try folder.folder("tmp").path,
        ]
        own.merge(environment) { $1 }
        self.environment = own
        let command = BuiltProducts.photos.path
        let template = try GalleryTemplate.of(photos)
        for name in ["A.photolibrary", "samples"] {
            try FileManager.default.copyItem(at: template.file(name), to: folder.file(name))
        }
        server = try ProcessRunner.start(
            command,
            ["serve", "--json"] + arguments,
            environment: own
        )
        let link = server.output { Self.link(in: $0) }
        var errors = ""
        if link == nil {
            server.kill()
            errors = server.wait().errorText
        }
        let found = try #require(link, "photos serve printed no link: \(errors)")
        port = try #require(found.port)
        token = try #require(found.fragment?.split(separator: "=").last.map(String.init))
    }

    deinit {
        server.kill()
        _ = server.wait()
    }

    private static func link(in output: Data) -> URL? {
        struct Line: Decodable {
            var link: URL
        }
        let line = output.split(separator: UInt8(ascii: "\n")).first
        return line.flatMap { try? JSONDecoder().decode(Line.self, from: Data($0)) }?.link
    }

    /// Ends the server as Ctrl-C does, and returns its status.
    func interrupt() -> Int32 { interruptAndListen().status }

    /// Ends the server as Ctrl-C does, and returns its status and output.
    func interruptAndListen() -> ProcessRunner.Output {
        server.interrupt()
        return server.wait()
    }

    /// Kills the server at once, as a power cut would.
    func end() {
        server.kill()
        _ = server.wait()
    }

    /// Waits until the server ends by itself, and returns its status and output.
    func wait() -> ProcessRunner.Output { server.wait() }

    /// The origin of the page.
    var origin: String { "http://127.0.0.1:\(port)" }

    /// The server's process.
    var process: Int32 { server.identifier }

    /// Suspends the server until it is resumed.
    func pause() { kill(server.identifier, SIGSTOP) }

    /// Resumes a suspended server.
    func resume() { kill(server.identifier, SIGCONT) }

    // MARK: - Asking

    /// Signs in with the link, as a browser does.
    func enter() throws { cookie = try enterElsewhere() }

    /// Signs in as another browser does, and returns its cookie.
    func enterElsewhere(agent: String = "") throws -> String {
        let token = isTokenUsed ? try newToken() : token
        isTokenUsed = true
        let answer = try exchange(token, agent: agent)
        try #require(answer.status == 200, "\(answer.text)")
        return try keep(answer)
    }

    /// Exchanges a link's token for a session.
    func exchange(_ token: String, cookie: String = "", agent: String = "") throws -> RawAnswer {
        try change(
            "POST",
            "/api/session",
            "{\"token\":\"\(token)\"}",
            cookie: cookie,
            headers: ["User-Agent": agent]
        )
    }

    /// Stores the credentials of a sign-in, and returns the cookie.
    func keep(_ answer: RawAnswer) throws -> String {
        let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
        pages[String(cookie)] = try JSONDecoder().decode(Page.self, from: answer.body)
        return String(cookie)
    }

    /// Returns another link of the running server, as `photos serve --new-link` prints it.
    func newToken() throws -> String {
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["serve", "--new-link", "--port", "\(port)"],
            environment: environment
        )
        try #require(output.status == 0, "\(output.errorText)")
        let token = output.text.trimmingCharacters(in: .newlines).components(separatedBy: "#token=")
        return try #require(token.count == 2 ? token.last : nil)
    }

    /// Adds a cookie to the sent ones.
    func add(cookie other: String) { cookie += cookie.isEmpty ? other : "; " + other }

    /// Returns the data of a session's page, or nil for a session that did not sign in here.
    func page(of cookie: String) -> Page? {
        cookie.components(separatedBy: "; ").compactMap { pages[$0] }.first
    }

    /// Returns the header lines that prove a request's origin, with a final line end.
    func proof(_ cookie: String? = nil) -> String {
        let cookie = cookie ?? self.cookie
        let secret = page(of: cookie).map { "X-Photos-Secret: \($0.secret)\r\n" } ?? ""
        return "Cookie: \(cookie)\r\n" + secret
    }

    /// Sends one request over a separate connection, with exactly these headers.
    func ask(
        _ method: String,
        _ path: String,
        cookie: String? = nil,
        host: String? = nil,
        headers: [String: String] = [:],
        body: Data = Data(),
        over connection: RawConnection? = nil
    ) throws -> RawAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
        let cookie = cookie ?? self.cookie
        if !cookie.isEmpty { lines.append("Cookie: \(cookie)") }
        if headers["X-Photos-Secret"] == nil, let page = page(of: cookie) {
            lines.append("X-Photos-Secret: \(page.secret)")
        }
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        for (name, value) in headers where !value.isEmpty { lines.append("\(name): \(value)") }
        lines.append("Connection: close")
        let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        let open = try connection ?? RawConnection(port: port)
        return try RawAnswer(open.exchange(head + body))
    }

    /// Returns the assets of the library, as in the page's lists.
    func assets() throws -> [[String: Any]] {
        let timeline = try ask("GET", "/api/timeline")
        let snapshot = try #require(timeline.object["snapshot"] as? String, "\(timeline.text)")
        let page = try ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=500")
        return try #require(page.object["assets"] as? [[String: Any]], "\(page.text)")
    }

    /// Returns an asset of the library.
    func asset(_ id: String) throws -> [String: Any] {
        try #require(try assets().first { $0["id"] as? String == id })
    }

    /// Returns the address of a photo's edit, with the version that it replaces.
    func edit(of id: String) throws -> String {
        let state = try ask("GET", "/api/assets/\(id)/edit")
        let version = try #require(state.object["version"] as? Int, "\(state.text)")
        return "/api/assets/\(id)/edit?version=\(version)"
    }

    /// Imports a file with the command.
    func add(file name: String, _ bytes: Data) throws {
        let file = folder.file(name)
        try bytes.write(to: file)
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["import", file.path],
            environment: environment
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// Waits until a value is found, with another look after each event that the server sends.
    ///
    /// Returns nil if the time is up or the stream of events ended. The session `cookie` receives
    /// them, by default the world's own.
    func value<Value>(
        seconds: Double = 240,
        cookie: String? = nil,
        _ look: () throws -> Value?
    ) throws -> Value? {
        let events = try RawConnection(port: port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        events.send(Data((head + proof(cookie) + "\r\n").utf8))
        // What happens after the welcome is an event of this stream.
        guard events.read(until: ": welcome") else { return nil }
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let value = try look() { return value }
            guard ContinuousClock.now < deadline, events.receive() != nil else { return nil }
        }
    }

    /// Waits until an import is not running any more, and returns its last state.
    func importEnd(_ session: String, cookie: String? = nil) throws -> RawAnswer {
        let end = try value {
            let state = try ask("GET", "/api/imports/\(session)", cookie: cookie)
            return state.object["state"] as? String == "importing" ? nil : state
        }
        return try #require(end, "the import does not end")
    }

    /// Requests a change as the page does.
    func change(
        _ method: String,
        _ path: String,
        _ json: String,
        type: String = "application/json",
        cookie: String? = nil,
        headers: [String: String] = [:]
    ) throws -> RawAnswer {
        try ask(
            method,
            path,
            cookie: cookie,
            headers: [
                "Origin": "http://127.0.0.1:\(port)", "X-Photos-Gallery": "1", "Content-Type": type,
            ].merging(headers) { $1 },
            body: Data(json.utf8)
        )
    }
}
