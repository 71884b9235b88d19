internal import Dispatch
internal import Foundation
internal import Synchronization

/// Makes grid-sized renditions of imported assets while the library is idle.
///
/// Embedded previews of cameras are often too small or missing, so the first display of new photos
/// in a grid would have to decode each file. After a short time without image requests and imports,
/// renditions are therefore made one at a time, at the lowest priority. This stops at the next
/// request and continues when the library is idle again. Renditions that are missing when the
/// process exits are made on request.
package final class BackgroundRenditions: Sendable {
    /// The maximum number of waiting assets; the oldest are dropped.
    package static let limit = 20_000
    /// The duration of a slice, after which the permit is requested again.
    private static let slice = Duration.seconds(2)
    /// The pause between two slices, in which another process may begin its work.
    private static let pause = Duration.milliseconds(200)

    private struct State {
        /// The waiting assets, the newest last.
        var waiting: [String] = []
        var isRunning = false
        var lastActivity = ContinuousClock.now
        var cancellation: RequestCancellation?
        var hasSwept = false
        var isStopped = false
    }

    private let builder: RenditionBuilder
    private let sweeper: RenditionSweeper
    private let permit: RenditionPermit
    private let quiet: Duration
    private let queue = DispatchQueue(label: "photos.renditions.background", qos: .background)
    private let state = Mutex(State())

    /// Creates an instance that starts to make renditions after the duration `quiet` without
    /// activity.
    package init(
        builder: RenditionBuilder,
        sweeper: RenditionSweeper,
        permit: RenditionPermit = .always,
        quiet: Duration = .seconds(2)
    ) {
        self.builder = builder
        self.sweeper = sweeper
        self.permit = permit
        self.quiet = quiet
    }

    /// The number of waiting assets.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds assets to the queue and records activity.
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

    /// Records activity in the library, and cancels the rendition in progress, which is made again
    /// later.
    ///
    /// `quiet` after the first activity, renditions of assets that other programs purged are also
    /// removed.
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
            // If it fails, the next program removes them.
            try? self?.sweeper.sweep()
        }
    }

    /// Cancels the rendition that is being made and stops permanently.
    package func stop() {
        let cancellation = state.withLock { state in
            state.isStopped = true
            state.waiting = []
            return state.cancellation
        }
        cancellation?.cancel()
    }

    private func wait(atLeast pause: Duration = .zero) {
        let rest = state.withLock {
            max(pause, quiet - (ContinuousClock.now - $0.lastActivity))
        }
        let milliseconds = max(1, Int(rest / .milliseconds(1)))
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.work()
        }
    }

    private func work() {
        switch permit.begin() {
        case .granted: break
        case .later: return wait(atLeast: quiet)
        case .elsewhere:
            return state.withLock { state in
                state.waiting = []
                state.isRunning = false
            }
        }
        defer { permit.end() }
        let end = ContinuousClock.now + Self.slice
        while true {
            guard .now < end else { return wait(atLeast: Self.pause) }
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
