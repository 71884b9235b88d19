import Foundation
import Photos
import PhotosManagement
import Testing

/// Several processes that change a library concurrently and follow the changes of all.
///
/// `PHOTOS_CHANGES` sets the number of changes per process, by default 20.
@Suite(.timeLimit(.minutes(60))) struct ManyObserversTests {
    private static let processes = 8
    private static let changes =
        ProcessInfo.processInfo.environment["PHOTOS_CHANGES"].flatMap(Int.init) ?? 20

    @Test("Eight processes change and observe, and all end on the same state")
    func sameState() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let library = try ChangingLibrary(assets: 60)
        let assets = library.assets()
        for number in 0..<4 {
            _ = try library.addAlbum("\(number)", (0..<10).map { assets[$0 + number] })
        }
        let photos = library.photos
        let start = photos.currentChangeToken
        let total = Self.processes * Self.changes
        let clients = try (0..<Self.processes).map { number in
            try library.client(
                "run",
                "p\(number)",
                "\(Self.changes)",
                "\(total)",
                "\(seed &+ UInt64(number))"
            )
        }
        // All processes observe before any of them makes a change.
        for client in clients { #expect(client.line() == "ready", "seed \(seed)") }
        for client in clients { client.send("go") }
        var states: Set<String> = []
        for client in clients {
            let (lines, status) = client.finish()
            #expect(status == 0, "seed \(seed)")
            states.formUnion(lines.filter { $0.hasPrefix("state") })
            #expect(lines.contains { $0.hasPrefix("told") }, "seed \(seed)")
        }
        #expect(states.count == 1, "\(states), seed \(seed)")
        let tokens = try photos.fetchPersistentChanges(since: start).map(\.changeToken)
        #expect(tokens.count == total)
        #expect(Set(tokens).count == total, "each change has a token of its own")
    }
}
