import Synchronization
import Testing

@testable import PhotosGallery

/// Work that waits for its turn, and work that is no longer needed.
@Suite(.timeLimit(.minutes(1))) struct SerialQueueTests {
    private let queue = SerialQueue()

    /// The work that ran, in order, and the maximum of concurrent work.
    private final class Notes: Sendable {
        private let state = Mutex((running: 0, most: 0, ended: [Int]()))

        func begin() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
        }

        func end(_ number: Int) {
            state.withLock { state in
                state.running -= 1
                state.ended.append(number)
            }
        }

        var most: Int { state.withLock { $0.most } }
        var ended: [Int] { state.withLock { $0.ended } }
    }

    @Test func oneRunsAtATimeInOrder() async throws {
        let (queue, notes) = (queue, Notes())
        let (first, begin) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let busy = Task {
            try await queue.run {
                notes.begin()
                start.yield()
                for await _ in first { break }
                notes.end(0)
            }
        }
        for await _ in started { break }
        let others = (1...20).map { number in
            Task {
                try await queue.run {
                    notes.begin()
                    await Task.yield()
                    notes.end(number)
                }
            }
        }
        #expect(notes.ended.isEmpty)
        begin.yield()
        try await busy.value
        for other in others { try await other.value }
        #expect(notes.most == 1 && notes.ended.first == 0 && notes.ended.count == 21)
    }

    @Test func cancelledWorkIsLeftOut() async throws {
        let queue = queue
        let (first, begin) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let busy = Task {
            try await queue.run {
                start.yield()
                for await _ in first { break }
            }
        }
        for await _ in started { break }
        let waiting = (0..<20).map { _ in
            Task { try await queue.run { Issue.record("It was cancelled before its turn.") } }
        }
        for (index, task) in waiting.enumerated() where index % 2 == 0 { task.cancel() }
        await Task.yield()
        for task in waiting { task.cancel() }
        for task in waiting {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        begin.yield()
        try await busy.value
        #expect(try await queue.run { 7 } == 7)
    }

    @Test func anErrorEndsTheTurn() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await queue.run { throw Failure() } }
        #expect(try await queue.run { 7 } == 7)
    }
}
