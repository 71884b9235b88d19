import Foundation
import TestSupport
import Testing

/// Small files with many pixels do not exhaust the memory.
@Suite(.timeLimit(.minutes(10))) struct LargePictureTests {
    /// Creates a gallery with black pictures of some sizes, and returns their identifiers by width.
    private static func world(_ sizes: [(Int, Int)]) throws -> (GalleryWorld, [Int: String]) {
        let world = try GalleryWorld(photos: 1)
        for (width, height) in sizes {
            let file = world.folder.file("black\(width).png").path
            let drawn = try ProcessRunner.run(
                "vips",
                ["black", file + "[compression=9]", "\(width)", "\(height)", "--bands", "3"]
            )
            try #require(drawn.status == 0, "\(drawn.errorText)")
            let added = try ProcessRunner.run(
                BuiltProducts.photos.path,
                ["import", file],
                environment: world.environment
            )
            try #require(added.status == 0, "\(added.errorText)")
        }
        try world.enter()
        var identifiers: [Int: String] = [:]
        for asset in try world.assets() {
            guard let width = asset["width"] as? Int else { continue }
            identifiers[width] = asset["id"] as? String
        }
        return (world, identifiers)
    }

    /// Returns the peak memory of a process in bytes.
    private static func peak(of process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) * 1_024
    }

    /// Returns the peak memory of a server's worker in bytes.
    private static func workerPeak(of server: Int32) throws -> Int {
        let children = try ProcessRunner.run("ps", ["-o", "pid=", "--ppid", "\(server)"])
        let numbers = children.lines.compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) }
        return numbers.compactMap { try? peak(of: $0) }.max() ?? 0
    }

    @Test func whatIsTooLargeIsRefusedWithItsFile() throws {
        // Wide ones are drawn quickly.
        let (world, identifiers) = try Self.world([(30_000, 2_500)])
        let id = try #require(identifiers[30_000])
        let server = try Self.peak(of: world.process)
        for query in ["size=0", "size=0&version=original", "size=0&version=unadjusted"] {
            let answer = try world.ask("GET", "/api/assets/\(id)/picture?" + query)
            #expect(answer.status == 413 && answer.code == "tooLarge", "\(query): \(answer.text)")
            let error = try #require(answer.object["error"] as? [String: Any])
            #expect(error["largest"] as? Int == 8_192, "\(answer.text)")
            let link = try #require(error["original"] as? String)
            let file = try world.ask("GET", link)
            let bytes = try Data(contentsOf: world.folder.file("black30000.png"))
            #expect(file.status == 200 && file.body == bytes)
        }
        let square = try world.ask("GET", "/api/assets/\(id)/picture?size=8192&fit=fill")
        #expect(square.status == 413)
        #expect(try Self.peak(of: world.process) - server < 64 << 20)
        let largest = try world.ask("GET", "/api/assets/\(id)/picture?size=8192")
        #expect(largest.status == 200)
        #expect(largest.jpegSize?.width == 8_192)
        #expect(try world.ask("GET", "/api/assets/\(id)/picture?size=512").status == 200)
    }

    @Test func largePicturesAreMadeOneAtATime() async throws {
        let (world, identifiers) = try Self.world([(5_300, 5_300)])
        let id = try #require(identifiers[5_300])
        #expect(try world.ask("GET", "/api/assets/\(id)/picture?size=64").status == 200)
        let before = try Self.peak(of: world.process)
        // Each of another size, so that no result is shared.
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for size in [0, 5_200, 5_000, 4_800] {
                let asking = Asking(world: world, path: "/api/assets/\(id)/picture?size=\(size)")
                group.addTask { try asking.status() }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200])
        // The pixels of one take 107 MB, and are held twice.
        #expect(try Self.peak(of: world.process) - before < 300 << 20)
        #expect(try Self.workerPeak(of: world.process) < 256 << 20)
    }
}

/// A request that runs concurrently with others.
///
/// Unchecked because the world does not change during the requests.
private struct Asking: @unchecked Sendable {
    let world: GalleryWorld
    let path: String

    func status() throws -> Int { try world.ask("GET", path).status }
}
