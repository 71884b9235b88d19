import DaemonFakes
import Glibc
import LibraryService
import RemoteLibrary
import Testing

@testable import DaemonCore

/// When a daemon frees memory.
@Suite(.timeLimit(.minutes(1))) struct QuietWatchTests {
    private static let period = Duration.milliseconds(100)
    private let watch = QuietWatch(after: period)
    private let runs = Monitor(0)

    private func start(_ answer: @escaping @Sendable (Int) -> Bool = { _ in true }) {
        let runs = runs
        let isStarted = watch.start {
            answer(
                runs.update { count in
                    count += 1
                    return count
                }
            )
        }
        #expect(isStarted)
    }

    private func waits(forRuns count: Int) -> Bool {
        runs.wait(before: .now + .seconds(20)) { $0 >= count ? true : nil } == true
    }

    @Test("It runs once after work, and not again without more")
    func once() {
        start()
        defer { watch.stop() }
        for _ in 0..<100 {
            watch.beginCall()
            watch.endCall()
        }
        #expect(waits(forRuns: 1))
        // Time is the subject.
        usleep(400_000)
        #expect(runs.withLock(\.self) == 1)
        watch.noteWork()
        #expect(waits(forRuns: 2))
    }

    @Test("It waits a whole period after the last work")
    func wholePeriod() {
        let times = Monitor<[SuspendingClock.Instant]>([])
        let isStarted = watch.start {
            times.update { $0.append(.now) }
            return true
        }
        #expect(isStarted)
        defer { watch.stop() }
        // Time is the subject: a period has passed since the watch was created.
        usleep(150_000)
        let work = SuspendingClock.now
        watch.noteWork()
        let run = times.wait(before: .now + .seconds(20)) { $0.first }
        #expect(run.map { $0 - work >= Self.period } == true)
    }

    @Test("It does not run during a call")
    func call() {
        start()
        defer { watch.stop() }
        watch.beginCall()
        watch.noteWork()
        // Time is the subject.
        usleep(400_000)
        #expect(runs.withLock(\.self) == 0)
        watch.endCall()
        #expect(waits(forRuns: 1))
    }

    @Test("It runs again after a run that was too early")
    func again() {
        start { $0 == 3 }
        defer { watch.stop() }
        watch.noteWork()
        #expect(waits(forRuns: 3))
        // Time is the subject.
        usleep(400_000)
        #expect(runs.withLock(\.self) == 3)
    }

    @Test("A daemon frees the memory of its sessions after their calls")
    func server() throws {
        let watch = watch
        let world = try DaemonWorld { $0.quietWatch = watch }
        let server = world.server
        let runs = runs
        #expect(
            watch.start {
                server.releaseMemory()
                runs.update { $0 += 1 }
                return true
            }
        )
        defer { watch.stop() }
        let library = try world.library()
        #expect(waits(forRuns: 1))
        let held = BackgroundCall { try library.loadAssets(AssetLoadRequest(held: true)) }
        #expect(world.waits { $0.clients.first?.calls == 1 })
        let before = runs.withLock(\.self)
        // Time is the subject.
        usleep(400_000)
        #expect(runs.withLock(\.self) == before)
        world.engine.release()
        _ = try held.value()
        #expect(waits(forRuns: before + 1))
    }
}
