import Foundation
import TestSupport
import Testing

/// The events that a browser receives when permission is changed elsewhere.
@Suite(.timeLimit(.minutes(2))) struct AccessFollowerTests {
    private let world: GalleryWorld
    private let listening: RawConnection

    init() throws {
        world = try GalleryWorld(photos: 1)
        try world.enter()
        try Self.grant(world)
        listening = try RawConnection(port: world.port)
        let head =
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
            + world.proof() + "\r\n"
        listening.send(Data(head.utf8))
        #expect(listening.read(until: ": welcome"))
    }

    @Test func whatIsTakenBackBeforeTheNextLookIsTold() throws {
        let choice = #"{"program": "org.example.frame", "readWrite": "denied"}"#
        let answer = try world.change("PUT", "/api/access", choice)
        // The gallery polls twice per second.
        world.pause()
        #expect(answer.status == 200, "\(answer.text)")
        try Self.grant(world)
        world.resume()
        let heard = listening.text(until: "event: access", times: 2)
        #expect(heard.components(separatedBy: "event: access").count >= 3, "\(heard)")
    }

    private static func grant(_ world: GalleryWorld) throws {
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["access", "grant", "org.example.frame"],
            environment: world.environment.mapValues { $0 as String? }
        )
        try #require(output.status == 0, "\(output.errorText)")
    }
}
