package import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// Delivers results one at a time on the main queue, or on a serial queue if nothing runs the main
/// queue.
///
/// In a program that does not run its main queue, such as a command whose main thread waits on a
/// semaphore for the result, delivery on the main queue would deadlock. If a result waits for one
/// second during which the main thread sleeps without interruption, it is delivered on the other
/// queue. So are later results, until the main queue runs again. A busy main thread is waited for
/// without a limit.
///
/// 1. Results are delivered one at a time, in the order of submission.
/// 2. At most one block drains the results at a time. A block that either queue runs late finds no
///    results and returns.
package final class ImageDelivery: Sendable {
    package typealias Delivery = @Sendable () -> Void

    private struct State {
        /// The submitted results.
        ///
        /// Those before the index `next` were delivered, and are removed from time to time.
        var queue: [Delivery?] = []
        var next = 0
        var isDraining = false
        /// Indicates whether a block that delivers the results is pending on the main queue.
        var isPosted = false
        var isWatched = false
        /// Indicates whether the main queue was detected as not running.
        var isMainDeaf = false

        var isEmpty: Bool { next == queue.count }

        mutating func take() -> Delivery? {
            guard !isEmpty else { return nil }
            let delivery = queue[next]
            queue[next] = nil
            next += 1
            if next > 64, next * 2 > queue.count {
                queue.removeFirst(next)
                next = 0
            }
            return delivery
        }
    }

    static let shared = ImageDelivery(main: .main)

    /// Indicates whether the caller runs on the main thread or the main queue.
    ///
    /// The two differ in an asynchronous program, in which other threads run the main queue.
    static var isOnMain: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainMark) == true
    }

    private static let mainMark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    private let main: DispatchQueue
    private let patience: Duration
    private let thread: @Sendable () -> MainThread
    private let state = Mutex(State())
    private let own = DispatchQueue(label: "photos.image-results")
    private let watch = DispatchQueue(label: "photos.image-results.watch")

    /// Creates an object that delivers results to a queue, whether or not the queue is running.
    ///
    /// - Parameters:
    ///   - main: The queue, which is the main queue except in tests.
    ///   - patience: The time to wait for a sleeping thread.
    ///   - thread: Returns the state of the thread that runs the queue.
    package init(
        main: DispatchQueue,
        patience: Duration = .seconds(1),
        thread: @escaping @Sendable () -> MainThread = MainThread.current
    ) {
        self.main = main
        self.patience = patience
        self.thread = thread
    }

    /// Indicates whether results are delivered on the main queue.
    ///
    /// It is false while the main queue is detected as not running.
    var servesMain: Bool { state.withLock { !$0.isMainDeaf } }

    /// Delivers a result asynchronously.
    package func deliver(_ delivery: @escaping Delivery) {
        let (isDeaf, posts, startsWatch) = state.withLock { state in
            state.queue.append(delivery)
            let startsWatch = !state.isWatched && !state.isMainDeaf
            if startsWatch { state.isWatched = true }
            defer { state.isPosted = true }
            return (state.isMainDeaf, !state.isPosted, startsWatch)
        }
        if posts { post() }
        if isDeaf { own.async { [self] in drain() } }
        if startsWatch { check(thread(), since: .now) }
    }

    /// Enqueues a call of `drain` on the main queue.
    ///
    /// The caller sets `isPosted` first.
    private func post() {
        main.async { [self] in
            state.withLock { state in
                state.isPosted = false
                state.isMainDeaf = false
            }
            drain(isOnMain: true)
        }
    }

    private func drain(isOnMain: Bool = false) {
        while true {
            let delivery = state.withLock { state -> Delivery? in
                guard !state.isDraining, isOnMain || state.isMainDeaf, let delivery = state.take()
                else { return nil }
                state.isDraining = true
                return delivery
            }
            guard let delivery else { break }
            delivery()
            state.withLock { $0.isDraining = false }
        }
        if !isOnMain { returnToMain() }
    }

    /// Schedules the remaining results on the main queue if that queue started to run during the
    /// delivery.
    private func returnToMain() {
        let (posts, startsWatch) = state.withLock { state in
            guard !state.isEmpty, !state.isDraining, !state.isMainDeaf else {
                return (false, false)
            }
            defer { (state.isPosted, state.isWatched) = (true, true) }
            return (!state.isPosted, !state.isWatched)
        }
        if posts { post() }
        if startsWatch { check(thread(), since: .now) }
    }

    /// The interval in milliseconds between two checks of the main thread.
    private var glance: Int {
        let tenth = patience / 10
        return max(1, Int(tenth.components.attoseconds / 1_000_000_000_000_000))
    }

    private func check(_ last: MainThread, since: SuspendingClock.Instant) {
        watch.asyncAfter(deadline: .now() + .milliseconds(glance)) { [self] in
            let isOver = state.withLock { state in
                if state.isEmpty || state.isDraining { state.isWatched = false }
                return !state.isWatched
            }
            if isOver { return }
            let now = thread()
            guard now.isAsleep, now == last else { return check(now, since: .now) }
            guard SuspendingClock.now - since >= patience else {
                return check(now, since: since)
            }
            state.withLock { state in
                state.isMainDeaf = true
                state.isWatched = false
            }
            own.async { self.drain() }
        }
    }
}

/// The state of this process's main thread, as the kernel reports it.
package struct MainThread: Equatable, Sendable {
    package var isAsleep: Bool
    /// The processor time that the thread has used, in clock ticks.
    package var time: UInt64

    package init(isAsleep: Bool, time: UInt64) {
        self.isAsleep = isAsleep
        self.time = time
    }

    /// Reads the main thread's current state from `/proc`; if the state cannot be read, the thread
    /// is reported as awake.
    package static func current() -> MainThread {
        let process = getpid()
        let path = "/proc/self/task/\(process)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return MainThread(isAsleep: false, time: 0) }
        // The fields after the name in parentheses: first the state; the 12th and 13th are the
        // times.
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12 else { return MainThread(isAsleep: false, time: 0) }
        return MainThread(
            isAsleep: fields[0] == "S",
            time: (UInt64(fields[11]) ?? 0) + (UInt64(fields[12]) ?? 0)
        )
    }
}
