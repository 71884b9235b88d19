package import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// Brings results to the main queue, one after the other; where nobody serves that queue, to a serial
/// queue of its own.
///
/// A program without a running main queue, say a command whose main thread waits on a semaphore for the
/// very result, would wait for ever. So a result that has waited for a second, during which the main
/// thread slept without a break, goes to the other queue, and so do later ones until the main queue is
/// served again. A main thread that is busy is waited for, however long.
///
/// 1. Results are delivered in the order in which they came, one at a time.
/// 2. A queue is `free` or one block drains it; what both queues have posted finds it empty.
package final class ImageDelivery: Sendable {
    package typealias Delivery = @Sendable () -> Void

    private struct State {
        /// From `next` on; what was taken before is dropped now and then.
        var queue: [Delivery?] = []
        var next = 0
        var isDraining = false
        /// Whether a block that drains the queue is on its way through the main queue.
        var isPosted = false
        var isWatched = false
        /// Whether the main queue was found unserved.
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

    /// Whether the caller runs on the main thread or the main queue.
    ///
    /// The two differ in an asynchronous program: there other threads serve the main queue.
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

    /// Delivers to a queue that may not be served.
    ///
    /// - Parameters:
    ///   - main: The queue; the main one, unless a test says otherwise.
    ///   - patience: How long a sleeping thread is waited for.
    ///   - thread: What the thread that serves the queue is doing.
    package init(
        main: DispatchQueue,
        patience: Duration = .seconds(1),
        thread: @escaping @Sendable () -> MainThread = MainThread.current
    ) {
        self.main = main
        self.patience = patience
        self.thread = thread
    }

    /// Delivers asynchronously.
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

    /// Asks the main queue to drain; `isPosted` is set before.
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

    /// Leaves what remains to the main queue, which was served again while the other queue drained.
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

    /// Milliseconds between two looks at the main thread.
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

/// What the kernel says of this process's main thread.
package struct MainThread: Equatable, Sendable {
    package var isAsleep: Bool
    /// Processor time that it used, in ticks.
    package var time: UInt64

    package init(isAsleep: Bool, time: UInt64) {
        self.isAsleep = isAsleep
        self.time = time
    }

    /// What it is doing now; awake where the kernel does not say.
    package static func current() -> MainThread {
        let process = getpid()
        let path = "/proc/self/task/\(process)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return MainThread(isAsleep: false, time: 0) }
        // After the name in brackets: the state, and as the 12th and 13th from there the times.
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12 else { return MainThread(isAsleep: false, time: 0) }
        return MainThread(
            isAsleep: fields[0] == "S",
            time: (UInt64(fields[11]) ?? 0) + (UInt64(fields[12]) ?? 0)
        )
    }
}
