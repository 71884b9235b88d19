package import RemoteLibrary

/// The limits of a daemon.
package struct DaemonLimits: Sendable {
    /// The limits of one connection.
    package var calls = CallLimits()
    package var connections = 256
    package var connectionsPerProgram = 64
    /// The maximum number of descriptors of calls in progress, for all clients together.
    package var descriptors = 4_096
    package var pinsPerConnection = 4
    package var pins = 64
    /// The maximum number of files that one session may have staged for its next changes.
    package var fileTokens = 16_384
    /// The maximum size of one session's staged files, in bytes.
    package var stagedBytes: Int64 = 256 << 30
    package var predicateNodes = 10_000
    /// The maximum number of fetches per second of a client without full access; more of them wait.
    package var fetchRate = 200
    /// The maximum number of cancellations that one connection retains for calls that have not
    /// arrived.
    package var earlyCancellations = 1_024
    /// The maximum duration of the handshake.
    package var handshake = Duration.seconds(10)
    /// The time after which a client that does not read is disconnected.
    package var stall = CreditWindow.patience
    /// The maximum time that an ending daemon waits for running calls and unsent replies.
    package var farewell = Duration.seconds(10)
    /// The number of threads for short calls.
    ///
    /// The next four properties are those of the other classes of calls.
    package var shortThreads = 4
    package var writeThreads = 1
    package var stagingThreads = 2
    package var pixelThreads = 2
    package var bulkThreads = 2
    /// The number of threads for calls that wait for an answer of the user, for all clients
    /// together.
    package var questionThreads = 32
    /// The number of threads for calls that wait for downloads, for all clients together.
    package var downloadThreads = 64

    package init() {}
}

/// A rate limit in events per second, with bursts of up to the same number of events.
struct RateLimit {
    private let perSecond: Double
    private var tokens: Double
    private var last: SuspendingClock.Instant

    init(perSecond: Int, at now: SuspendingClock.Instant) {
        self.perSecond = Double(perSecond)
        tokens = Double(perSecond)
        last = now
    }

    /// Counts an event if the rate permits it.
    ///
    /// - Returns: False if it exceeds the rate.
    mutating func admits(at now: SuspendingClock.Instant) -> Bool {
        tokens = min(perSecond, tokens + (now - last) / .seconds(1) * perSecond)
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// The time at which the rate permits the next event, unless others are counted before.
    var next: SuspendingClock.Instant { last + .seconds(max(0, 1 - tokens) / perSecond) }
}
