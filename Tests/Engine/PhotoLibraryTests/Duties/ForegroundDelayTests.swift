import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

@testable import PhotoLibrary

/// Changes of a user go on while background work is done.
///
/// `PHOTOS_DUTY_FIGURES` names a file to which the times of slices and changes are written, and
/// then there is more work.
@Suite(.timeLimit(.minutes(10))) struct ForegroundDelayTests {
    private static let figures = ProcessInfo.processInfo.environment["PHOTOS_DUTY_FIGURES"]

    private struct Progress {
        var changes: [Duration] = []
        var isDone = false
        var hasEnded = false
        var error: String?
    }

    @Test func changesAreMadeBetweenSlices() throws {
        let count = Self.figures == nil ? 60 : 1_500
        let world = try LibraryWorld()
        let clock = TestClock()
        clock.advance(by: 1_200_000_000)
        let host = try LibraryStore.open(at: world.path, clock: { clock.now })
        host.becomeHosted()
        for index in 0..<count {
            try world.insertWithFile(LibraryWorld.record("\(index)"), bytes: [1, 2, 3])
        }
        let ids = try host.newestAssets(after: 0, limit: count).uuids
        try host.write(author: "test") { transaction in
            try transaction.trashAssets(ids.compactMap { try transaction.asset(uuid: $0)?.id })
        }
        clock.advance(by: 100 * 86_400)
        try host.write(author: "test") {
            _ = try $0.insertCollection(LibraryWorld.collection(.album, "later"))
        }
        clock.advance(by: 86_400)

        // Another store is as another process: it waits for the file lock.
        let client = try LibraryStore.open(at: world.path, clock: { clock.now })
        client.becomeHosted()
        let progress = Monitor(Progress())
        let alone = try Self.changes(20, of: client, "before")
        #expect(
            NamedThread.start("test-changes") {
                while !progress.withLock(\.isDone) {
                    do {
                        let times = try Self.changes(1, of: client, UUID().uuidString)
                        // The pause of a user, however short.
                        _ = progress.wait(before: .now + .milliseconds(2)) { state in
                            state.isDone ? true : nil
                        }
                        progress.update { $0.changes += times }
                    } catch {
                        progress.update { $0.error = "\(error)" }
                        break
                    }
                }
                progress.update { $0.hasEnded = true }
            }
        )
        var held: [Duration] = []
        for duty in [StoreDuty.purge, .history] {
            var size = duty.firstSize
            while true {
                let slice: DutySlice
                do {
                    slice = try host.performSlice(of: duty, size: &size)
                } catch let error as LibraryError where error.code == .busy {
                    // Foreground changes come first, and the daemon tries again.
                    continue
                }
                if slice.held > .zero { held.append(slice.held) }
                guard slice.mayHaveMore else { break }
                // As the daemon does between slices.
                let pause = max(Duration.milliseconds(5), slice.held)
                _ = progress.wait(before: .now + pause) { $0.hasEnded ? true : nil }
            }
        }
        progress.update { $0.isDone = true }
        _ = progress.wait(before: .now + .seconds(60)) { $0.hasEnded ? true : nil }
        let result = progress.withLock { $0 }
        #expect(result.error == nil)
        #expect(!result.changes.isEmpty && held.count > 2)
        #expect(try host.newestAssets(after: 0, limit: 10).uuids == [])
        #expect(try world.findings() == [])
        if let file = Self.figures {
            let text = [("held", held), ("alone", alone), ("beside", result.changes)]
                .map { Self.line($0, $1) }.joined()
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }
    }

    private static func changes(
        _ count: Int,
        of store: LibraryStore,
        _ title: String
    ) throws -> [Duration] {
        try (0..<count).map { index in
            let start = ContinuousClock.now
            try store.write(author: "test") {
                _ = try $0.insertCollection(LibraryWorld.collection(.album, "\(title) \(index)"))
            }
            return ContinuousClock.now - start
        }
    }

    private static func line(_ name: String, _ times: [Duration]) -> String {
        let sorted = times.map { $0 / .milliseconds(1) }.sorted()
        let figures = [0.5, 0.95, 0.99, 1].map { share in
            let index = min(sorted.count - 1, Int(Double(sorted.count) * share))
            return String(format: "%.2f", sorted[max(0, index)])
        }
        return "\(name): \(sorted.count), p50 p95 p99 max \(figures.joined(separator: " ")) ms\n"
    }
}
