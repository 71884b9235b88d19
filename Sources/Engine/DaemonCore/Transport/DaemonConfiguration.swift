package import PeerIdentity
package import RemoteLibrary

/// The properties of a daemon.
package struct DaemonConfiguration: Sendable {
    /// The engine.
    package var opener: any SessionOpener
    /// The version of this software, for messages.
    package var softwareVersion: String
    package var protocols = ProtocolVersions.supported
    package var identifier = PeerIdentifier()
    package var limits = DaemonLimits()
    /// The time after the last connection after which the daemon ends; nil for never.
    package var idleTime: Duration? = .seconds(60)
    /// Returns whether work is pending that keeps an idle daemon alive.
    package var isNeeded: @Sendable () -> Bool = { false }
    /// Returns whether the program of the daemon was replaced, so that the new one is to take over
    /// the socket; asked whenever a client connects.
    package var isReplaced: @Sendable () -> Bool = { false }
    /// The time for which calls in progress delay a takeover.
    package var takeoverPatience = Duration.seconds(10)
    /// Returns what the daemon is asked for by `photos daemon status` and does not know itself: the
    /// default library, the duty lock and the duties.
    package var completeStatus: @Sendable (DaemonStatus) -> DaemonStatus = { $0 }
    /// Notes calls, so that memory is freed after them; nil if it is not.
    package var quietWatch: QuietWatch?

    /// Answers requests about cloud libraries; nil where the daemon has none.
    package var cloud: (any CloudAnswering)?

    package init(opener: any SessionOpener, softwareVersion: String) {
        self.opener = opener
        self.softwareVersion = softwareVersion
    }
}
