internal import Dispatch
internal import Foundation
internal import Synchronization

/// Makes grid-sized renditions of what was imported, while nobody asks for anything.
///
/// Previews that cameras embed are often too small or missing, and the first look at a grid of new
/// photos would have to decode each. So, after a moment in which no picture was asked for and nothing
/// was imported, one after another is made, at the lowest priority and one at a time; it stops as soon
/// as somebody asks, and goes on after the next quiet moment. What is not made when the process ends is
/// made when it is asked for.
package final class BackgroundRenditions: Sendable {
    /// So many assets wait at most; the oldest are given up.
    private static let limit = 20_000

    private struct State {
        /// The newest last.
        var waiting: [String] = []
        var isRunning = false
        var lastActivity = ContinuousClock.now
        var cancellation: RequestCancellation?
        var hasSwept = false
        var isStopped = false
    }

    private let builder: RenditionBuilder
    private let sweeper: RenditionSweeper
    private let quiet: Duration
    private let queue = DispatchQueue(label: "photos.renditions.background", qos: .background)
    private let state = Mutex(State())

    /// Begins `quiet` after the last activity.
    package init(
        builder: RenditionBuilder,
        sweeper: RenditionSweeper,
        quiet: Duration = .seconds(2)
    ) {
        self.builder = builder
        self.sweeper = sweeper
        self.quiet = quiet
    }

    /// How many assets wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds assets; counts as an activity.
    package func add(_ assetUUIDs: [String]) {
        guard !assetUUIDs.isEmpty else { return }
        let starts = state.withLock { state in
            if state.isStopped { return false }
            state.lastActivity = .now
            state.waiting += assetUUIDs
            let excess = state.waiting.count - Self.limit
            if excess > 0 { state.waiting.removeFirst(excess) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { wait() }
    }

    /// Notes that somebody works with the library: what is being made is given up for now.
    ///
    /// Some time after the first work, what other programs deleted for good is removed here too.
    package func recordActivity() {
        let (cancellation, isFirst) = state.withLock { state in
            state.lastActivity = .now
            defer { state.hasSwept = true }
            return (state.cancellation, !state.hasSwept)
        }
        cancellation?.cancel()
        guard isFirst else { return }
        let delay = max(1, Int(quiet / .milliseconds(1)))
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            // What fails is made up for by the next program.
            try? self?.sweeper.sweep()
        }
    }

    /// Gives up what is being made, and makes nothing more.
    package func stop() {
        let cancellation = state.withLock { state in
            state.isStopped = true
            state.waiting = []
            return state.cancellation
        }
        cancellation?.cancel()
    }

    private func wait() {
        let rest = state.withLock { quiet - (ContinuousClock.now - $0.lastActivity) }
        let milliseconds = max(1, Int(rest / .milliseconds(1)))
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.work()
        }
    }

    private func work() {
        while true {
            let cancellation = RequestCancellation()
            let (asset, isQuiet) = state.withLock { state -> (String?, Bool) in
                guard ContinuousClock.now - state.lastActivity >= quiet else { return (nil, false) }
                guard let asset = state.waiting.popLast() else {
                    state.isRunning = false
                    return (nil, true)
                }
                state.cancellation = cancellation
                return (asset, true)
            }
            guard isQuiet else { return wait() }
            guard let asset else { return }
            builder.makeIfMissing(asset, RenditionStore.firstSizeClass, cancellation)
            state.withLock { state in
                state.cancellation = nil
                if cancellation.isCancelled, !state.isStopped { state.waiting.append(asset) }
            }
        }
    }
}
