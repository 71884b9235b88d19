import Foundation
import TestSupport
import Testing

/// A photo that is hidden while a request for it waits: the response is that for a hidden photo.
@Suite(.timeLimit(.minutes(5))) struct HiddenMeanwhileTests {
    private let world: GalleryWorld
    /// A photo whose rendering takes long.
    private let id: String

    init() throws {
        world = try GalleryWorld(photos: 1)
        let file = world.folder.file("black.png")
        let drawn = try ProcessRunner.run(
            "vips",
            ["black", file.path + "[compression=9]", "5300", "5300", "--bands", "3"]
        )
        try #require(drawn.status == 0, "\(drawn.errorText)")
        try world.add(file: "black.png", Data(contentsOf: file))
        try world.enter()
        let large = try world.assets().first { $0["width"] as? Int == 5_300 }
        id = try #require(large?["id"] as? String)
    }

    /// Returns the processor time of each worker of the server, in clock ticks.
    private func workerTimes() throws -> [String: Int] {
        let children = try ProcessRunner.run("ps", ["-o", "pid=", "--ppid", "\(world.process)"])
        var times: [String: Int] = [:]
        for line in children.lines {
            let number = line.trimmingCharacters(in: .whitespaces)
            // What follows the program's name begins with the third field.
            let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12 else { continue }
            times[number] = (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
        }
        return times
    }

    /// Requests the photo, hides it while it is rendered, and returns the response.
    ///
    /// The server is suspended meanwhile, so that it does not respond before.
    private func pictureHiddenMeanwhile() throws -> RawAnswer {
        let before = try workerTimes()
        let connection = try RawConnection(port: world.port)
        let head = """
            GET /api/assets/\(id)/picture?size=0 HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n\
            \(world.proof())Connection: close\r\n\r\n
            """
        connection.send(Data(head.utf8))
        let deadline = ContinuousClock.now + .seconds(60)
        var isRendering = false
        while !isRendering, ContinuousClock.now < deadline {
            isRendering = try workerTimes().contains { $0.value >= (before[$0.key] ?? 0) + 3 }
        }
        try #require(isRendering)
        world.pause()
        defer { world.resume() }
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", "--hidden", "true", id],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
        world.resume()
        return try RawAnswer(connection.exchange(Data()))
    }

    @Test func aLockedSessionDoesNotReceiveIt() throws {
        let answer = try pictureHiddenMeanwhile()
        #expect(answer.status == 404, "\(answer.headers)")
    }

    @Test func theBrowserOfAnUnlockedSessionDoesNotStoreIt() throws {
        let unlock = try world.change("POST", "/api/hidden", "{\"unlock\":true}")
        let key = try #require(unlock.headers["set-cookie"]?.split(separator: ";").first)
        world.add(cookie: String(key))
        let answer = try pictureHiddenMeanwhile()
        #expect(answer.status == 200)
        #expect(answer.headers["cache-control"] == "no-store")
        // It is not in the cache of a session that was locked meanwhile, either.
        _ = try world.change("POST", "/api/hidden", "{\"unlock\":false}")
        #expect(try world.ask("GET", "/api/assets/\(id)/picture?size=0").status == 404)
    }
}
