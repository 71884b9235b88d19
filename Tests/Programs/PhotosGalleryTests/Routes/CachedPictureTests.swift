import Foundation
import TestSupport
import Testing

/// Images that are requested again over an open connection, which do without the router.
@Suite(.timeLimit(.minutes(3))) struct CachedPictureTests {
    private let world: GalleryWorld
    private let id: String
    private let path: String

    init() throws {
        world = try GalleryWorld(photos: 3)
        try world.enter()
        id = try #require(try world.assets().first?["id"] as? String)
        path = "/api/assets/\(id)/picture?size=64&fit=fill"
    }

    /// A connection that stays open, and what came over it after the last answer.
    private final class Line {
        let connection: RawConnection
        var rest = Data()

        init(port: Int) throws { connection = try RawConnection(port: port) }

        func answer() throws -> RawAnswer {
            let end = Data("\r\n\r\n".utf8)
            while true {
                if let found = rest.firstRange(of: end) {
                    let head = try RawAnswer(rest[..<found.upperBound])
                    let length = head.headers["content-length"].flatMap { Int($0) } ?? 0
                    let whole = found.upperBound + length
                    if rest.endIndex >= whole {
                        defer { rest = Data(rest[whole...]) }
                        return try RawAnswer(Data(rest[..<whole]))
                    }
                }
                rest += try #require(connection.receive(), "the connection was closed")
            }
        }
    }

    private func request(_ path: String, _ fields: String = "", host: String? = nil) -> String {
        "GET \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(world.port)")\r\n\(fields)\r\n"
    }

    private func ask(
        _ line: Line,
        _ path: String,
        _ fields: String? = nil,
        host: String? = nil
    ) throws -> RawAnswer {
        let text = request(path, fields ?? world.proof(), host: host)
        line.connection.send(Data(text.utf8))
        return try line.answer()
    }

    /// A connection over which the image was requested until it is in memory.
    private func warmLine() throws -> Line {
        let line = try Line(port: world.port)
        for _ in 0..<3 { #expect(try ask(line, path).status == 200) }
        return line
    }

    @Test func laterAnswersAreTheSameAsTheFirst() throws {
        let line = try Line(port: world.port)
        func named(_ answer: RawAnswer) -> [String: String] {
            answer.headers.filter { $0.key != "date" }
        }
        let first = try ask(line, path)
        #expect(first.status == 200)
        for _ in 0..<3 {
            let next = try ask(line, path)
            #expect(next.status == 200)
            #expect(next.body == first.body)
            #expect(named(next) == named(first))
            let date = next.headers["date"] ?? ""
            #expect(date.contains(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/), "\(date)")
        }
        let tag = try #require(first.headers["etag"])
        let known = try ask(line, path, world.proof() + "If-None-Match: \(tag)\r\n")
        #expect(known.status == 304)
        #expect(known.body.isEmpty)
        #expect(known.headers["cache-control"] == "private, no-cache")
        // What is not valid is refused in words, and the connection goes on.
        #expect(try ask(line, path + "&quality=best").status == 400)
        #expect(try ask(line, path).body == first.body)
    }

    @Test func answersKeepTheOrderOfTheirRequests() throws {
        let line = try warmLine()
        let proof = world.proof()
        let all = [path, "/api/state", path, path, "/api/assets/\(id)", path]
        line.connection.send(Data(all.map { request($0, proof) }.joined().utf8))
        let types = try all.map { _ in try line.answer().headers["content-type"] }
        let json = "application/json"
        #expect(types == ["image/jpeg", json, "image/jpeg", "image/jpeg", json, "image/jpeg"])
    }

    @Test func whoeverMayNotSeeItGetsNothing() throws {
        let line = try warmLine()
        let proof = world.proof()
        let cookie = "Cookie: \(world.cookie)\r\n"
        #expect(try ask(line, path, "").status == 401)
        #expect(try ask(line, path, cookie).status == 401)
        #expect(try ask(line, path, cookie + "X-Photos-Secret: 1\r\n").status == 401)
        #expect(try ask(line, path + "&key=1", cookie).status == 401)
        let key = try #require(world.page(of: world.cookie)?.keys["movie"])
        #expect(try ask(line, path + "&key=\(key)", cookie).status == 401)
        #expect(try ask(line, path, proof, host: "photos.example:\(world.port)").status == 403)
        #expect(try ask(line, path, proof + "Origin: http://photos.example\r\n").status == 403)
        #expect(try ask(line, path, proof + "Sec-Fetch-Site: cross-site\r\n").status == 403)
        let own = try #require(world.page(of: world.cookie)?.keys["picture"])
        #expect(try ask(line, path + "&key=\(own)", cookie).status == 200)
        #expect(try ask(line, path).status == 200)
    }

    @Test func hidingAPhotoAppliesToTheNextRequest() throws {
        let line = try warmLine()
        let hidden = try world.change(
            "POST",
            "/api/changes",
            "{\"action\":\"hide\",\"ids\":[\"\(id)\"],\"value\":true}"
        )
        #expect(hidden.status == 200, "\(hidden.text)")
        #expect(try ask(line, path).status == 404)
        // Another program, without telling the server.
        let other = try #require(try world.assets().first?["id"] as? String)
        let otherPath = "/api/assets/\(other)/picture?size=64&fit=fill"
        for _ in 0..<3 { #expect(try ask(line, otherPath).status == 200) }
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", "\(other)/L0/001", "--hidden", "true"],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
        #expect(try ask(line, otherPath).status == 404)
    }

    @Test func anEndedSessionGetsNothing() throws {
        let line = try warmLine()
        let proof = world.proof()
        let other = try world.enterElsewhere()
        let ended = try world.change("DELETE", "/api/sessions", "{}", cookie: other)
        #expect(ended.status == 200, "\(ended.text)")
        #expect(try ask(line, path, proof).status == 401)
    }
}
