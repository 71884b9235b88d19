/// Decides whether to resend a call whose connection was lost.
struct CallAttempts {
    private static let longestPause = Duration.seconds(1)

    private let changesLibrary: Bool
    /// Indicates whether the call may be resent more than once.
    private let isPatient: Bool
    private let patience: Duration
    private let clock: () -> SuspendingClock.Instant
    /// The number of times that the connection was lost after the call was sent.
    private var losses = 0
    /// The number of consecutive connections that ended before the call was sent.
    private var unsentCount = 0
    /// The time at which the call was last sent.
    private var started: SuspendingClock.Instant
    /// The time from which `patience` is counted; nil if no connection was lost.
    ///
    /// It is the time of the first loss, or of a later loss after the call had been in progress for
    /// at least `patience`.
    private var lostSince: SuspendingClock.Instant?

    init(
        changesLibrary: Bool,
        isPatient: Bool = false,
        patience: Duration,
        clock: @escaping () -> SuspendingClock.Instant = { .now }
    ) {
        self.changesLibrary = changesLibrary
        self.isPatient = isPatient || changesLibrary
        self.patience = patience
        self.clock = clock
        started = clock()
    }

    /// Indicates whether the daemon may have made the change that the call requests.
    var mayHaveChanged: Bool { changesLibrary && losses > 0 }

    /// Indicates whether the call may end with `cancelled` without an answer from the daemon.
    var mayBeCancelled: Bool { !mayHaveChanged }

    /// The time until which the call waits for a new connection.
    var deadline: SuspendingClock.Instant { (lostSince ?? clock()) + patience }

    /// The time to wait before the next attempt; nil to try again immediately.
    ///
    /// A request that ends its daemon must not do so without pause.
    var pause: Duration? {
        let count = max(losses, unsentCount)
        guard count > 1 else { return nil }
        return min(Duration.milliseconds(10) * (1 << min(count, 10)), Self.longestPause)
    }

    /// Records the current time as the time at which the call is sent.
    mutating func begin() { started = clock() }

    /// Records the loss of a connection, and decides whether the call is sent again.
    ///
    /// - Parameter wasSent: True if the daemon may have received the call.
    /// - Returns: Whether the call is sent again.
    mutating func repeats(afterLosing wasSent: Bool) -> Bool {
        let now = clock()
        if wasSent {
            losses += 1
            unsentCount = 0
        } else {
            unsentCount += 1
        }
        // A call that ran for a long time has its whole patience again.
        if lostSince == nil || now - started >= patience { lostSince = now }
        if wasSent, !isPatient, losses > 1 { return false }
        return now < deadline
    }
}
