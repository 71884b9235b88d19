import Foundation
import TestSupport
import Testing

/// A client that does not read its event stream.
@Suite(.timeLimit(.minutes(5))) struct SlowReaderTests {
    /// The number of changes; their events exceed what sockets and the stream hold.
    private static let changes = 300

    @Test func itsStreamEndsInsteadOfGrowing() throws {
        // Each change sends an entry of each photo, about 30 KB for all.
        let world = try GalleryWorld(photos: 60)
        try world.enter()
        let timeline = try world.ask("GET", "/api/timeline")
        let snapshot = try #require(timeline.object["snapshot"] as? String, "\(timeline.text)")
        let ids = try world.assets().compactMap { $0["id"] as? String }
        let names = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let silent = try RawConnection(port: world.port)
        func listen(_ parameters: String, over connection: RawConnection) {
            let head = "GET /api/events\(parameters) HTTP/1.1\r\nConnection: close\r\n"
            let rest = "Host: 127.0.0.1:\(world.port)\r\n\(world.proof())\r\n"
            connection.send(Data((head + rest).utf8))
        }
        listen("?snapshot=\(snapshot)", over: silent)
        #expect(silent.read(until: ": welcome"))
        for number in 0..<Self.changes {
            let body = "{\"action\":\"favorite\",\"ids\":[\(names)],\"value\":\(number % 2 == 0)}"
            let done = try world.change("POST", "/api/changes", body)
            try #require(done.status == 200, "\(done.text)")
            // This waits for the events of the change.
            #expect(try world.ask("GET", "/api/timeline").status == 200)
        }
        let sidebar = try world.ask("GET", "/api/collections").object
        let version = try #require(sidebar["version"] as? Int)
        let last = Data("{\"version\":\(version)}".utf8)
        // What was queued still arrives, but not the last event.
        var tail = Data()
        var hasLast = false
        while !hasLast, let part = silent.receive() {
            tail = tail.suffix(last.count) + part
            hasLast = tail.firstRange(of: last) != nil
        }
        #expect(!hasLast)
        // A client that connects again begins with it.
        let again = try RawConnection(port: world.port)
        listen("", over: again)
        #expect(again.read(until: String(decoding: last, as: UTF8.self)))
    }
}
