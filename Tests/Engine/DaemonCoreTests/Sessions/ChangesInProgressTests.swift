import Foundation
import RemoteLibrary
import Testing

@testable import DaemonCore

/// A change runs once at a time, for one program.
@Suite(.timeLimit(.minutes(2))) struct ChangesInProgressTests {
    private let changes = ChangesInProgress()
    private let key = ChangesInProgress.Key(library: "a", request: UUID())
    private let continued = Monitor<[Int]>([])

    private func enter(
        _ number: Int,
        _ key: ChangesInProgress.Key,
        _ program: String = "p"
    ) -> ChangesInProgress.Entry {
        changes.enter(key, program: program) { [continued] in
            continued.update { $0.append(number) }
        }
    }

    @Test func laterRequestsWait() {
        #expect(enter(1, key) == .runs)
        #expect(enter(2, key) == .waits)
        #expect(enter(3, key) == .waits)
        #expect(continued.withLock(\.self) == [])
        changes.leave(key)
        #expect(continued.withLock(\.self) == [2, 3])
        // They enter again, one after the other.
        #expect(enter(2, key) == .runs)
        #expect(enter(3, key) == .waits)
        #expect(changes.count == 1)
    }

    @Test func requestOfAnotherProgramIsForeign() {
        #expect(enter(1, key) == .runs)
        #expect(enter(2, key, "q") == .isForeign)
        changes.leave(key)
        #expect(continued.withLock(\.self) == [] && changes.count == 0)
    }

    @Test func librariesAreIndependent() {
        #expect(enter(1, key) == .runs)
        let other = ChangesInProgress.Key(library: "b", request: key.request)
        #expect(enter(2, other) == .runs)
    }
}
