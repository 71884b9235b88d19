package import RemoteLibrary

/// The limits of a daemon.
package struct DaemonLimits: Sendable {
    /// The limits of one connection.
    package var calls = CallLimits()
    package var connections = 256
    package var connectionsPerProgram = 64
    /// The descriptors of calls in progress, of all clients.
    package var descriptors = 4_096
    package var pinsPerConnection = 4
    package var pins = 64
    /// The files that one session has staged for its next changes.
    package var fileTokens = 16_384
    /// The bytes of these files.
    package var stagedBytes: Int64 = 256 << 30
    package var predicateNodes = 10_000
    /// The fetches per second of a client without full access.
    package var fetchRate = 200
    /// The cancellations of calls that have not arrived, for each connection.
    package var earlyCancellations = 1_024
    /// The time that a client may take for the handshake.
    package var handshake = Duration.seconds(10)
    /// The time after which a client that does not read is disconnected.
    package var stall = CreditWindow.patience
    /// The time for which the end of the daemon waits for running calls and unsent replies.
    package var farewell = Duration.seconds(10)
    /// The threads of each class.
    package var shortThreads = 4
    package var writeThreads = 1
    package var stagingThreads = 2
    package var pixelThreads = 2
    package var bulkThreads = 2
    /// The calls that wait for an answer of the user, of all clients.
    package var questionThreads = 32
    /// The calls that wait for downloads, of all clients.
    package var downloadThreads = 64

    package init() {}
}

/// The rate of an event, with bursts of one second.
struct RateLimit {
    private let perSecond: Double
    private var tokens: Double
    private var last: SuspendingClock.Instant

    init(perSecond: Int, at now: SuspendingClock.Instant) {
        self.perSecond = Double(perSecond)
        tokens = Double(perSecond)
        last = now
    }

    /// Counts an event.
    ///
    /// - Returns: False if it exceeds the rate.
    mutating func admits(at now: SuspendingClock.Instant) -> Bool {
        tokens = min(perSecond, tokens + (now - last) / .seconds(1) * perSecond)
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
