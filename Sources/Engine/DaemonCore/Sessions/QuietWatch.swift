internal import RemoteLibrary

/// A watch that runs a closure to free memory after a daemon has had no work for a period.
///
///     quiet ──work──▶ due ──some seconds without work──▶ body runs ──▶ quiet
///                      ▲                                    │
///                      └──────────── body put it off ───────┘
///
/// 1. Nothing wakes the process while it is quiet.
/// 2. Many calls in a row wake the thread once per period, not once each.
package final class QuietWatch: Sendable {
    private struct State {
        /// The number of calls in progress.
        var callCount = 0
        var lastWork = SuspendingClock.now
        var isDue = false
        var isStopped = false
    }

    private let period: Duration
    private let monitor = Monitor(State())

    /// Creates a watch that runs its closure after a period without work.
    package init(after period: Duration) { self.period = period }

    /// Starts the thread, which runs until `stop` is called.
    ///
    /// - Parameter body: Runs after each period without work that follows some work. Returns false
    ///   to run again after another period, such as during work in the background.
    /// - Returns: False if the system has reached its limit of threads.
    package func start(_ body: @escaping @Sendable () -> Bool) -> Bool {
        NamedThread.start("photos-quiet") { [self] in
            while waitForQuiet() {
                if !body() { noteWork() }
            }
        }
    }

    /// Ends the thread.
    package func stop() { monitor.update { $0.isStopped = true } }

    /// Records the beginning of a call.
    func beginCall() { monitor.withLock { $0.callCount += 1 } }

    /// Records the end of a call.
    func endCall() { note { $0.callCount -= 1 } }

    /// Records work other than calls.
    package func noteWork() { note { _ in } }

    private func note(_ body: (inout State) -> Void) {
        let wasDue = monitor.withLock { state in
            body(&state)
            state.lastWork = .now
            defer { state.isDue = true }
            return state.isDue
        }
        // The thread computes its deadline anew when the former one has come.
        if !wasDue { monitor.update { _ in } }
    }

    /// Waits for the end of a period without work.
    ///
    /// - Returns: False if the watch was stopped.
    private func waitForQuiet() -> Bool {
        while true {
            let isDue = monitor.wait { $0.isStopped ? false : $0.isDue ? true : nil }
            guard isDue == true else { return false }
            let end = monitor.withLock { $0.lastWork + period }
            let isStopped = monitor.wait(before: end) { $0.isStopped ? true : nil }
            if isStopped == true { return false }
            let isQuiet = monitor.withLock { state in
                guard state.lastWork + period <= .now else { return false }
                // The end of a call in progress makes it due again.
                state.isDue = false
                return state.callCount == 0
            }
            if isQuiet { return true }
        }
    }
}
