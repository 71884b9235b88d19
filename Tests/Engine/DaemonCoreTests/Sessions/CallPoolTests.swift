import RemoteLibrary
import Testing

@testable import DaemonCore

/// Pools are bounded, and fair to clients.
@Suite(.timeLimit(.minutes(2))) struct CallPoolTests {
    /// Work that is held, and the clients whose work has run.
    private struct State {
        var isReleased = false
        var runningCount = 0
        var largestCount = 0
        var clients: [Int] = []
    }

    private let state = Monitor(State())

    private func hold(for client: Int) -> @Sendable () -> Void {
        let state = state
        return {
            state.update { state in
                state.runningCount += 1
                state.largestCount = max(state.largestCount, state.runningCount)
            }
            _ = state.wait { $0.isReleased ? true : nil }
            state.update { state in
                state.runningCount -= 1
                state.clients.append(client)
            }
        }
    }

    private func waits(until condition: (State) -> Bool) -> Bool {
        state.wait(before: .now + .seconds(20)) { condition($0) ? true : nil } == true
    }

    @Test func clientsTakeTurns() {
        let pool = CallPool(name: "test-pool", width: 1)
        defer { pool.stop() }
        var isAccepted = true
        for client in [1, 1, 1, 1, 1, 2, 2, 3] {
            isAccepted = pool.submit(for: client, hold(for: client)) && isAccepted
        }
        #expect(isAccepted)
        #expect(waits { $0.runningCount == 1 })
        state.update { $0.isReleased = true }
        #expect(waits { $0.clients.count == 8 })
        let clients = state.withLock(\.clients)
        #expect(clients == [1, 1, 2, 3, 1, 2, 1, 1] || clients == [1, 2, 3, 1, 2, 1, 1, 1])
    }

    @Test func threadsAreBounded() {
        let pool = CallPool(name: "test-pool", width: 3)
        defer { pool.stop() }
        for _ in 0..<20 { _ = pool.submit(for: 1, hold(for: 1)) }
        #expect(waits { $0.runningCount == 3 })
        state.update { $0.isReleased = true }
        #expect(waits { $0.clients.count == 20 })
        #expect(state.withLock(\.largestCount) == 3)
    }

    @Test func workOfALostClientIsRemoved() {
        let pool = CallPool(name: "test-pool", width: 1)
        defer { pool.stop() }
        _ = pool.submit(for: 1, hold(for: 1))
        #expect(waits { $0.runningCount == 1 })
        for client in [2, 2, 3] { _ = pool.submit(for: client, hold(for: client)) }
        pool.removeAll(of: 2)
        state.update { $0.isReleased = true }
        #expect(waits { $0.clients == [1, 3] })
        // The pool is as usable as before.
        _ = pool.submit(for: 2, hold(for: 2))
        #expect(waits { $0.clients == [1, 3, 2] })
    }
}
