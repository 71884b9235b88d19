import Foundation
import TestSupport
import Testing

/// The lists that the server keeps while many others are requested.
@Suite(.timeLimit(.minutes(3))) struct FollowedListTests {
    private let world: GalleryWorld

    init() throws {
        world = try GalleryWorld(photos: 2)
        try world.enter()
    }

    /// Requests a list, and returns the name of its state.
    private func list(_ predicate: String = "") throws -> String {
        let timeline = try world.ask("GET", "/api/timeline?predicate=" + predicate)
        return try #require(timeline.object["snapshot"] as? String, "\(timeline.text)")
    }

    private func isKept(_ snapshot: String) throws -> Bool {
        let answer = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0")
        return answer.code != "gone"
    }

    /// Follows a list as an open window does.
    private func follow(_ snapshot: String) throws -> RawConnection {
        let stream = try RawConnection(port: world.port)
        let head =
            "GET /api/events?snapshot=\(snapshot) HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
        stream.send(Data((head + world.proof() + "\r\n").utf8))
        #expect(stream.read(until: ": welcome"))
        return stream
    }

    @Test func aListThatAWindowShowsIsKept() throws {
        let first = try list()
        let followed = try list("isFavorite+%3D+NO")
        let stream = try follow(followed)
        var others: [String] = []
        for width in 1...40 { others.append(try list("pixelWidth+%3E+\(width)")) }
        #expect(try !isKept(others[0]))
        #expect(try isKept(others[39]))
        #expect(try isKept(first))
        #expect(try isKept(followed))
        // The window receives the changes of its list.
        let id = try #require(try world.assets().first?["id"] as? String)
        let body = "{\"action\":\"favorite\",\"ids\":[\"\(id)\"],\"value\":true}"
        #expect(try world.change("POST", "/api/changes", body).status == 200)
        let heard = stream.text(until: "event: collections", times: 1)
        #expect(heard.contains("event: changes"), "\(heard)")
    }

    @Test func moreListsThanTheLimitAreFollowed() throws {
        var streams: [RawConnection] = []
        var followed: [String] = []
        for width in 1...40 {
            followed.append(try list("pixelWidth+%3E+\(width)"))
            streams.append(try follow(followed[width - 1]))
        }
        for snapshot in followed { #expect(try isKept(snapshot)) }
        // Another list replaces no followed one either.
        #expect(try isKept(try list("isFavorite+%3D+YES")))
        #expect(try isKept(followed[0]))
        withExtendedLifetime(streams) {}
    }
}
