import Foundation
import TestSupport
import Testing

/// The end of a server that a click started, after the last page of the gallery is closed.
@Suite(.timeLimit(.minutes(2))) struct IdleTimeoutTests {
    @Test func itEndsWhenTheLastBrowserIsGone() throws {
        let world = try GalleryWorld(photos: 1, arguments: ["--idle-timeout", "3"])
        try world.enter()
        do {
            let listening = try RawConnection(port: world.port)
            let head =
                "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n"
                + world.proof() + "\r\n"
            listening.send(Data(head.utf8))
            #expect(listening.read(until: ": welcome"))
            // The stream's own heartbeat is sent after fifteen seconds, five times the timeout.
            #expect(listening.read(until: ": here"))
            #expect(try world.ask("GET", "/api/state").status == 200)
        }
        let output = world.wait()
        #expect(output.status == 0, "\(output.errorText)")
    }

    @Test func itEndsWhenNobodyEverComes() throws {
        let world = try GalleryWorld(photos: 1, arguments: ["--idle-timeout", "1"])
        #expect(world.wait().status == 0)
    }

    @Test(arguments: ["0", "-1", "1000001"]) func lengthsHaveLimits(seconds: String) throws {
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["serve", "--idle-timeout=\(seconds)"]
        )
        #expect(output.status == 2, "\(output.errorText)")
        #expect(output.errorText.contains("--idle-timeout"), "\(output.errorText)")
    }
}
