package import PeerIdentity
package import RemoteLibrary

/// The configuration of a daemon.
package struct DaemonConfiguration: Sendable {
    /// Opens the engine's sessions for clients.
    package var opener: any SessionOpener
    /// The version of this software, for messages.
    package var softwareVersion: String
    package var protocols = ProtocolVersions.supported
    package var identifier = PeerIdentifier()
    package var limits = DaemonLimits()
    /// The time without connections after which the daemon ends; nil if it does not end when idle.
    package var idleTime: Duration? = .seconds(60)
    /// Returns whether work is pending that keeps an idle daemon alive.
    package var isNeeded: @Sendable () -> Bool = { false }
    /// Returns whether the daemon's program was replaced by a new one, which is to take over the
    /// socket.
    ///
    /// This is asked whenever a client connects, and at intervals of `replacementInterval`.
    package var isReplaced: @Sendable () -> Bool = { false }
    /// The time after which the daemon checks again whether its program was replaced; nil if it
    /// checks only when a client connects.
    package var replacementInterval: Duration?
    /// The maximum time for which calls in progress may delay a takeover of the socket.
    package var takeoverPatience = Duration.seconds(10)
    /// Completes the daemon's status with the default library, the kind of process that performs
    /// background work, and the state of that work.
    ///
    /// `photos daemon status` asks for it.
    package var completeStatus: @Sendable (DaemonStatus) -> DaemonStatus = { $0 }
    /// Frees memory after a period without work; nil if memory is not freed.
    package var quietWatch: QuietWatch?

    /// Answers requests about cloud libraries; nil if the daemon does not support them.
    package var cloud: (any CloudAnswering)?

    package init(opener: any SessionOpener, softwareVersion: String) {
        self.opener = opener
        self.softwareVersion = softwareVersion
    }
}
