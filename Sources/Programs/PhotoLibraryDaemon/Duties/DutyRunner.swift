internal import EmbeddedLibrary
internal import Foundation
internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// Performs the background work of one open library, on a thread of its own.
///
///     waiting for the duty lock ──▶ round of duties ──▶ idle ──change, an hour──▶ round …
///
/// 1. The thread holds the duty lock from the first round until it is stopped.
/// 2. A slice under the writer lock takes about 10 ms, and a pause of at least that time follows,
///    in which other writers get the lock.
/// 3. A failure ends the current run of a duty, which is retried later.
final class DutyRunner: Sendable {
    private struct State {
        var isStopping = false
        var hasEnded = true
        var duties: [Duty: DutyState] = [:]
    }

    /// The interval after which a kind of work is performed again.
    private static let interval = Duration.seconds(3_600)
    private static let retryInterval = Duration.seconds(60)
    private static let shortestPause = Duration.milliseconds(5)
    /// The interval at which paused work checks whether it may continue.
    private static let lookInterval = Duration.milliseconds(500)

    let engine: LibraryEngine
    private let conditions: DutyConditions
    private let noteWork: @Sendable () -> Void
    private let logger: Logger
    private let monitor = Monitor(State())
    private let wakeup: Wakeup?

    /// Creates the runner for the background work of an open library.
    ///
    /// - Parameters:
    ///   - engine: The library.
    ///   - conditions: The conditions under which it pauses.
    ///   - noteWork: Called after each round of work.
    init(
        _ engine: LibraryEngine,
        conditions: DutyConditions,
        noteWork: @escaping @Sendable () -> Void
    ) {
        self.engine = engine
        self.conditions = conditions
        self.noteWork = noteWork
        logger = Logger(label: "photos.duties")
        wakeup = Wakeup()
    }

    /// Indicates whether the daemon holds the duty lock of the library.
    var holdsLock: Bool { engine.dutyLock?.isHeld == true }

    /// Indicates whether work on the database is in progress.
    ///
    /// The library then stays open.
    var isPending: Bool {
        monitor.withLock(\.duties).contains { $0.store != nil && $1.activity == .running }
    }

    /// Indicates whether any kind of work is in progress.
    var isActive: Bool { duties.values.contains { $0.activity == .running } }

    /// Indicates whether any kind of work is in progress or has never been completed.
    ///
    /// Rereading files, failed work and paused work do not count.
    var isBusy: Bool {
        duties.contains { duty, state in
            duty != .scrub && (state.activity == .running || state.lastRun == nil)
                && state.activity != .failed && state.activity != .paused
        }
    }

    /// The state of each kind of work.
    var duties: [Duty: DutyState] {
        var duties = monitor.withLock(\.duties)
        if engine.waitingRenditions > 0, duties[.renditions]?.activity == .idle {
            duties[.renditions]?.activity = conditions.obstacle() == nil ? .running : .paused
        }
        if duties[.scrub]?.activity == .idle, engine.damagedFileCount > 0 {
            duties[.scrub]?.activity = .damaged
        }
        return duties
    }

    /// Starts the background thread, unless the library is read-only.
    func start() {
        guard let lock = engine.dutyLock else { return }
        monitor.update { state in
            state.hasEnded = false
            for duty in Duty.allCases where duty != .watchFolders {
                state.duties[duty] = DutyState()
            }
        }
        let isStarted = NamedThread.start("photos-duties") { [self] in
            run(lock)
            monitor.update { $0.hasEnded = true }
        }
        if !isStarted { monitor.update { $0.hasEnded = true } }
    }

    /// Requests the end of the work after the current slice, and returns immediately.
    func requestStop() {
        monitor.update { $0.isStopping = true }
        wakeup?.signal()
    }

    /// Stops the work after the current slice, waits until it has ended, and releases the duty
    /// lock.
    func stop() {
        requestStop()
        _ = monitor.wait { $0.hasEnded ? true : nil }
    }

    // MARK: - Rounds

    private func run(_ lock: DutyLock) {
        let start = SuspendingClock.now
        while !lock.acquire(as: .daemon) {
            if sleep(for: DutyLock.retryInterval(after: .now - start)) { return }
        }
        defer {
            engine.noteRenditions()
            lock.release()
        }
        monitor.update { state in
            for duty in state.duties.keys { state.duties[duty]?.activity = .idle }
        }
        logger.debug("The background work of a library began.")
        let changes = try? engine.changes()
        var due: [Duty: SuspendingClock.Instant] = [:]
        while !isStopping {
            for duty in Duty.allCases where duty != .watchFolders && !isStopping {
                guard due[duty].map({ $0 <= .now }) ?? true else { continue }
                due[duty] = .now + perform(duty)
                noteWork()
            }
            let next = due.values.min() ?? .now + Self.interval
            // New assets get their renditions at once, whoever added them.
            if waitForChange(changes, until: next) { due[.renditions] = .now }
        }
    }

    /// Performs a kind of work until nothing is left to do.
    ///
    /// - Returns: The time after which it is due again.
    private func perform(_ duty: Duty) -> Duration {
        set(duty, .running)
        do throws(LibraryError) {
            if let store = duty.store {
                try performSlices(of: store, duty)
            } else if duty == .renditions {
                try engine.queueRenditions()
            } else {
                while !isStopping, try engine.scrub(while: { mayContinue(duty) }) {
                    _ = sleep(for: Self.shortestPause)
                }
            }
            monitor.update { state in
                state.duties[duty] = DutyState(lastRun: Date().timeIntervalSince1970)
                state.duties[duty]?.activity = .idle
            }
            return Self.interval
        } catch {
            // Another process that writes for long is routine.
            logger.log(
                level: error.code == .busy ? .debug : .warning,
                "Background work failed and will be tried again.",
                metadata: [
                    "duty.name": "\(duty.rawValue)", "duty.code": "\(error.code.rawValue)",
                    "duty.error": logger.detail("\(error)"),
                ]
            )
            set(duty, .failed)
            return Self.retryInterval
        }
    }

    private func performSlices(of store: StoreDuty, _ duty: Duty) throws(LibraryError) {
        var size = store.firstSize
        while mayContinue(duty) {
            let slice = try engine.performSlice(of: store, size: &size)
            guard slice.mayHaveMore else { return }
            if sleep(for: max(Self.shortestPause, slice.held)) { return }
        }
    }

    // MARK: - Pauses

    /// Waits until no condition prevents the work.
    ///
    /// - Returns: False if the work has to stop.
    private func mayContinue(_ duty: Duty) -> Bool {
        guard !isStopping else { return false }
        guard conditions.obstacle() != nil else { return true }
        set(duty, .paused)
        defer { set(duty, .running) }
        repeat {
            if sleep(for: Self.lookInterval) { return false }
        } while conditions.obstacle() != nil
        return true
    }

    private var isStopping: Bool { monitor.withLock(\.isStopping) }

    /// Waits for the given time; returns earlier if the work has to stop.
    ///
    /// - Returns: True if the work has to stop.
    private func sleep(for time: Duration) -> Bool {
        monitor.wait(before: .now + time) { $0.isStopping ? true : nil } ?? false
    }

    /// Waits until the library changes or the given time is reached.
    ///
    /// - Returns: False if the time was reached, or the work has to stop.
    private func waitForChange(
        _ changes: Descriptor?,
        until time: SuspendingClock.Instant
    ) -> Bool {
        guard let changes, let wakeup else {
            _ = sleep(for: time - .now)
            return false
        }
        let left = Int((time - SuspendingClock.now) / .milliseconds(1))
        var entries = [changes.number, wakeup.number].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&entries, 2, Int32(clamping: max(0, left) + 1)) > 0, entries[1].revents == 0
        else { return false }
        // Changes come in groups, and the next ones are seen as well.
        _ = sleep(for: Self.lookInterval)
        return changes.drain()
    }

    private func set(_ duty: Duty, _ activity: DutyState.Activity) {
        monitor.update { $0.duties[duty]?.activity = activity }
    }
}
