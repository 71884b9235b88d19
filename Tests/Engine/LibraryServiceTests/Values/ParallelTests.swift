import Dispatch
import Glibc
import LibraryService
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ParallelTests {
    private struct Problem: Error, Hashable { var position: Int }

    @Test(arguments: [0, 1, 2, 7, 100], [1, 3, 64])
    func resultsAreInOrder(_ count: Int, _ width: Int) {
        let seen = Mutex<[Int]>([])
        let results = Parallel.map(count: count, width: width) { position in
            seen.withLock { $0.append(position) }
            return "\(position)"
        } discarding: { _ in
            Issue.record("A result was discarded.")
        }
        #expect(results == (0..<count).map { "\($0)" })
        #expect(seen.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test(arguments: [1, 2, 3]) func noMoreCallsRunThanAllowed(_ width: Int) {
        let running = Mutex((now: 0, most: 0))
        _ = Parallel.map(count: 40, width: width) { _ in
            running.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            for _ in 0..<20 { sched_yield() }
            running.withLock { $0.now -= 1 }
        } discarding: { _ in
        }
        #expect((1...width).contains(running.withLock(\.most)))
    }

    /// With one thread, exactly the calls before the failure are made.
    @Test func aFailureEndsTheWorkAndDiscardsItsResults() {
        let seen = Mutex<[Int]>([])
        var discarded: [Int] = []
        #expect(throws: Problem(position: 3)) {
            _ = try Parallel.map(count: 10, width: 1) { position throws(Problem) in
                seen.withLock { $0.append(position) }
                if position >= 3 { throw Problem(position: position) }
                return position
            } discarding: { result in
                discarded.append(result)
            }
        }
        #expect(seen.withLock(\.self) == [0, 1, 2, 3])
        #expect(discarded == [0, 1, 2])
    }

    /// Every result that was made is discarded, however the threads ran.
    @Test func noResultIsLostByAFailure() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<50 {
            let fault = Int.random(in: 0..<20, using: &generator)
            let made = Mutex<Set<Int>>([])
            var discarded: Set<Int> = []
            let error = #expect(throws: Problem.self) {
                _ = try Parallel.map(count: 20, width: 4) { position throws(Problem) in
                    if position == fault { throw Problem(position: position) }
                    made.withLock { _ = $0.insert(position) }
                    return position
                } discarding: { result in
                    let isNew = discarded.insert(result).inserted
                    #expect(isNew, seed.comment)
                }
            }
            #expect(error?.position == fault, seed.comment)
            #expect(discarded == made.withLock(\.self), seed.comment)
        }
    }

    @Test func workIsDoneWhileItsCallerGoesOn() {
        let gate = DispatchSemaphore(value: 0)
        let work = Parallel.Work<Int, Never> {
            gate.wait()
            return 7
        }
        gate.signal()
        #expect(work.wait() == 7 && work.wait() == 7)
    }

    @Test func workThrowsItsError() {
        let work = Parallel.Work<Int, Problem> { () throws(Problem) in throw Problem(position: 1) }
        #expect(throws: Problem(position: 1)) { try work.wait() }
        #expect(throws: Problem(position: 1)) { try work.wait() }
    }

    @Test func workIsDoneWhileBlocksOccupyThePool() async {
        await #expect(processExitsWith: .success) {
            let isDone = OccupiedPool.endsInEachBlock { done in
                if Parallel.Work<Int, Never>({ 7 }).wait() == 7 { done() }
            }
            exit(isDone ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
